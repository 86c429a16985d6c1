/** What the lock records of the lifecycle of a resource, each with its value unless given. */
export const recordedLifecycle = { protect: false, on_removal: "forget" } as const;

/** The keys of what the lock records of the lifecycle of a resource. */
export const recordedKeys = Object.keys(recordedLifecycle) as readonly (keyof typeof recordedLifecycle)[];
