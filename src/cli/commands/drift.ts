import { hasErrors } from "../../core/finding/diagnostic.js";
import { noOptions } from "../../core/plan/plan-options.js";
import { findDrift, type DriftResult } from "../../sync/drift.js";
import { collect, type CommonOptions, type RunnableCommand } from "../command.js";
import { exitCode, UsageError, type ExitCode } from "../exit-code.js";
import type { WriteFlags } from "../run-drift-write.js";
import { readAgreement, readDigest, type AgreementFlags } from "../options/agreement-options.js";
import { givenAmong, readAddresses, readSelector } from "../options/plan-options.js";
import { addServiceOptions, withService, type ServiceFlags } from "../options/service-options.js";
import { readWorkspaceOptions } from "../options/workspace-options.js";
import { fail, printDiagnostics } from "../output/print-diagnostics.js";
import { addPlanFormat, printSaved, readPlanFormat, type PlanFormatFlags } from "../output/print-plan.js";
import type { Terminal } from "../terminal/terminal.js";
import { openReading } from "../progress/read-progress.js";

interface DriftFlags extends CommonOptions, PlanFormatFlags, ServiceFlags, AgreementFlags {
  readonly out?: string;
  readonly detailedExitcode?: boolean;
  readonly target?: string[];
  readonly selector?: string[];
  readonly emulator?: boolean;
  readonly write?: boolean;
}

export const drift: RunnableCommand = {
  about:
    "Reads the managed objects and compares them with what was last sent. The manifest must say how the deployment reads objects. Nothing is changed without `--write`, which writes what was found into documents, patches, prompt files and the lock. The service is never changed.",
  examples: [
    [
      "agentform drift --out observed.json",
      "what differs, saved for `agentform plan --observed observed.json`",
    ],
    ["agentform drift --detailed-exitcode", "every night: ends with 2 if anything differs"],
    ["agentform drift --write", "keep it: show the edits of the files, ask, and write them"],
  ],
  documents: ["how-to/drift.md", "reference/deployments.md"],
  options(command) {
    command.option("--out <file>", "save what was found, for `plan --observed FILE`");
    addPlanFormat(command);
    command
      .option("--write", "write what was found into documents, patches and prompt files, and into the lock")
      .option("--yes", "with --write: agree to whatever there is to write; do not ask")
      .option(
        "--expect <digest>",
        "with --write: agree to the edits with this digest, and refuse all others; do not ask",
        readDigest,
      )
      .option("--detailed-exitcode", "0 no drift, 2 drift")
      .option("--target <addr>", "only this resource; may be repeated", collect)
      .option(
        "--selector <key=value>",
        "only resources with this label; may be repeated: of one key, any of the values is enough; several keys must all match",
        collect,
      )
      .option("--emulator", "read the emulator in this process, with its own lock");
    addServiceOptions(command);
  },
  async run(_args, flags: DriftFlags, terminal) {
    const options = {
      ...noOptions,
      target: readAddresses("--target", flags.target),
      selector: readSelector(flags.selector),
      emulator: flags.emulator === true,
    };
    const request = { ...readWorkspaceOptions(flags, terminal), ...readPlanFormat(flags), options };
    if (flags.write !== true) checkReading(flags);
    else {
      const { runDriftWrite } = await import("../run-drift-write.js");
      return await runDriftWrite({ ...request, ...readWriting(flags) }, flags, terminal);
    }
    return await withService(flags, request, terminal, async (service) => {
      const reading = openReading(terminal, request.color);
      const asked = { ...request, ...service, onRead: reading.read };
      const found = await findDrift(asked).finally(() => reading.end());
      if (!found.plan) return await fail(found.diagnostics, request, terminal);
      await printDiagnostics(found.diagnostics, request, terminal);
      const failure = await save(found, flags, request.directory, terminal);
      const failed = await printSaved(found.plan, request, failure, terminal);
      return failed ?? exitCodeOf(found, flags);
    });
  },
};

function checkReading(flags: DriftFlags): void {
  const given = givenAmong(flags, ["yes", "expect"]);
  if (given !== undefined) throw new UsageError(`${given} needs --write`);
}

function readWriting({ out, detailedExitcode, format, maxBytes, ...agreement }: DriftFlags): WriteFlags {
  if (out !== undefined)
    throw new UsageError("--out saves what was found, and cannot be combined with --write");
  if (format === "markdown" || format === "html") {
    throw new UsageError(`--format ${format} only shows the drift, and cannot be combined with --write`);
  }
  if (maxBytes !== undefined)
    throw new UsageError(
      "--max-bytes shortens what only shows the drift, and cannot be combined with --write",
    );
  return { ...readAgreement(agreement), detailedExitcode: detailedExitcode === true };
}

// Gives the reason if that fails.
async function save(
  { observation }: DriftResult,
  { out }: DriftFlags,
  workspace: string,
  { cwd }: Terminal,
): Promise<string | undefined> {
  if (out === undefined || !observation) return undefined;
  const { writeWritten } = await import("../files/written-file.js");
  const { observationFormat: mark, renderObservation } =
    await import("../../core/observation/observation.js");
  return writeWritten(renderObservation(observation), { file: out, cwd, workspace, mark });
}

function exitCodeOf({ plan, diagnostics }: DriftResult, { detailedExitcode }: DriftFlags): ExitCode {
  if (hasErrors(diagnostics)) return exitCode.invalid;
  return detailedExitcode && plan && plan.actions.length > 0 ? exitCode.pending : exitCode.fine;
}
