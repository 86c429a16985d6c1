import { Argument } from "commander";
import { defineCommand, type RunnableCommand } from "../command.js";
import type { CommandList } from "../command-entry.js";
import { findCandidates } from "../completion/candidates.js";
import { readKnownCommands } from "../completion/known-commands.js";
import { namesFrom } from "../completion/names-from.js";
import { shells } from "../completion/shells.js";
import { exitCode, UsageError } from "../exit-code.js";

type ShellName = keyof typeof shells;

interface CompletionRequest {
  readonly shell: ShellName;
  /** What the script asks with; missing where the script itself is asked for. */
  readonly asked?: readonly string[];
}

/** Makes the command that completes lines with all commands. */
export const completionOf = (commands: CommandList): RunnableCommand =>
  defineCommand<CompletionRequest>({
    about:
      "Load the script whenever the shell starts; in zsh behind compinit. Names of resources, environments, labels and IDs are those that the last command in the workspace found.",
    examples: [
      ["agentform completion bash", "~/.bashrc loads it with: source <(agentform completion bash)"],
      ["agentform completion zsh", "~/.zshrc, behind compinit: source <(agentform completion zsh)"],
      ["agentform completion fish > ~/.config/fish/completions/agentform.fish", "for fish"],
    ],
    documents: ["completion.md"],
    options(command) {
      command
        .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(shells)))
        .argument("[line...]", "what the script gives behind `--`; prints what the last word may become");
    },
    build([shell = "", ...asked]) {
      if (!Object.hasOwn(shells, shell)) throw new UsageError(`there is no completion for \`${shell}\``);
      return { shell: shell as ShellName, ...(asked.length > 0 && { asked }) };
    },
    async run({ shell, asked }, terminal) {
      const { script, answer } = shells[shell];
      if (!asked) {
        terminal.out(script);
        return exitCode.fine;
      }
      const program = await readKnownCommands(commands);
      const names = namesFrom(terminal);
      const lines = answer(asked, (words) => findCandidates(words, program, names));
      terminal.out(lines.map((line) => `${line}\n`).join(""));
      return exitCode.fine;
    },
  });
