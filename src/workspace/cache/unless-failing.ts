/** Gives what a function gives, or undefined where it throws: for operations whose failure is no more than a cache that knows less. */
export function unlessFailing<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
