import type { EmulatedFault, FaultMatch } from "./fault.js";

/** The faults in their order, each with its remaining `skip` and `count`. */
export class FaultQueue {
  readonly #waiting: { fault: EmulatedFault; skip: number; count: number }[];

  constructor(faults: readonly EmulatedFault[]) {
    this.#waiting = faults.map((fault) => ({ fault, skip: fault.skip ?? 0, count: fault.count ?? 1 }));
  }

  /** Takes the first fault that is due for a request; the later ones do not count that request. */
  take(method: string, path: string): EmulatedFault | undefined {
    for (const entry of this.#waiting) {
      if (entry.count === 0 || !matches(entry.fault, method, path)) continue;
      if (entry.skip === 0) {
        entry.count -= 1;
        return entry.fault;
      }
      entry.skip -= 1;
    }
    return undefined;
  }
}

function matches(fault: FaultMatch, method: string, path: string): boolean {
  if (fault.method !== undefined && fault.method.toUpperCase() !== method) return false;
  if (fault.path === undefined) return true;
  return patternOf(fault.path).test(path);
}

function patternOf(path: string): RegExp {
  const isOpen = path.endsWith("*");
  const parts = (isOpen ? path.slice(0, -1) : path).split("{id}");
  const literal = parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${literal.join("[^/]+")}${isOpen ? "" : "$"}`, "s");
}
