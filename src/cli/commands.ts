import type { CommandEntry, CommandGroup, CommandList, SingleCommand } from "./command.js";

// A file is loaded when its command runs, or when its help is shown.
const load = {
  init: async () => (await import("./commands/init.js")).init,
  importCommand: async () => (await import("./commands/import.js")).importCommand,
  emulator: async () => (await import("./commands/emulator.js")).emulator,
  validate: async () => (await import("./commands/validate.js")).validate,
  plan: async () => (await import("./commands/plan.js")).plan,
  apply: async () => (await import("./commands/apply.js")).apply,
  show: async () => (await import("./commands/show.js")).show,
  comment: async () => (await import("./commands/comment.js")).comment,
  render: async () => (await import("./commands/render.js")).render,
  graph: async () => (await import("./commands/graph.js")).graph,
  lockList: async () => (await import("./commands/lock-views.js")).lockList,
  lockShow: async () => (await import("./commands/lock-show.js")).lockShow,
  lockRetired: async () => (await import("./commands/lock-views.js")).lockRetired,
  lockStatus: async () => (await import("./commands/lock-views.js")).lockStatus,
  lockHistory: async () => (await import("./commands/lock-views.js")).lockHistory,
  lockResolve: async () => (await import("./commands/lock-resolve.js")).lockResolve,
  lockRestore: async () => (await import("./commands/lock-restore.js")).lockRestore,
  lockMerge: async () => (await import("./commands/lock-merge.js")).lockMerge,
  lockMove: async () => (await import("./commands/lock-move.js")).lockMove,
  lockSeal: async () => (await import("./commands/lock-seal.js")).lockSeal,
  lockUnlock: async () => (await import("./commands/lock-unlock.js")).lockUnlock,
  drift: async () => (await import("./commands/drift.js")).drift,
  prune: async () => (await import("./commands/prune.js")).prune,
  output: async () => (await import("./commands/output.js")).output,
  schema: async () => (await import("./commands/schema.js")).schema,
  languageServer: async () => (await import("./commands/language-server.js")).languageServer,
  help: async () => (await import("./commands/help.js")).helpOn(commands),
  explain: async () => (await import("./commands/explain.js")).explain,
  completion: async () => (await import("./commands/completion.js")).completionOf(commands),
} satisfies Record<string, SingleCommand["load"]>;

function single(name: string, summary: string, load: SingleCommand["load"]): SingleCommand {
  return { name, summary, load };
}

function inGroup(group: CommandGroup, entries: readonly CommandEntry[]): CommandList {
  return entries.map((entry) => ({ ...entry, group }));
}

/** The commands, group after group, in the order of the help. */
export const commands: CommandList = [
  ...inGroup("start", [
    single("init", "make a new workspace with one of each kind", load.init),
    single("import", "write documents and lock entries for objects that exist", load.importCommand),
    single("emulator", "run an emulator of the service on loopback, to try things out", load.emulator),
  ]),
  ...inGroup("change", [
    single("validate", "find every problem that can be found without a lock", load.validate),
    single("plan", "show what an apply would change", load.plan),
    single("apply", "plan, ask, and make the service match the workspace", load.apply),
    single("show", "show a saved plan", load.show),
    single("comment", "post a saved plan as a comment on its pull request or merge request", load.comment),
    single("render", "show the documents as they would be sent", load.render),
    single("graph", "draw the references between resources", load.graph),
  ]),
  ...inGroup("state", [
    {
      name: "lock",
      summary: "show and repair the state",
      documents: [
        "explanation/state.md",
        "how-to/dead-runner.md",
        "how-to/unknown-outcome.md",
        "how-to/move-the-state.md",
      ],
      commands: [
        single("list", "list the managed resources", load.lockList),
        single("show", "show everything that is known about one resource", load.lockShow),
        single("retired", "list the objects that are left behind in the service", load.lockRetired),
        single(
          "status",
          "tell where the state is, who holds it and what that apply has done",
          load.lockStatus,
        ),
        single("history", "list the versions of the lock", load.lockHistory),
        single(
          "resolve",
          "tell agentform an ID: of an unknown create, an object to take over, or single tools",
          load.lockResolve,
        ),
        single("restore", "restore a lock that git has set back to an older version", load.lockRestore),
        single("merge", "merge the locks of two branches, also as git's merge driver", load.lockMerge),
        single("move", "move the states of all environments to a different store", load.lockMove),
        single("seal", "seal the state, so that nobody without the key can change it", load.lockSeal),
        single("unlock", "release a lock whose apply is certainly dead", load.lockUnlock),
      ],
    },
    single(
      "drift",
      "show what somebody changed in the service since it was last sent, or keep it",
      load.drift,
    ),
    single("prune", "delete what is left behind in the service and not used any more", load.prune),
    single("output", "give the IDs to applications, as JSON, variables or a module", load.output),
  ]),
  ...inGroup("tools", [
    single("schema", "print the JSON Schemas", load.schema),
    single(
      "language-server",
      "help an editor with the documents, over standard input and output",
      load.languageServer,
    ),
    single("help", "explain a command or a topic", load.help),
    single("explain", "explain the code of a diagnostic or note, or a field", load.explain),
    single("completion", "print the script that completes lines in bash, zsh or fish", load.completion),
  ]),
];
