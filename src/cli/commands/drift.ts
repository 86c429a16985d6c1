import { hasErrors } from "../../core/finding/diagnostic.js";
import { noOptions } from "../../core/plan/plan-options.js";
import { findDrift, type DriftResult } from "../../sync/drift.js";
import type { PlanRequest } from "../../sync/request.js";
import { collect, defineCommand, type CommonOptions } from "../command.js";
import { exitCode, failureCode, type ExitCode } from "../exit-code.js";
import { readAddresses, readSelectors } from "../options/plan-options.js";
import { addServiceOptions, openService, type ServiceFlags } from "../options/service-options.js";
import { readWorkspaceOptions, type WorkspaceRequest } from "../options/workspace-options.js";
import { printDiagnostics, printFailure } from "../output/print-diagnostics.js";
import {
  addPlanFormat,
  printPlan,
  readPlanFormat,
  type PlanFormatFlags,
  type PlanPrinting,
} from "../output/print-plan.js";
import { openReading } from "../progress/reading.js";
import type { Terminal } from "../terminal/terminal.js";

interface DriftFlags extends CommonOptions, PlanFormatFlags, ServiceFlags {
  readonly out?: string;
  readonly detailedExitcode?: boolean;
  readonly target?: string[];
  readonly selector?: string[];
  readonly emulator?: boolean;
}

interface DriftCommandRequest extends PlanRequest, WorkspaceRequest, PlanPrinting {
  readonly service: ServiceFlags;
  /** The file to save what was found in, as given by the user. */
  readonly out: string | undefined;
  readonly detailedExitCode: boolean;
}

export const drift = defineCommand<DriftCommandRequest>({
  about:
    "Reads the managed objects and compares them with what was last sent. The manifest must say how the deployment reads objects. Nothing is changed.",
  examples: [
    ["agentform drift", "what differs"],
    ["agentform drift --out observed.json", "save it, for `agentform plan --observed observed.json`"],
    ["agentform drift --detailed-exitcode", "every night: ends with 2 if anything differs"],
  ],
  documents: ["drift.md", "deployments.md"],
  options(command) {
    command.option("--out <file>", "save what was found, for `plan --observed FILE`");
    addPlanFormat(command);
    command
      .option("--detailed-exitcode", "0 no drift, 2 drift")
      .option("--target <addr>", "only this resource; may be repeated", collect)
      .option(
        "--selector <key=value>",
        "only resources with this label; may be repeated: of one key any value, of several keys each",
        collect,
      )
      .option("--emulator", "read the emulator in this process, with its own lock");
    addServiceOptions(command);
  },
  build(_args, flags: DriftFlags, terminal) {
    const options = {
      ...noOptions,
      target: readAddresses("--target", flags.target),
      selector: readSelectors(flags.selector),
      emulator: flags.emulator === true,
    };
    return {
      ...readWorkspaceOptions(flags, terminal),
      ...readPlanFormat(flags),
      options,
      service: flags,
      out: flags.out,
      detailedExitCode: flags.detailedExitcode === true,
    };
  },
  async run(request, terminal) {
    const opened = await openService(request.service, request, terminal);
    if (!opened.ok) {
      await printFailure(opened.diagnostics, request, terminal);
      return exitCode.invalid;
    }
    const { service } = opened;
    const reading = openReading(terminal, request.color);
    try {
      const found = await findDrift({ ...request, ...service, onRead: reading.read });
      reading.end();
      return await report(found, request, terminal);
    } finally {
      reading.end();
      await service.close();
    }
  },
});

async function report(
  { plan, observation, diagnostics }: DriftResult,
  request: DriftCommandRequest,
  terminal: Terminal,
): Promise<ExitCode> {
  await (plan ? printDiagnostics : printFailure)(diagnostics, request, terminal);
  if (!plan || !observation) return failureCode(diagnostics);
  await printPlan(plan, request, terminal);
  const { out } = request;
  if (out !== undefined) {
    const { writeWritten } = await import("../files/written-file.js");
    const { observationFormat: mark, renderObservation } =
      await import("../../core/observation/observation.js");
    const written = { file: out, cwd: terminal.cwd, workspace: request.directory, mark };
    const failure = writeWritten(renderObservation(observation), written);
    if (failure !== undefined) {
      terminal.err(`error: ${failure}\n`);
      return exitCode.invalid;
    }
  }
  if (hasErrors(diagnostics)) return exitCode.invalid;
  return request.detailedExitCode && plan.actions.length > 0 ? exitCode.pending : exitCode.fine;
}
