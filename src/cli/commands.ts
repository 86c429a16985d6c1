import type { RunnableCommand } from "./command.js";

/** A command as the help lists it; its file is loaded when it runs. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<RunnableCommand>;
}

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
