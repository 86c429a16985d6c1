import type { Action } from "../../generated/plan.js";

/** The maximum number of addresses in an action's `affects`. */
const mostAffected = 100;

/**
 * Finds the addresses that depend on one, directly or not: sorted, at most a hundred, the nearest if there are more, for
 * complete lists for all would grow quadratically.
 */
export function affectedBy(
  address: string,
  next: (address: string) => readonly string[],
): Pick<Action, "affects" | "affects_more"> {
  const found = new Set<string>();
  const queue = [address];
  for (const at of queue) {
    for (const each of next(at)) {
      if (each === address || found.has(each)) continue;
      if (found.size === mostAffected) return { affects: [...found].toSorted(), affects_more: true };
      found.add(each);
      queue.push(each);
    }
  }
  return { affects: [...found].toSorted() };
}

/**
 * Leaves out of a graph what is gone: gives for an address which of the others it leads to, directly or through
 * gone ones alone, as many as affectedBy has use for. Gone ones come each after all that they lead to; of what
 * a circle of them leads to, some may be overlooked.
 */
export function withoutGone(
  gone: readonly string[],
  dependents: ReadonlyMap<string, readonly string[]>,
): (address: string) => readonly string[] {
  const isGone = new Set(gone);
  const known = new Map<string, readonly string[]>();
  const find = (address: string): readonly string[] => {
    const found = new Set<string>();
    const direct = dependents.get(address) ?? [];
    for (const each of direct) if (!isGone.has(each) && found.size <= mostAffected) found.add(each);
    for (const each of direct) {
      if (!isGone.has(each)) continue;
      for (const other of known.get(each) ?? []) {
        if (found.size > mostAffected) break;
        if (other !== address) found.add(other);
      }
    }
    return [...found];
  };
  const next = (address: string): readonly string[] => {
    const list = known.get(address) ?? find(address);
    known.set(address, list);
    return list;
  };
  gone.forEach(next);
  return next;
}
