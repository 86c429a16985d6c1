import { Argument } from "commander";
import type { CommandList, RunnableCommand } from "../command.js";
import { readKnownCommands } from "../completion/known-commands.js";
import { findCandidates, type NameSource } from "../completion/candidates.js";
import { shells } from "../completion/shells.js";
import { exitCode, UsageError } from "../exit-code.js";
import { homedir } from "node:os";
import { join } from "node:path";
import { unlessFailing } from "../../disk/unless-failing.js";
import { readNames } from "../../workspace/known-names.js";
import { usableCache } from "../../workspace/cache/cache-folder.js";
import { workspaceDirectory } from "../options/workspace-directory.js";
import type { Terminal } from "../terminal/terminal.js";

/** Makes the command that completes lines with all commands. */
export function completionOf(commands: CommandList): RunnableCommand {
  return {
    about:
      "Load the script whenever the shell starts; in zsh behind compinit. Names of resources, environments, labels and IDs are those that the last command in the workspace found.",
    examples: [
      ["agentform completion bash", "~/.bashrc loads it with: source <(agentform completion bash)"],
      ["agentform completion zsh", "~/.zshrc, behind compinit: source <(agentform completion zsh)"],
      ["agentform completion fish > ~/.config/fish/completions/agentform.fish", "for fish"],
    ],
    documents: ["how-to/completion.md"],
    options(command) {
      command
        .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(shells)))
        .argument(
          "[line...]",
          "the words of the line, as the script gives them behind `--`; prints what may complete the last one",
        );
    },
    async run([name = "", ...asked], _flags, terminal) {
      const shell = shells[name];
      if (!shell) throw new UsageError(`there is no completion for \`${name}\``);
      if (asked.length === 0) {
        terminal.out(shell.script);
        return exitCode.fine;
      }
      const program = await readKnownCommands(commands);
      const names = namesFrom(terminal);
      const lines = shell.answer(asked, (words) => findCandidates(words, program, names));
      terminal.out(lines.map((line) => `${line}\n`).join(""));
      return exitCode.fine;
    },
  };
}

/** Takes names from the cache, without a look at the workspace; there are none where the cache cannot be used. */
function namesFrom(terminal: Pick<Terminal, "cwd" | "env">): NameSource {
  return (of, { workspace, environment = null, isEmulated, usesCache }) => {
    if (!usesCache) return {};
    const given = workspace === undefined ? undefined : fromHome(workspace);
    // A folder that this user may not enter has no names either.
    const found = unlessFailing(() => {
      const { directory } = workspaceDirectory(given, terminal);
      return { directory, cacheFolder: usableCache(directory, terminal.env) };
    });
    if (found?.cacheFolder === undefined) return {};
    const { directory, cacheFolder } = found;
    const part = of === "state" && isEmulated ? "emulated-state" : of;
    return readNames(part, { directory, environment, cacheFolder });
  };
}

// The line is not expanded, so that a folder is the only thing that a tilde can mean here.
function fromHome(folder: string): string {
  return folder === "~" || folder.startsWith("~/") ? join(homedir(), folder.slice(1)) : folder;
}
