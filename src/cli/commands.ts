import type { CommandList } from "./command.js";

/** The commands, group after group, in the order of the help. */
export const commands: CommandList = [
  {
    name: "init",
    group: "start",
    summary: "make a new workspace with one of each kind",
    load: async () => (await import("./commands/init.js")).init,
  },
  {
    name: "import",
    group: "start",
    summary: "write documents and lock entries for objects that exist",
    load: async () => (await import("./commands/import.js")).importCommand,
  },
  {
    name: "emulator",
    group: "start",
    summary: "run an emulator of the service on loopback, to try things out",
    load: async () => (await import("./commands/emulator.js")).emulator,
  },
  {
    name: "validate",
    group: "change",
    summary: "find every problem that can be found without a lock",
    load: async () => (await import("./commands/validate.js")).validate,
  },
  {
    name: "plan",
    group: "change",
    summary: "show what an apply would change",
    load: async () => (await import("./commands/plan.js")).plan,
  },
  {
    name: "apply",
    group: "change",
    summary: "plan, ask, and make the service match the workspace",
    load: async () => (await import("./commands/apply.js")).apply,
  },
  {
    name: "show",
    group: "change",
    summary: "show a saved plan",
    load: async () => (await import("./commands/show.js")).show,
  },
  {
    name: "comment",
    group: "change",
    summary: "post a saved plan as a comment on its pull request or merge request",
    load: async () => (await import("./commands/comment.js")).comment,
  },
  {
    name: "render",
    group: "change",
    summary: "show the documents as they would be sent",
    load: async () => (await import("./commands/render.js")).render,
  },
  {
    name: "graph",
    group: "change",
    summary: "draw the references between resources",
    load: async () => (await import("./commands/graph.js")).graph,
  },
  {
    name: "lock",
    group: "state",
    summary: "show and repair the state",
    documents: ["state.md", "repairing-the-lock.md"],
    commands: [
      {
        name: "list",
        summary: "list the managed resources",
        load: async () => (await import("./commands/lock-list.js")).lockList,
      },
      {
        name: "show",
        summary: "show everything that is known about one resource",
        load: async () => (await import("./commands/lock-show.js")).lockShow,
      },
      {
        name: "retired",
        summary: "list the objects that are left behind in the service",
        load: async () => (await import("./commands/lock-retired.js")).lockRetired,
      },
      {
        name: "status",
        summary: "tell where the state is, who holds it and what that apply has done",
        load: async () => (await import("./commands/lock-status.js")).lockStatus,
      },
      {
        name: "history",
        summary: "list the versions of the lock",
        load: async () => (await import("./commands/lock-history.js")).lockHistory,
      },
      {
        name: "resolve",
        summary: "tell agentform an ID: of an unknown create, an object to take over, or single tools",
        load: async () => (await import("./commands/lock-resolve.js")).lockResolve,
      },
      {
        name: "restore",
        summary: "restore a lock that git has set back to an older version",
        load: async () => (await import("./commands/lock-restore.js")).lockRestore,
      },
      {
        name: "merge",
        summary: "merge the locks of two branches, also as git's merge driver",
        load: async () => (await import("./commands/lock-merge.js")).lockMerge,
      },
      {
        name: "move",
        summary: "move the states of all environments to a different store",
        load: async () => (await import("./commands/lock-move.js")).lockMove,
      },
      {
        name: "unlock",
        summary: "release a lock whose apply is certainly dead",
        load: async () => (await import("./commands/lock-unlock.js")).lockUnlock,
      },
    ],
  },
  {
    name: "drift",
    group: "state",
    summary: "show what somebody changed in the service since it was last sent",
    load: async () => (await import("./commands/drift.js")).drift,
  },
  {
    name: "prune",
    group: "state",
    summary: "delete what is left behind in the service and not used any more",
    load: async () => (await import("./commands/prune.js")).prune,
  },
  {
    name: "output",
    group: "state",
    summary: "give the IDs to applications, as JSON, variables or a module",
    load: async () => (await import("./commands/output.js")).output,
  },
  {
    name: "schema",
    group: "tools",
    summary: "print the JSON Schemas",
    load: async () => (await import("./commands/schema.js")).schema,
  },
  {
    name: "language-server",
    group: "tools",
    summary: "help an editor with the documents, over standard input and output",
    load: async () => (await import("./commands/language-server.js")).languageServer,
  },
  {
    name: "help",
    group: "tools",
    summary: "explain a command or a topic",
    load: async () => (await import("./commands/help.js")).helpOn(commands),
  },
  {
    name: "explain",
    group: "tools",
    summary: "explain the code of a diagnostic or note, or a field",
    load: async () => (await import("./commands/explain.js")).explain,
  },
  {
    name: "completion",
    group: "tools",
    summary: "print the script that completes lines in bash, zsh or fish",
    load: async () => (await import("./commands/completion.js")).completionOf(commands),
  },
];
