import type { HelpAnswer } from "../generated/help.js";

/** What a command does to files, state, service and network, as `help --format json` tells it. */
export type CommandEffects = Omit<HelpAnswer["commands"][number]["effects"], "asks">;

/** What programs are told of a command beside its options. */
export interface CommandFacts extends CommandEffects {
  /** The schema of its result with `--format json`; null where the result is no JSON, or the schemas themselves. */
  readonly schema: string | null;
  /** The schemas that it has with an option instead. */
  readonly optionSchemas?: Readonly<Record<string, string>>;
  /** The exit codes beside 0, 1, 64 and 70. */
  readonly exits: readonly (2 | 3 | 4 | 130)[];
}

const pure = {
  reads: [],
  writes: [],
  network: [],
  idempotent: true,
  destructive: false,
} satisfies CommandEffects;
const reading = { ...pure, reads: ["files"] } satisfies CommandEffects;
const view = { ...pure, reads: ["files", "state"], network: ["state"] } satisfies CommandEffects;
const repair = { ...view, writes: ["state"] } satisfies CommandEffects;
const asking = {
  ...view,
  reads: ["files", "state", "service"],
  // With `--emulator` the service is in this process, and listens on a port.
  network: ["state", "service", "loopback"],
} satisfies CommandEffects;

/** By the words of the command. The cache of parsed files is not counted, for it changes no result. */
export const commandFacts: Readonly<Record<string, CommandFacts>> = {
  init: { ...reading, writes: ["files"], schema: "init", exits: [] },
  import: {
    ...asking,
    writes: ["files", "state"],
    schema: "import",
    optionSchemas: { "--list": "import-list" },
    exits: [2, 4],
  },
  emulator: { ...reading, writes: ["files"], network: ["loopback"], schema: "emulator", exits: [] },
  validate: { ...reading, schema: "diagnostics", exits: [] },
  plan: { ...view, writes: ["files"], schema: "plan", optionSchemas: { "--all": "plans" }, exits: [2, 3, 4] },
  apply: {
    ...asking,
    writes: ["state", "service"],
    destructive: true,
    schema: "apply",
    exits: [2, 3, 4, 130],
  },
  show: { ...reading, schema: "plan", exits: [] },
  comment: {
    ...pure,
    reads: ["files", "forge"],
    writes: ["forge"],
    network: ["forge"],
    schema: "comment",
    exits: [],
  },
  render: { ...reading, schema: "documents", exits: [] },
  graph: { ...reading, schema: "graph", exits: [] },
  "lock list": { ...view, schema: "lock-list", exits: [4] },
  "lock show": { ...view, schema: "lock-show", exits: [4] },
  "lock retired": { ...view, schema: "lock-retired", exits: [4] },
  "lock status": { ...view, schema: "lock-status", exits: [4] },
  "lock history": { ...view, schema: "lock-history", exits: [4] },
  "lock resolve": { ...asking, writes: ["state"], schema: "lock-repair", exits: [2, 4] },
  "lock restore": { ...repair, schema: "lock-repair", exits: [4] },
  // As long as git has the conflict, it merges again.
  "lock merge": { ...repair, idempotent: false, schema: "lock-repair", exits: [4] },
  "lock move": { ...repair, schema: "lock-repair", exits: [4] },
  "lock seal": { ...repair, schema: "lock-repair", exits: [2, 4] },
  "lock unlock": { ...repair, schema: "lock-repair", exits: [4] },
  drift: {
    ...asking,
    writes: ["files", "state"],
    schema: "plan",
    optionSchemas: { "--write": "drift-write" },
    exits: [2, 4],
  },
  prune: {
    ...asking,
    writes: ["files", "state", "service"],
    destructive: true,
    schema: "apply",
    optionSchemas: { "--out": "plan" },
    exits: [2, 3, 4, 130],
  },
  output: { ...view, writes: ["files"], schema: "output", exits: [4] },
  schema: { ...pure, schema: null, exits: [] },
  "language-server": { ...reading, schema: null, exits: [] },
  help: { ...pure, schema: "help", exits: [] },
  explain: { ...pure, schema: "explain", exits: [] },
  completion: { ...pure, schema: null, exits: [] },
};
