import type { Change } from "./difference.js";
import type { LockEntry } from "../state/lock.js";
import type { Resource } from "../resources/resource.js";

/** What the lock records of the lifecycle of a resource, each with its value unless given. */
export const recordedLifecycle = { protect: false, on_removal: "forget" } as const;

/** The keys of what the lock records of the lifecycle of a resource. */
export const recordedKeys = Object.keys(recordedLifecycle) as readonly (keyof typeof recordedLifecycle)[];

/** How `lifecycle` differs from what the lock has of it. */
export function lifecycleChanges({ lifecycle }: Resource, entry: LockEntry): Change[] {
  return recordedKeys.flatMap((key) => {
    const before = entry[key] ?? recordedLifecycle[key];
    const after = lifecycle[key] ?? recordedLifecycle[key];
    return before === after ? [] : [{ path: `lifecycle.${key}`, before, after }];
  });
}
