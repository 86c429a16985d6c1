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
    "Where `spec.lock.seal` names a key, all that changes or sends anything refuses a state that is not sealed with it. This begins the seal of a state, exchanges its key, or seals again what git has merged. It shows how the state differs from the newest one that is sealed, does nothing, and ends with 2, until it gets the digest of what it has shown; what the key before has sealed needs no look.",
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
      .option("--previous <key>", "the key before, as `${env:NAME}`")
      .option("--expect <digest>", "seal the state that was shown, and no other", readDigest);
    addResultFormat(command);
    addStoreOptions(command);
  },
  async run(_args, { previous, expect, ...flags }: SealFlags, terminal) {
    if (previous !== undefined && !/^\$\{env:[A-Za-z_][A-Za-z0-9_]*\}$/.test(previous)) {
      throw new UsageError("--previous names the variable with the key before, such as '${env:OLD_SEAL}'");
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
