/** The six operations of docs/reference/interface.md, or `full`: also list, read, update and delete of every kind. */
export type EmulatedOperations = "documented" | "full";

/** How a full service lists: an array, one under a `key`, or pages, with which a single object is wrapped, too. */
export type Lists = "array" | "key" | "pages";

/** How answers differ: opaque tool IDs in order, IDs with names, objects, shuffled, or as little as is documented. */
export type Answers = "opaque" | "names" | "objects" | "shuffled" | "minimal";
