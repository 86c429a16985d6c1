/**
 * How the emulator answers where deployments differ: tool IDs opaque and in document order, ending in the
 * operation's name, as objects, or in another order; or as little in every answer as docs/interface.md allows.
 */
export type Answers = "opaque" | "names" | "objects" | "shuffled" | "minimal";
