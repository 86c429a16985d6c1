import type { CommandList, RunnableCommand } from "../command.js";
import { exitCode } from "../exit-code.js";
import { topics } from "../help/topics.js";

/** Makes the command that explains commands and topics. */
export function helpOn(commands: CommandList): RunnableCommand {
  return {
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
    async run(words, _flags, terminal) {
      const { showHelp } = await import("../help/show-help.js");
      await showHelp(words, commands, terminal);
      return exitCode.fine;
    },
  };
}
