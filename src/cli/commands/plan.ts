import { dirname, resolve } from "node:path";
import { nearest } from "../../core/finding/nearest.js";
import { hasErrors } from "../../core/finding/diagnostic.js";
import { effects } from "../../core/guardrails/rule.js";
import type { Plan } from "../../core/plan/plan.js";
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
  printPlan,
  printSaved,
  readPlanFormat,
  type PlanFormatFlags,
} from "../output/print-plan.js";
import { safeLine } from "../../render/words/terminal-text.js";
import type { Terminal } from "../terminal/terminal.js";

interface PlanCommandFlags extends PlanFlags, PlanFormatFlags, StoreFlags {
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
        "fail if the plan has notes with these effects (weakens,widens,review), with these codes, or of these rules",
        readNames,
      );
    addPlanOptions(command);
    addStoreOptions(command);
    command.option(
      "--against <environment>",
      "compare with the documents of a different environment; `default` for the default one",
    );
    command.option("--watch", "clear the terminal and show the plan again after each change of a file");
  },
  async run(_args, flags: PlanCommandFlags, terminal) {
    const { varFile = [], observed } = flags;
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
  const { against, out, failOn = [], detailedExitcode } = flags;
  const request = await readRequest(flags, terminal);
  const stages = startStages(terminal);
  const { plan: built, diagnostics } =
    against === undefined ? await buildPlan(request) : compare(request, against);
  stages.lap("read, check and plan");
  if (!built) return await fail(diagnostics, request, terminal);
  checkNames(built, failOn);
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
  const isFailed = reportNotes(built, failOn, terminal);
  if (detailedExitcode && built.summary.unknown > 0) return exitCode.unknown;
  if (isFailed) return exitCode.invalid;
  return detailedExitcode && hasChanges(built) ? exitCode.pending : exitCode.fine;
}

async function save(built: Plan, out: string, directory: string, terminal: Terminal) {
  const { savePlan } = await import("../files/plan-file.js");
  return savePlan(built, out, directory, terminal);
}

// A comparison of two environments has no state, and no actions that could be narrowed, forced or saved.
function checkAgainst(flags: PlanCommandFlags): void {
  const given = givenAmong(flags, ["out", ...shaping, "emulator"]);
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

function readNames(text: string): readonly string[] {
  const names = text.split(",").map((each) => each.trim());
  const known: readonly string[] = [...effects, ...noteCodes];
  const slip = names.find((each) => !known.includes(each) && nearest(each, effects) !== undefined);
  if (slip !== undefined) throw unknownName(slip, effects);
  return names;
}

// Which rules there are, the plan says.
function checkNames({ settings, notes }: Plan, failOn: readonly string[]): void {
  if (failOn.length === 0) return;
  const rules = [...Object.keys(settings?.rules ?? {}), ...notes.map(({ code }) => code)];
  const known: readonly string[] = [...effects, ...noteCodes, ...rules];
  const unknown = failOn.find((name) => !known.includes(name));
  if (unknown !== undefined) throw unknownName(unknown, known);
}

function unknownName(name: string, known: readonly string[]): UsageError {
  return new UsageError(
    `--fail-on must name effects (${effects.join(",")}), codes of notes or rules of the workspace, not \`${name}\`${orMeant(name, known)}`,
  );
}

function reportNotes({ notes }: Plan, failOn: readonly string[], terminal: Terminal): boolean {
  const against = notes.flatMap((note) => {
    const name = failOn.find((each) => each === note.effect || each === note.code);
    return name === undefined ? [] : [{ ...note, name }];
  });
  for (const { address, name, message, code } of against) {
    terminal.err(`error: --fail-on ${name}: ${safeLine(`${address}: ${message} [${code}]`)}\n`);
  }
  return against.length > 0;
}
