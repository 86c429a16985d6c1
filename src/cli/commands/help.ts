import { defineCommand, type RunnableCommand } from "../command.js";
import type { CommandList } from "../command-entry.js";
import { exitCode } from "../exit-code.js";
import { topics } from "../help/topics.js";

/** Makes the command that explains commands and topics. */
export const helpOn = (commands: CommandList): RunnableCommand =>
  defineCommand<readonly string[]>({
    about:
      "Without words, lists the commands and the topics. It reads no file, so it works outside of a workspace. `agentform COMMAND --help` shows the same as `agentform help COMMAND`.",
    examples: [
      ["agentform help plan", "how to use one command"],
      ["agentform help lock show", "a command of two words"],
      ["agentform help references", "a topic"],
    ],
    documents: ["cli.md"],
    options(command) {
      command.argument("[words...]", `a command, or a topic: ${topics.map(({ name }) => name).join(", ")}`);
    },
    build: (words) => words,
    async run(words, terminal) {
      const { showHelp } = await import("../help/show-help.js");
      await showHelp(words, commands, terminal);
      return exitCode.fine;
    },
  });
