import { sealState } from "../../sync/lock/seal.js";
import type { RunnableCommand } from "../command.js";
import { exitCode, UsageError } from "../exit-code.js";
import { printRepair } from "../output/repair.js";
import { readDigest } from "../options/agreement-options.js";
import { addStoreOptions, readLockOptions, type LockFlags } from "../options/lock-options.js";
import { shellLine } from "../../core/finding/shell-word.js";
import { agreeing } from "../output/agreement.js";
import { printDiagnostics } from "../output/print-diagnostics.js";
import { addResultFormat, printResult } from "../output/result.js";

interface SealFlags extends LockFlags {
  readonly previous?: string;
  readonly expect?: string;
}

export const lockSeal: RunnableCommand = {
  about:
    "Where `spec.lock.seal` names a key, every command that changes or sends anything refuses a state that is not sealed with it. This one seals a state for the first time, with a new key, or after git has merged it. Without `--expect` it only shows how the state differs from the newest one that is sealed, and ends with 2; with the digest of what it has shown, it seals. A state that the previous key has sealed needs no look.",
  examples: [
    ["agentform lock seal", "show what is not sealed, and what to run then"],
    [
      "agentform lock seal --previous '${env:OLD_SEAL}'",
      "exchange the key: `spec.lock.seal` names the new one",
    ],
  ],
  documents: ["explanation/state.md", "how-to/rotate-a-secret.md"],
  options(command) {
    command
      .option("--previous <key>", "the previous key, as `${env:NAME}`")
      .option("--expect <digest>", "seal the state that was shown, and no other", readDigest);
    addResultFormat(command);
    addStoreOptions(command);
  },
  async run(_args, { previous, expect, ...flags }: SealFlags, terminal) {
    if (previous !== undefined && !/^\$\{env:[A-Za-z_][A-Za-z0-9_]*\}$/.test(previous)) {
      throw new UsageError("--previous names the variable with the previous key, such as '${env:OLD_SEAL}'");
    }
    const request = {
      ...readLockOptions(flags, terminal),
      ...(previous !== undefined && { previous }),
      ...(expect !== undefined && { expect }),
    };
    const { status, unsealed, ...ended } = await sealState(request);
    if (status !== "shown") return await printRepair({ status, ...ended }, request, terminal);
    await printDiagnostics(ended.diagnostics, request, terminal);
    if (!unsealed) return exitCode.pending;
    const { renderUnsealed } = await import("../../render/lock/lock-seal-text.js");
    const { unsealedJson } = await import("../../render/lock/repair-json.js");
    const command = agreeing(unsealed.digest, terminal);
    const text = () => renderUnsealed(unsealed, shellLine(command), request.color);
    await printResult({ text, json: () => unsealedJson(unsealed, command) }, request, terminal);
    return exitCode.pending;
  },
};
