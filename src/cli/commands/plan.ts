import { dirname, resolve } from "node:path";
import { nearest } from "../../core/finding/nearest.js";
import { hasErrors } from "../../core/finding/diagnostic.js";
import { environmentOf } from "../../core/resources/environment-name.js";
import { effects } from "../../core/guardrails/rule.js";
import type { Plan } from "../../core/plan/plan.js";
import type { MemberPlan } from "../../core/review/plans.js";
import type { AnySaved } from "../../core/review/saved-plan.js";
import { hasChanges } from "../../core/plan/plan-summary.js";
import { noteCodes } from "../../generated/codes.js";
import { compare, plan as buildPlan } from "../../sync/plan.js";
import type { RunnableCommand } from "../command.js";
import { printPlanDetails, startStages } from "../output/detail.js";
import { exitCode, UsageError, type ExitCode } from "../exit-code.js";
import { orMeant } from "../near-miss.js";
import {
  addPlanOptions,
  givenAmong,
  readPlanOptions,
  shaping,
  type PlanFlags,
} from "../options/plan-options.js";
import { addStoreOptions, readStoreOptions, type StoreFlags } from "../options/lock-options.js";
import { fail, printDiagnostics } from "../output/print-diagnostics.js";
import {
  addPlanFormat,
  htmlOfOne,
  printPlan,
  printSaved,
  readPlanFormat,
  type PlanFormatFlags,
} from "../output/print-plan.js";
import { safeLine } from "../../render/words/terminal-text.js";
import { withRemoved } from "../several/removed-ones.js";
import {
  addAllOption,
  namesSeveral,
  ofOne,
  refuseOfOne,
  type SeveralFlags,
} from "../several/several-options.js";
import { wantsColor, type Terminal } from "../terminal/terminal.js";

interface PlanCommandFlags extends SeveralFlags, PlanFlags, PlanFormatFlags, StoreFlags {
  readonly detailedExitcode?: boolean;
  readonly failOn?: readonly string[];
  readonly out?: string;
  readonly against?: string;
  readonly watch?: boolean;
}

export const plan: RunnableCommand = {
  about:
    "Compares the documents with what the service was last sent. Needs no API key and no secret of the service; and nothing but the repository where the state is in files, or on a git ref that this clone has, while other stores are read over the network. Nothing is changed.",
  examples: [
    ["agentform plan", "what an apply would do"],
    ["agentform plan --out plan.json", "save it, to apply exactly this one"],
    ["agentform plan --watch", "see what each edit would do"],
  ],
  documents: ["explanation/review.md", "explanation/guardrails.md", "reference/edits.md"],
  options(command) {
    command.option("--out <file>", "save the plan, for `apply FILE`");
    addPlanFormat(command);
    command
      .option("--detailed-exitcode", "0 no changes, 2 changes pending, 3 an outcome is unknown")
      .option(
        "--fail-on <effects>",
        "fail if the plan has notes with these effects (weakens,widens,review), with these codes, or of these rules; may be repeated",
        readNames,
      );
    addPlanOptions(command);
    addStoreOptions(command);
    addAllOption(command);
    command.option(
      "--against <environment>",
      "compare with the documents of a different environment; `default` for the default one",
    );
    command.option("--watch", "clear the terminal and show the plan again after each change of a file");
  },
  async run(_args, flags: PlanCommandFlags, terminal) {
    const { varFile = [], observed } = flags;
    if (namesSeveral(flags, terminal)) return await planSeveral(flags, terminal);
    if (flags.against !== undefined) checkAgainst(flags);
    if (flags.watch !== true) return await planOnce(flags, terminal);
    checkWatch(flags);
    const { directory } = await readRequest(flags, terminal);
    const files = observed === undefined ? varFile : [...varFile, observed];
    const folders = files.map((file) => dirname(resolve(terminal.cwd, file)));
    const { watchCommand } = await import("../watch/watch.js");
    return await watchCommand({ directory, folders, run: (screen) => planOnce(flags, screen) }, terminal);
  },
};

async function readRequest(flags: PlanCommandFlags, terminal: Terminal) {
  return {
    ...(await readPlanOptions(flags, terminal)),
    ...readStoreOptions(flags, terminal),
    ...readPlanFormat(flags),
  };
}

async function planOnce(flags: PlanCommandFlags, terminal: Terminal): Promise<ExitCode> {
  const { against, out, failOn = [] } = flags;
  const request = await withRemoved(await readRequest(flags, terminal), flags);
  const stages = startStages(terminal);
  const { plan: built, diagnostics } =
    against === undefined ? await buildPlan(request) : compare(request, against);
  stages.lap("read, check and plan");
  if (!built) return await fail(diagnostics, request, terminal);
  checkNames([built], failOn);
  printPlanDetails(built, terminal);
  await printDiagnostics(diagnostics, request, terminal);
  if (hasErrors(diagnostics)) {
    await printPlan(built, request, terminal);
    if (out !== undefined) terminal.err(`error: ${out} was not written: the plan has errors\n`);
    return exitCode.invalid;
  }
  const failure = out === undefined ? undefined : await save(built, out, request.directory, terminal);
  const failed = await printSaved(built, { ...request, savedAs: out }, failure, terminal);
  if (failed !== undefined) return failed;
  return endOf([{ folder: "", plan: built }], flags, terminal);
}

/** Plans several workspaces in the order of their uses; what one gets is known where another uses it. */
async function planSeveral(flags: PlanCommandFlags, terminal: Terminal): Promise<ExitCode> {
  refuseOfOne(flags, [...ofOne, "against", "watch"]);
  const { out, failOn = [] } = flags;
  const printing = { ...readPlanFormat(flags), color: wantsColor(flags.color, terminal), savedAs: out };
  if (flags.format === "html") throw htmlOfOne();
  const { buildPlans } = await import("../../core/review/plans.js");
  const { inFolder } = await import("../../core/resources/files-from-top.js");
  const { readMembers } = await import("../several/members.js");
  const { planInOrder, withoutUnselected } = await import("../../sync/several.js");
  const { members, leftOut, refusals } = await readMembers(
    flags,
    (own) => readRequest(own, terminal),
    terminal,
  );
  if (refusals.length > 0) return await fail(refusals, printing, terminal);
  const planned = withoutUnselected(await planInOrder(members, buildPlan), leftOut);
  const all = planned.made.flatMap(({ member, result }) => inFolder(result.diagnostics, member.folder));
  const plans = planned.made.flatMap(({ member: { folder }, result: { plan: built } }) =>
    built ? [{ folder, plan: built }] : [],
  );
  if (plans.length < planned.made.length || hasErrors(all)) return await fail(all, printing, terminal);
  for (const each of plans) printPlanDetails(each.plan, terminal);
  checkNames(
    plans.map((each) => each.plan),
    failOn,
  );
  await printDiagnostics(all, printing, terminal);
  const whole = buildPlans(environmentOf(flags.environment ?? "default"), plans, planned.leftOut);
  const failure =
    out === undefined
      ? undefined
      : await save(whole, out, members[0]?.request.directory ?? terminal.cwd, terminal);
  const failed = await printSaved(whole, printing, failure, terminal);
  return failed ?? endOf(plans, flags, terminal);
}

function endOf(
  plans: readonly MemberPlan[],
  { failOn = [], detailedExitcode }: PlanCommandFlags,
  terminal: Terminal,
): ExitCode {
  const isFailed = plans.map((each) => reportNotes(each, failOn, terminal)).includes(true);
  if (detailedExitcode && plans.some(({ plan: { summary } }) => summary.unknown > 0)) return exitCode.unknown;
  if (isFailed) return exitCode.invalid;
  const isPending = plans.some((each) => hasChanges(each.plan));
  return detailedExitcode && isPending ? exitCode.pending : exitCode.fine;
}

async function save(built: AnySaved, out: string, directory: string, terminal: Terminal) {
  const { savePlan } = await import("../files/plan-file.js");
  return savePlan(built, out, directory, terminal);
}

// A comparison of two environments has no state, no actions that could be narrowed, forced or saved, and no notes.
function checkAgainst(flags: PlanCommandFlags): void {
  const given = givenAmong(flags, ["out", "failOn", ...shaping, "emulator"]);
  if (given === undefined) return;
  throw new UsageError(`--against only compares documents, and cannot be combined with ${given}`);
}

// What is written or ends with a code is for a machine, which nobody watches.
function checkWatch(flags: PlanCommandFlags): void {
  const { format, ...others } = flags;
  const typed = format === "text" ? others : flags;
  const given = givenAmong<PlanCommandFlags>(typed, ["out", "format", "detailedExitcode", "failOn"]);
  if (given === undefined) return;
  throw new UsageError(`--watch shows the plan to a person, and cannot be combined with ${given}`);
}

function readNames(text: string, before: readonly string[] = []): readonly string[] {
  const names = text.split(",").map((each) => each.trim());
  const known: readonly string[] = [...effects, ...noteCodes];
  const slip = names.find((each) => !known.includes(each) && nearest(each, effects) !== undefined);
  if (slip !== undefined) throw unknownName(slip, effects);
  return [...before, ...names];
}

// Which rules there are, the plan says.
function checkNames(plans: readonly Plan[], failOn: readonly string[]): void {
  if (failOn.length === 0) return;
  const rules = plans.flatMap(({ settings, notes }) => [
    ...Object.keys(settings?.rules ?? {}),
    ...notes.map(({ code }) => code),
  ]);
  const known: readonly string[] = [...effects, ...noteCodes, ...rules];
  const unknown = failOn.find((name) => !known.includes(name));
  if (unknown !== undefined) throw unknownName(unknown, known);
}

function unknownName(name: string, known: readonly string[]): UsageError {
  return new UsageError(
    `--fail-on must name effects (${effects.join(",")}), codes of notes or rules of the workspace, not \`${name}\`${orMeant(name, known)}`,
  );
}

function reportNotes(
  { folder, plan: { notes } }: MemberPlan,
  failOn: readonly string[],
  terminal: Terminal,
): boolean {
  const where = folder === "" ? "" : `${folder}: `;
  const against = notes.flatMap((note) => {
    const name = failOn.find((each) => each === note.effect || each === note.code);
    return name === undefined ? [] : [{ ...note, name }];
  });
  for (const { address, name, message, code } of against) {
    terminal.err(`error: --fail-on ${name}: ${safeLine(`${where}${address}: ${message} [${code}]`)}\n`);
  }
  return against.length > 0;
}
