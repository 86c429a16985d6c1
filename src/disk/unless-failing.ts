/** Gives what a function gives, or undefined where it throws: for operations whose failure is no more than knowing less. */
export function unlessFailing<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
