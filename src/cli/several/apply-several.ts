import { relative } from "node:path";
import { shellWord } from "../../core/finding/shell-word.js";
import { environmentOf } from "../../core/resources/environment-name.js";
import { inFolder } from "../../core/resources/files-from-top.js";
import { locate } from "../../core/position/position.js";
import type { Diagnostic } from "../../core/finding/diagnostic.js";
import type { Plan } from "../../core/plan/plan.js";
import { recordedSettings } from "../../core/plan/plan-summary.js";
import { buildPlans, type Plans } from "../../core/review/plans.js";
import {
  renderConfirmLine,
  renderDiagnosticsLine,
  renderPlanLine,
  renderSummaryLine,
  renderVersionLine,
} from "../../render/apply/apply-json.js";
import { renderApplySummary } from "../../render/apply/apply-text.js";
import { safeLine } from "../../render/words/terminal-text.js";
import { notExpected, type Proposal } from "../../sync/agreement.js";
import {
  applyInOrder,
  planInOrder,
  sumOfEnds,
  withoutUnselected,
  type AgreedMember,
  type MemberEnd,
} from "../../sync/several.js";
import type { ApplyResult, ServiceAccess } from "../../sync/request.js";
import { version } from "../../version.js";
import { exitCode, type ExitCode } from "../exit-code.js";
import { unusableCertificates, withOpenService } from "../options/service-options.js";
import { askToAgree } from "../output/agreement.js";
import { openApplyOutput, type ApplyOutput } from "../output/apply-output.js";
import { printDiagnostics } from "../output/print-diagnostics.js";
import { printPlansText } from "../output/print-plan.js";
import {
  applyShown,
  exitCodeOf,
  refuseApply,
  watchSignals,
  type CommandRun,
  type Signals,
} from "../run-apply.js";
import type { Terminal } from "../terminal/terminal.js";
import { countsText, endedWorkspace, gravest, whyNotBegun } from "./member-ends.js";
import type { Members } from "./members.js";

/** What a command line that applies several workspaces says of all of them. */
type SeveralRun = Pick<
  CommandRun,
  "environment" | "format" | "color" | "maxBytes" | "yes" | "expect" | "service"
>;

/** Applies several workspaces in the order of their uses: shows all plans, asks once, and runs what was agreed to. */
export async function runSeveral(
  { members, leftOut, refusals }: Members<CommandRun>,
  run: SeveralRun,
  terminal: Terminal,
): Promise<ExitCode> {
  const unusable = [...(await unusableCertificates(run.service, terminal)), ...refusals];
  if (unusable.length > 0) return await refuseApply(unusable, run, terminal);
  const signals = watchSignals(terminal);
  try {
    const proposals = new Map<string, Proposal<Plan>>();
    const planned = await planInOrder(members, (request, folder) =>
      preview({ ...request, drain: signals.drain }, (proposal) => proposals.set(folder, proposal), terminal),
    );
    const { made, leftOut: left } = withoutUnselected(planned, leftOut);
    const all = made.flatMap(({ member: { folder }, result: { diagnostics } }) =>
      inFolder([...diagnostics, ...(proposals.get(folder)?.diagnostics ?? [])], folder),
    );
    const agreed = made.flatMap(({ member, result }) => {
      const { plan, status } = result;
      return plan && (status === "pending" || status === "unchanged")
        ? [{ member, result: { ...result, plan } }]
        : [];
    });
    if (agreed.length < made.length) return await refuse(made, all, run, terminal);
    const plans = buildPlans(
      environmentOf(run.environment ?? "default"),
      agreed.map(({ member: { folder }, result: { plan } }) => ({ folder, plan })),
      left,
    );
    const isYes = [...proposals.values()].every(({ isAgreed }) => isAgreed);
    const answer = await agree(
      { plans, diagnostics: all, isYes, isIdle: proposals.size === 0, stop: signals.drain },
      run,
      terminal,
    );
    if (answer !== undefined) return signals.drain.aborted ? exitCode.interrupted : answer;
    return await applyAll(agreed, run, signals, terminal);
  } finally {
    signals.stop();
  }
}

// Makes the plan and all checks of an apply, which ends where it would ask.
async function preview(
  request: CommandRun,
  keep: (proposal: Proposal<Plan>) => void,
  terminal: Terminal,
): Promise<ApplyResult> {
  const { expect: _whole, ...own } = request;
  const wait = async (proposal: Proposal<Plan>) => {
    keep(proposal);
    return "pending" as const;
  };
  const run = (service: ServiceAccess) => applyShown(own, service, undefined, wait, terminal);
  return await withOpenService(own.service, own, terminal, run);
}

async function refuse(
  planned: readonly { readonly result: ApplyResult }[],
  diagnostics: readonly Diagnostic[],
  run: SeveralRun,
  terminal: Terminal,
): Promise<ExitCode> {
  await refuseApply(diagnostics, run, terminal);
  return gravest(
    planned.map(({ result }) => exitCodeOf(result, {})).filter((code) => code !== exitCode.pending),
  );
}

interface AskedForSeveral {
  readonly plans: Plans;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether each of them was agreed to beforehand. */
  readonly isYes: boolean;
  /** Whether there is nothing to do. */
  readonly isIdle: boolean;
  readonly stop: AbortSignal;
}

// Gives how the command ends; undefined if it was agreed to.
async function agree(
  { plans, diagnostics, isYes, isIdle, stop }: AskedForSeveral,
  { expect, format, color, maxBytes }: SeveralRun,
  terminal: Terminal,
): Promise<ExitCode | undefined> {
  if (expect !== undefined && expect !== plans.digest) {
    const other = locate([notExpected(plans.digest, expect, { expect })]);
    await refuseApply([...diagnostics, ...other], { format, color }, terminal);
    return exitCode.moved;
  }
  if (format === "text") {
    await printDiagnostics(diagnostics, { color }, terminal);
    await printPlansText(plans, color, terminal);
    terminal.out("\n");
  }
  if (isIdle || expect !== undefined || isYes) return undefined;
  const answer = await askToAgree(
    {
      digest: plans.digest,
      format,
      stop,
      verb: "apply",
      async before() {
        const { renderQuestionOfSeveral } = await import("../../render/apply/apply-question.js");
        for (const line of renderQuestionOfSeveral(plans)) terminal.out(`${line}\n`);
      },
      async tell(command) {
        await printDiagnostics(diagnostics, { color }, terminal);
        const notes = plans.plans.flatMap(({ plan }) => plan.notes);
        terminal.out(renderVersionLine(version));
        if (diagnostics.length > 0) terminal.out(renderDiagnosticsLine(diagnostics));
        terminal.out(renderPlanLine(plans, maxBytes) + renderConfirmLine({ ...plans, notes }, command));
      },
    },
    terminal,
  );
  if (answer === true) return undefined;
  if (answer === false) terminal.err("Nothing was applied.\n");
  return answer === "pending" ? exitCode.pending : exitCode.invalid;
}

async function applyAll(
  agreed: readonly AgreedMember<CommandRun>[],
  run: SeveralRun,
  { drain, halt }: Signals,
  terminal: Terminal,
): Promise<ExitCode> {
  const isJson = run.format === "json";
  if (isJson) terminal.out(renderVersionLine(version));
  const applyOne = async (request: CommandRun, folder: string) => {
    const output = await openMemberOutput(folder, request, terminal);
    const above: Terminal = { ...terminal, err: (text) => output.err(text) };
    const begin = async (proposal: Proposal<Plan>) => proposal.isAgreed;
    const own = { ...request, drain, halt };
    const apply = (service: ServiceAccess) => applyShown(own, service, output, begin, above);
    try {
      return await withOpenService(own.service, own, above, apply);
    } finally {
      output.close();
    }
  };
  const ends: MemberEnd[] = [];
  for await (const end of applyInOrder(agreed, applyOne, drain)) {
    ends.push(end);
    const why = whyNotBegun(end);
    if (why !== undefined) terminal.err(`${safeLine(`${end.folder}: not begun, because ${why}`)}\n`);
  }
  for (const { folder, result } of ends) {
    const member = agreed.find((each) => each.member.folder === folder)?.member;
    if (!member || (result?.summary?.unknown ?? 0) === 0) continue;
    const where = shellWord(relative(terminal.cwd, member.request.directory) || ".");
    terminal.err(`${safeLine(`${folder}: the commands above that resolve it need \`-C ${where}\` here`)}\n`);
  }
  const sum = sumOfEnds(ends);
  const isWhole = ends.every(({ status }) => status === "applied" || status === "unchanged");
  if (isJson) terminal.out(renderSummaryLine(sum, ends.map(endedWorkspace)));
  else {
    const recorded = ends.reduce(
      (count, { result }) => count + (result?.plan ? recordedSettings(result.plan) : 0),
      0,
    );
    terminal.out(`${renderApplySummary(sum, { color: run.color, isWhole, recorded })} ${countsText(ends)}\n`);
  }
  if (drain.aborted) return exitCode.interrupted;
  return gravest(ends.map(({ result }) => (result ? exitCodeOf(result, {}) : exitCode.invalid)));
}

// What is told of a workspace names its files from the top.
async function openMemberOutput(
  folder: string,
  request: CommandRun,
  terminal: Terminal,
): Promise<ApplyOutput> {
  const output = await openApplyOutput({ ...request, folder }, terminal);
  const named = <Report extends { readonly diagnostics: readonly Diagnostic[] }>(told: Report) => ({
    ...told,
    diagnostics: inFolder(told.diagnostics, folder),
  });
  return {
    ...output,
    begin: (plan) => output.begin(named(plan)),
    end: (result) => output.end(named(result)),
  };
}
