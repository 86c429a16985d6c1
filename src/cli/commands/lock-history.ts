import { listVersions } from "../../sync/lock/versions.js";
import { defineCommand } from "../command.js";
import { exitCode } from "../exit-code.js";
import {
  addLockViewOptions,
  readLockViewOptions,
  type LockViewFlags,
  type LockViewRequest,
} from "../options/lock-options.js";
import { printDiagnostics, printFailure } from "../output/print-diagnostics.js";

export const lockHistory = defineCommand<LockViewRequest>({
  about:
    "Shows serial, time and writer of each. A lock in files has its versions in the commits of git; most other stores keep their own.",
  examples: [
    ["agentform lock history", "of the default environment"],
    ["agentform lock history --format json", "for a script"],
  ],
  documents: ["state.md"],
  options: addLockViewOptions,
  build: (_args, flags: LockViewFlags, terminal) => readLockViewOptions(flags, terminal),
  async run(request, terminal) {
    const { versions, source = "", workspace, environment, diagnostics } = await listVersions(request);
    await (versions ? printDiagnostics : printFailure)(diagnostics, request, terminal);
    if (!versions) return exitCode.invalid;
    if (request.format === "json") {
      const { renderLockHistoryJson } = await import("../../render/lock/lock-json.js");
      terminal.out(renderLockHistoryJson({ workspace, environment, source, versions }));
    } else {
      const { renderLockHistoryText } = await import("../../render/lock/lock-history-text.js");
      terminal.out(renderLockHistoryText(source, versions));
    }
    return exitCode.fine;
  },
});
