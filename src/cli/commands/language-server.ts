import { stdin as input, stdout as output } from "node:process";
import type { RunnableCommand } from "../command.js";
import { exitCode, UsageError } from "../exit-code.js";
import { readWorkspaceOptions } from "../options/workspace-options.js";

export const languageServer: RunnableCommand = {
  about:
    "Editors start it; it speaks the Language Server Protocol: problems as you type, go to definition, references, rename, completion inside `${…}`.",
  examples: [
    ["agentform language-server", "what an editor starts"],
    ["agentform language-server -e production", "with the variables and patches of one environment"],
  ],
  documents: ["how-to/editors.md"],
  options(command) {
    command.option("--stdio", "accepted because editors add it; the server has no other way to speak");
  },
  async run(_args, flags, terminal) {
    if (terminal.canAsk) throw new UsageError("an editor starts the language server and speaks with it");
    const {
      directory,
      environment = null,
      variables = new Map(),
    } = readWorkspaceOptions({ ...flags, workspace: flags.workspace ?? ".", cache: false }, terminal);
    const { serve } = await import("../../editor/serve.js");
    // Without `-C` each file belongs to the workspace that it is in.
    const options = { environment, variables, ...(flags.workspace !== undefined && { directory }) };
    await serve(options, { input, output });
    return exitCode.fine;
  },
};
