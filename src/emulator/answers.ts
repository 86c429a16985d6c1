/**
 * How the emulator answers where deployments differ: with opaque tool IDs in document order, with tool IDs that end
 * in the operation's name, with objects, in a shuffled order, or with as little as docs/interface.md allows.
 */
export type Answers = "opaque" | "names" | "objects" | "shuffled" | "minimal";
