import { dirname, resolve } from "node:path";
import { hasErrors } from "../../core/finding/diagnostic.js";
import { effects } from "../../core/guardrails/rule.js";
import type { Plan } from "../../core/plan/plan.js";
import { hasChanges } from "../../core/plan/plan-summary.js";
import type { GuardrailNote } from "../../generated/plan.js";
import type { PlanRequest } from "../../sync/request.js";
import { compare, plan as buildPlan } from "../../sync/plan.js";
import { defineCommand } from "../command.js";
import { printPlanDetails, startStages } from "../output/detail.js";
import { exitCode, failureCode, UsageError, type ExitCode } from "../exit-code.js";
import { orMeant } from "../near-miss.js";
import { addPlanOptions, readPlanOptions, type PlanFlags } from "../options/plan-options.js";
import { addStoreOptions, readStoreOptions, type StoreFlags } from "../options/store-options.js";
import { printDiagnostics, printFailure } from "../output/print-diagnostics.js";
import {
  addPlanFormat,
  printPlan,
  readPlanFormat,
  type PlanFormatFlags,
  type PlanPrinting,
} from "../output/print-plan.js";
import { safeLine } from "../../render/words/terminal-text.js";
import type { Terminal } from "../terminal/terminal.js";
import type { WorkspaceRequest } from "../options/workspace-options.js";

type FailingEffect = GuardrailNote["effect"];

interface PlanCommandRequest extends PlanRequest, WorkspaceRequest, PlanPrinting {
  readonly detailedExitCode: boolean;
  /** The effects of guardrail notes that make the command fail. */
  readonly failOn: readonly FailingEffect[];
  /** The file to save the plan in, as given by the user. */
  readonly out: string | undefined;
  /** The environment to compare with instead of the lock; null is the default one. */
  readonly against: string | null | undefined;
  /** How to plan again after each change; once unless given. */
  readonly watch?: Watch;
}

interface Watch {
  /** The folders, outside of the workspace too, of the files that options name. */
  readonly folders: readonly string[];
  /** Reads the options again, and the files that they name. */
  again(): Promise<PlanCommandRequest>;
}

interface PlanCommandFlags extends PlanFlags, PlanFormatFlags, StoreFlags {
  readonly detailedExitcode?: boolean;
  readonly failOn?: readonly FailingEffect[];
  readonly out?: string;
  readonly against?: string;
  readonly watch?: boolean;
}

export const plan = defineCommand<PlanCommandRequest>({
  about:
    "Compares the documents with what the service was last sent. Needs only the repository: no network, no API key, no secret. Nothing is changed.",
  examples: [
    ["agentform plan", "what an apply would do"],
    ["agentform plan --out plan.json", "save it, to apply exactly this one"],
    ["agentform plan --watch", "see what each edit would do"],
  ],
  documents: ["review.md", "guardrails.md", "edits.md"],
  options(command) {
    command.option("--out <file>", "save the plan, for `apply FILE`");
    addPlanFormat(command);
    command
      .option("--detailed-exitcode", "0 no changes, 2 changes pending, 3 an outcome is unknown")
      .option(
        "--fail-on <effects>",
        "fail if the plan has guardrail notes with these effects: weakens,widens,review",
        readEffects,
      );
    addPlanOptions(command);
    addStoreOptions(command);
    command.option(
      "--against <environment>",
      "compare with the documents of a different environment; `default` for the default one",
    );
    command.option("--watch", "clear the terminal and show the plan again after each change of a file");
  },
  async build(_args, flags: PlanCommandFlags, terminal) {
    if (flags.against !== undefined) checkAgainst(flags);
    if (flags.watch !== true) return readRequest(flags, terminal);
    checkWatch(flags);
    const { varFile = [], observed } = flags;
    const files = observed === undefined ? varFile : [...varFile, observed];
    const folders = files.map((file) => dirname(resolve(terminal.cwd, file)));
    const again = () => readRequest(flags, terminal);
    return { ...(await again()), watch: { folders, again } };
  },
  async run(request, terminal) {
    const { watch, directory } = request;
    if (!watch) return planOnce(request, terminal);
    const { watchCommand } = await import("../watch/watch.js");
    const run = async (screen: Terminal) => planOnce(await watch.again(), screen);
    return watchCommand({ directory, folders: watch.folders, run }, terminal);
  },
});

async function readRequest(flags: PlanCommandFlags, terminal: Terminal): Promise<PlanCommandRequest> {
  return {
    ...(await readPlanOptions(flags, terminal)),
    ...readStoreOptions(flags, terminal),
    against: flags.against === "default" ? null : flags.against,
    ...readPlanFormat(flags),
    detailedExitCode: flags.detailedExitcode === true,
    failOn: flags.failOn ?? [],
    out: flags.out,
  };
}

async function planOnce(request: PlanCommandRequest, terminal: Terminal): Promise<ExitCode> {
  const { against } = request;
  const stages = startStages(terminal);
  const { plan: built, diagnostics } =
    against === undefined ? await buildPlan(request) : compare(request, against);
  stages.lap("read, check and plan");
  if (built) printPlanDetails(built, terminal);
  await (built ? printDiagnostics : printFailure)(diagnostics, request, terminal);
  if (!built) return failureCode(diagnostics);
  const savedAs = hasErrors(diagnostics) ? undefined : request.out;
  await printPlan(built, { ...request, savedAs }, terminal);
  if (hasErrors(diagnostics)) {
    if (request.out !== undefined)
      terminal.err(`error: ${request.out} was not written: the plan has errors\n`);
    return exitCode.invalid;
  }
  if (request.out !== undefined) {
    const { savePlan } = await import("../files/plan-file.js");
    if (!savePlan(built, request.out, request.directory, terminal)) return exitCode.invalid;
  }
  const isFailed = reportNotes(built, request.failOn, terminal);
  if (request.detailedExitCode && built.summary.unknown > 0) return exitCode.unknown;
  if (isFailed) return exitCode.invalid;
  return request.detailedExitCode ? detailed(built) : exitCode.fine;
}

// A comparison of two environments has no state, and no actions that could be narrowed, forced or saved.
function checkAgainst(flags: PlanCommandFlags): void {
  const { out, target, selector, exclude, changedSince, replace, resend, lockFrom, emulator } = flags;
  const { observed, serviceMoved } = flags;
  const others = {
    out,
    target,
    selector,
    exclude,
    changedSince,
    replace,
    resend,
    lockFrom,
    emulator,
    observed,
    serviceMoved,
  };
  refuse(others, "--against only compares documents");
}

// What is written or ends with a code is for a machine, which nobody watches.
function checkWatch({ out, format, detailedExitcode, failOn }: PlanCommandFlags): void {
  const machine = format === "text" ? undefined : format;
  refuse({ out, format: machine, detailedExitcode, failOn }, "--watch shows the plan to a person");
}

function refuse(options: Record<string, unknown>, reason: string): void {
  const [name] = Object.entries(options).find(([, value]) => value !== undefined) ?? [];
  if (name === undefined) return;
  const option = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new UsageError(`${reason}, and cannot be combined with --${option}`);
}

function readEffects(text: string): readonly FailingEffect[] {
  const given = text.split(",").map((each) => each.trim());
  const known = given.filter((each): each is FailingEffect => effects.some((effect) => effect === each));
  if (known.length === given.length) return known;
  const unknown = given.find((each) => !known.includes(each as FailingEffect)) ?? "";
  throw new UsageError(
    `--fail-on must be one or more of ${effects.join(",")}, not \`${text}\`${orMeant(unknown, effects)}`,
  );
}

function reportNotes({ notes }: Plan, failOn: readonly FailingEffect[], terminal: Terminal): boolean {
  const against = notes.filter(({ effect }) => failOn.includes(effect));
  for (const { address, effect, message, code } of against) {
    terminal.err(`error: --fail-on ${effect}: ${safeLine(`${address}: ${message} [${code}]`)}\n`);
  }
  return against.length > 0;
}

function detailed(built: Plan): ExitCode {
  return hasChanges(built) ? exitCode.pending : exitCode.fine;
}
