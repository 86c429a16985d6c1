import type { Lookup } from "../expression/resolution.js";
import type { Lock } from "../state/lock.js";
import { idInEntry } from "./ids-after-plan.js";

/** Gives a function that looks up the ID of a reference in a lock. */
export function lookupIn({ resources }: Pick<Lock, "resources">): Lookup {
  return (reference) => {
    const entry = resources[reference.address];
    return entry && idInEntry(entry, reference);
  };
}
