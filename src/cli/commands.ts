import type { RunnableCommand } from "./command.js";

/** A command as the help lists it; its file is loaded when it runs. */
export interface SingleCommand {
  readonly name: string;
  readonly summary: string;
  load(): Promise<RunnableCommand>;
}

/** Commands that share their first word, such as `lock list`. */
interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly CommandEntry[];
}

export type CommandEntry = SingleCommand | CommandGroup;

/** The commands, in the order of the help. */
export const commands: readonly CommandEntry[] = [
  {
    name: "init",
    summary: "make a new workspace with one of each kind",
    load: async () => (await import("./commands/init.js")).init,
  },
  {
    name: "validate",
    summary: "find everything that can be wrong without a lock",
    load: async () => (await import("./commands/validate.js")).validate,
  },
  {
    name: "plan",
    summary: "show what an apply would change",
    load: async () => (await import("./commands/plan.js")).plan,
  },
  {
    name: "apply",
    summary: "plan, ask, and bring the service to what the workspace says",
    load: async () => (await import("./commands/apply.js")).apply,
  },
  {
    name: "show",
    summary: "show a saved plan",
    load: async () => (await import("./commands/show.js")).show,
  },
  {
    name: "comment",
    summary: "show a saved plan as the comment of its pull request or merge request",
    load: async () => (await import("./commands/comment.js")).comment,
  },
  {
    name: "graph",
    summary: "draw which resource refers to which",
    load: async () => (await import("./commands/graph.js")).graph,
  },
  {
    name: "lock",
    summary: "show the state, and mend it",
    commands: [
      {
        name: "list",
        summary: "list what is managed",
        load: async () => (await import("./commands/lock-list.js")).lockList,
      },
      {
        name: "show",
        summary: "show all that is known of one resource",
        load: async () => (await import("./commands/lock-show.js")).lockShow,
      },
      {
        name: "retired",
        summary: "list the objects that were left behind in the service",
        load: async () => (await import("./commands/lock-retired.js")).lockRetired,
      },
      {
        name: "adopt",
        summary: "take over objects that exist already",
        load: async () => (await import("./commands/lock-adopt.js")).lockAdopt,
      },
      {
        name: "resolve",
        summary: "say what became of a create of unknown outcome",
        load: async () => (await import("./commands/lock-resolve.js")).lockResolve,
      },
      {
        name: "map",
        summary: "say which tool of a set is which operation",
        load: async () => (await import("./commands/lock-map.js")).lockMap,
      },
      {
        name: "restore",
        summary: "bring a lock forward that git has set back",
        load: async () => (await import("./commands/lock-restore.js")).lockRestore,
      },
      {
        name: "merge",
        summary: "join the lock of two branches, also as git's merge driver",
        load: async () => (await import("./commands/lock-merge.js")).lockMerge,
      },
      {
        name: "unlock",
        summary: "take the lock away from an apply that is certainly dead",
        load: async () => (await import("./commands/lock-unlock.js")).lockUnlock,
      },
    ],
  },
  {
    name: "emulator",
    summary: "run the service on loopback, to try things out",
    load: async () => (await import("./commands/emulator.js")).emulator,
  },
  {
    name: "schema",
    summary: "print the JSON Schemas",
    load: async () => (await import("./commands/schema.js")).schema,
  },
];
