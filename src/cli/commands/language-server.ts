import { stdin as input, stdout as output } from "node:process";
import type { ServerOptions } from "../../editor/editor-workspaces.js";
import { defineCommand, type CommonOptions } from "../command.js";
import { exitCode, UsageError } from "../exit-code.js";
import { readWorkspaceOptions } from "../options/workspace-options.js";

export const languageServer = defineCommand<ServerOptions>({
  options(command) {
    command.option("--stdio", "accepted because editors add it; the server has no other way to speak");
  },
  build(_args, options: CommonOptions, terminal) {
    if (terminal.canAsk) throw new UsageError("an editor starts the language server and speaks with it");
    const {
      directory,
      environment = null,
      variables = new Map(),
    } = readWorkspaceOptions({ ...options, cache: false }, terminal);
    // Without `-C` each file belongs to the workspace that it is in.
    return { environment, variables, ...(options.workspace !== undefined && { directory }) };
  },
  async run(options) {
    const { serve } = await import("../../editor/serve.js");
    await serve(options, { input, output });
    return exitCode.fine;
  },
});
