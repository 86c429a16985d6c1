import { hasErrors } from "../../core/finding/diagnostic.js";
import { noOptions } from "../../core/plan/plan-options.js";
import { findDrift, type DriftResult } from "../../sync/drift.js";
import { collect, type CommonOptions, type RunnableCommand } from "../command.js";
import { exitCode, type ExitCode } from "../exit-code.js";
import { readAddresses, readSelector } from "../options/plan-options.js";
import { addServiceOptions, withService, type ServiceFlags } from "../options/service-options.js";
import { readWorkspaceOptions } from "../options/workspace-options.js";
import { fail, printDiagnostics } from "../output/print-diagnostics.js";
import { addPlanFormat, printSaved, readPlanFormat, type PlanFormatFlags } from "../output/print-plan.js";
import type { Terminal } from "../terminal/terminal.js";
import { renderReading, renderReadingLine } from "../../render/apply/reading-text.js";
import { openLateText } from "../progress/late-text.js";
import type { LiveText } from "../progress/live-text.js";

interface DriftFlags extends CommonOptions, PlanFormatFlags, ServiceFlags {
  readonly out?: string;
  readonly detailedExitcode?: boolean;
  readonly target?: string[];
  readonly selector?: string[];
  readonly emulator?: boolean;
}

export const drift: RunnableCommand = {
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
  async run(_args, flags: DriftFlags, terminal) {
    const options = {
      ...noOptions,
      target: readAddresses("--target", flags.target),
      selector: readSelector(flags.selector),
      emulator: flags.emulator === true,
    };
    const request = { ...readWorkspaceOptions(flags, terminal), ...readPlanFormat(flags), options };
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

// Shows on standard error how many objects were read: a bar on a terminal, and elsewhere a line at the end.
interface ReadProgress {
  /** Takes note of one more object that was read. */
  readonly read: (done: number, all: number) => void;
  /** Removes the bar, or prints the line. */
  end(): void;
}

// Begins to show how many objects were read.
function openReading(terminal: Terminal, color: boolean): ReadProgress {
  const counts = { done: 0, all: 0 };
  let live: LiveText | undefined;
  return {
    read(done, all) {
      Object.assign(counts, { done, all });
      if (!terminal.showsProgress) return;
      live ??= openLateText(terminal, ({ columns }) => renderReading(counts, { columns, color }));
    },
    end() {
      live?.end();
      if (!terminal.showsProgress && counts.all > 0) terminal.err(`${renderReadingLine(counts)}\n`);
    },
  };
}
