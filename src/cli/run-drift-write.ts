import { hasErrors, type Diagnostic } from "../core/finding/diagnostic.js";
import {
  writeDrift,
  type ShownDrift,
  type WriteDriftRequest,
  type WriteDriftResult,
} from "../sync/write-drift.js";
import { exitCode, failureCode, type ExitCode } from "./exit-code.js";
import { withService, type ServiceFlags } from "./options/service-options.js";
import type { WorkspaceRequest } from "./options/workspace-options.js";
import { askToAgree } from "./output/agreement.js";
import { failAs, printDiagnostics } from "./output/print-diagnostics.js";
import { printPlan, type PlanPrinting } from "./output/print-plan.js";
import { openReading } from "./progress/read-progress.js";
import { jsonText } from "../render/words/json-text.js";
import type { Terminal } from "./terminal/terminal.js";

/** How edits are agreed to, and how the command ends. */
export interface WriteFlags extends Pick<WriteDriftRequest, "yes" | "expect"> {
  readonly detailedExitcode: boolean;
}

type DriftWrite = WorkspaceRequest & PlanPrinting & WriteFlags & Pick<WriteDriftRequest, "options">;

/** Shows the edits that keep what somebody changed in the service, asks, and makes them. */
export async function runDriftWrite(
  request: DriftWrite,
  flags: ServiceFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const { writtenSchema } = await import("../render/results/documents-yaml.js");
  return await withService(flags, request, terminal, async (service) => {
    const reading = openReading(terminal, request.color);
    const result = await writeDrift({
      ...request,
      ...service,
      schema: writtenSchema,
      onRead: reading.read,
      async confirm({ shown, digest, diagnostics, isAgreed }) {
        reading.end();
        await show(shown, diagnostics, request, terminal);
        if (isAgreed) return true;
        const { driftWriteJson } = await import("../render/results/drift-write-json.js");
        const tell = (command: readonly string[]) => {
          const ending = { type: "confirm" as const, digest, command: [...command] };
          terminal.out(jsonText(driftWriteJson(written(shown, diagnostics), ending)));
        };
        return await askToAgree({ digest, format: request.format, verb: "write", tell }, terminal);
      },
    }).finally(() => reading.end());
    return await printEnd(result, request, terminal);
  });
}

async function show(
  shown: ShownDrift,
  diagnostics: readonly Diagnostic[],
  request: DriftWrite,
  terminal: Terminal,
): Promise<void> {
  await printDiagnostics(diagnostics, request, terminal);
  if (request.format !== "text") return;
  const { renderDriftWrite } = await import("../render/results/drift-write-text.js");
  // The digest that is shown is the one to agree to.
  await printPlan({ ...shown.plan, digest: shown.kept.digest }, request, terminal);
  terminal.out(`\n${renderDriftWrite(written(shown), request.color)}`);
}

function written(shown: ShownDrift, diagnostics = shown.diagnostics) {
  const isLeft = ({ code }: Diagnostic) => code === "drift-unwritten";
  return {
    ...shown,
    left: diagnostics.filter(isLeft),
    diagnostics: diagnostics.filter((each) => !isLeft(each)),
  };
}

async function printEnd(
  { status, shown, diagnostics }: WriteDriftResult,
  request: DriftWrite,
  terminal: Terminal,
): Promise<ExitCode> {
  if (status === "declined") return exitCode.invalid;
  if (status === "moved" || status === "refused" || !shown) {
    return await failAs({ status: status === "moved" ? status : "refused", diagnostics }, request, terminal);
  }
  if (status === "pending") return exitCode.pending;
  await printDiagnostics(diagnostics, request, terminal);
  if (request.format === "json") {
    const { driftWriteJson } = await import("../render/results/drift-write-json.js");
    terminal.out(jsonText(driftWriteJson(written(shown), { type: status })));
  } else if (status === "unchanged") {
    await printPlan(shown.plan, request, terminal);
    terminal.out("There is nothing to write.\n");
  } else if (status === "done") {
    terminal.out("\nWritten. `agentform plan` shows what else differs, if anything does.\n");
  }
  return endCode(shown.diagnostics, request);
}

function endCode(diagnostics: readonly Diagnostic[], { detailedExitcode }: WriteFlags): ExitCode {
  if (hasErrors(diagnostics)) return failureCode(diagnostics);
  const isLeft = diagnostics.some(({ code }) => code === "drift-unwritten");
  return detailedExitcode && isLeft ? exitCode.pending : exitCode.fine;
}
