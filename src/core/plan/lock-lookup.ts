import type { Lookup } from "../expression/resolution.js";
import type { Lock } from "../state/lock.js";
import { idInEntry } from "./outlook.js";

/** Gives what looks up in a lock the ID that a reference stands for. */
export function lookupIn({ resources }: Pick<Lock, "resources">): Lookup {
  return (reference) => {
    const entry = resources[reference.address];
    return entry && idInEntry(entry, reference);
  };
}
