/**
 * What the emulated service can do: the six operations of docs/reference/interface.md, or also list, read, update and delete
 * the objects of every kind, as deployments are known that do.
 */
export type EmulatedOperations = "documented" | "full";

/**
 * The form in which a full service gives objects: a list is an array, or an object with the array under the name of
 * the objects, or a page with the address of the next one. With `pages`, a single object is wrapped as well.
 */
export type Lists = "array" | "key" | "pages";

/**
 * How the emulator answers where deployments differ: with opaque tool IDs in document order, with tool IDs that end
 * in the operation's name, with objects, in a shuffled order, or with as little as docs/reference/interface.md allows.
 */
export type Answers = "opaque" | "names" | "objects" | "shuffled" | "minimal";
