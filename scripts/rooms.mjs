/**
 * The rooms of `src`, each with the rooms that it may import from; the linter's rule `house/rooms` holds every
 * import to it. A folder without a line of its own belongs to the room above it.
 */

/** The rooms of core in the order of the way of the data: each may import from those before it. */
export const core = [
  "finding",
  "document",
  "openapi",
  "kind",
  "expression",
  "schema",
  "position",
  "state",
  "observation",
  "rules",
  "resources",
  "guardrails",
  "plan",
  "review",
  "apply",
  "lock-edit",
  "import",
  "keep",
  "explain",
].map((room) => `core/${room}`);

/** The rooms of rendering, in the same way. */
export const render = [
  "words",
  "difference",
  "change",
  "view",
  "plan",
  "markdown",
  "html",
  "diagnostics",
  "lock",
  "apply",
  "results",
].map((room) => `render/${room}`);

const below = ["json", "generated", "digest"];
const pure = [...below, ...core];
const inOrder = (rooms, first) => rooms.map((room, index) => [room, [...first, ...rooms.slice(0, index)]]);

/** Which rooms a room may import from, beside itself. */
export const rooms = new Map([
  ["json", []],
  ["generated", ["json"]],
  ["digest", ["json"]],
  ...inOrder(core, below),
  ["version", []],
  ["git", ["disk"]],
  ["disk", ["digest"]],
  ["forge", ["json"]],
  ["emulator", ["json", "generated", "disk"]],
  ["service", [...pure, "disk"]],
  ["workspace/cache", ["digest", "git", "disk"]],
  ["workspace", [...pure, "git", "disk", "workspace/cache"]],
  ["store/local", [...pure, "git", "disk"]],
  ["store/medium", pure],
  ["store/seal", [...pure, "service"]],
  ["store/file", [...pure, "git", "disk", "store/local", "store/medium"]],
  ["store/network", [...pure, "version", "disk", "service", "store/local", "store/medium"]],
  ["store/git", [...pure, "git", "store/local", "store/medium", "store/network"]],
  ["store/http", [...pure, "version", "service", "store/local", "store/medium", "store/network"]],
  ["store/postgres", [...pure, "service", "store/local", "store/medium", "store/network"]],
  ["store/s3", [...pure, "service", "store/medium", "store/network"]],
  [
    "store",
    [
      ...pure,
      "git",
      "disk",
      "store/local",
      "store/file",
      "store/git",
      "store/http",
      "store/network",
      "store/postgres",
      "store/s3",
      "store/seal",
    ],
  ],
  ...inOrder(render, [...pure, "version"]),
  ["editor", [...pure, "render/words", "disk", "version", "workspace", "sync"]],
  ["page", [...pure, "render/words", "render/difference", "render/change", "render/view", "render/html"]],
  ["sync", [...pure, "disk", "emulator", "workspace", "store", "store/file", "store/local", "service"]],
  ["library", [...pure, "version", "service", "sync"]],
  ["index", [...pure, "version", "library"]],
  [
    "cli",
    [
      ...pure,
      ...render,
      ..."version git disk forge editor emulator service workspace workspace/cache store/local store/file sync".split(
        " ",
      ),
    ],
  ],
]);

/** Gives the room of a module by its path below `src`, without a suffix; a file beside the rooms is one of its own. */
export function roomOf(path) {
  for (let at = path; at !== "."; at = at.includes("/") ? at.slice(0, at.lastIndexOf("/")) : ".") {
    if (rooms.has(at)) return at;
  }
  return path;
}
