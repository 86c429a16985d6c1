import type { CommandList, CommonOptions, RunnableCommand } from "../command.js";
import { exitCode } from "../exit-code.js";
import { addResultFormat, type ResultFlags } from "../output/result.js";
import { topics } from "../help/topics.js";

/** Makes the command that explains commands and topics. */
export function helpOn(commands: CommandList): RunnableCommand {
  return {
    about:
      "Without words, lists the commands and the topics. It reads no file, so it works outside of a workspace. `agentform COMMAND --help` shows the same as `agentform help COMMAND`.",
    examples: [
      ["agentform help plan", "how to use one command"],
      ["agentform help lock show", "a command of two words"],
      ["agentform help --format json", "all commands with their options and what they do, for programs"],
    ],
    documents: ["reference/cli.md"],
    options(command) {
      command.argument("[words...]", `a command, or a topic: ${topics.map(({ name }) => name).join(", ")}`);
      addResultFormat(command);
    },
    async run(words, { format }: CommonOptions & ResultFlags, terminal) {
      const { showHelp } = await import("../help/show-help.js");
      await showHelp(words, commands, { format }, terminal);
      return exitCode.fine;
    },
  };
}
