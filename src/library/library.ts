import type { ApplyEvent, ApplySummary } from "../core/apply/apply-report.js";
import { hasErrors, type Diagnostic } from "../core/finding/diagnostic.js";
import type { Observation } from "../core/observation/observation.js";
import type { Plan } from "../core/plan/plan.js";
import { apply as applyPlan } from "../sync/apply.js";
import { findDrift } from "../sync/drift.js";
import { openTarget } from "../sync/local-emulator.js";
import { readIds } from "../sync/output.js";
import { plan as makePlan } from "../sync/plan.js";
import type { ApplyResult } from "../sync/request.js";
import { validate as findProblems } from "../sync/validate.js";
import { version } from "../version.js";
import { requestOf, variablesOf, type PlanChoices, type WorkspaceChoices } from "./choices.js";

/** Nothing was done, because the workspace, its state or the environment does not allow it; the diagnostics say why. */
export interface RefusedCall {
  readonly status: "refused";
  readonly diagnostics: readonly Diagnostic[];
}

/** Every problem of a workspace that can be found without its state. */
export interface Validation {
  readonly status: "valid" | "invalid";
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds every problem that can be found without the state, in one environment, or in all if none is named. */
export async function validate(choices: WorkspaceChoices): Promise<Validation> {
  const diagnostics = await findProblems(requestOf(choices));
  return { status: hasErrors(diagnostics) ? "invalid" : "valid", diagnostics };
}

/** A plan, with the warnings about it. */
export interface PlannedWorkspace {
  readonly status: "planned";
  readonly plan: Plan;
  readonly diagnostics: readonly Diagnostic[];
}

/** Plans: asks neither the service nor for its secrets. */
export async function plan(choices: PlanChoices): Promise<PlannedWorkspace | RefusedCall> {
  const { plan: made, diagnostics } = await makePlan(requestOf(choices));
  if (!made || hasErrors(diagnostics)) return { status: "refused", diagnostics };
  return { status: "planned", plan: made, diagnostics };
}

/** How a plan is agreed to and run; without an agreement nothing is. */
export interface ApplyChoices extends PlanChoices {
  /** The digest of the plan that is agreed to; any other ends as `moved`. */
  readonly expect?: string;
  /** Asked once with the plan, before anything is held or sent; not asked if `expect` is given. */
  readonly confirm?: (plan: Plan, diagnostics: readonly Diagnostic[]) => boolean | Promise<boolean>;
  /** The most requests in flight; 8 unless given. */
  readonly concurrency?: number;
  readonly onEvent?: (event: ApplyEvent) => void;
  /** Aborted to start nothing new; what is in flight finishes. */
  readonly signal?: AbortSignal;
}

/** How an apply ended. */
export interface AppliedWorkspace {
  /**
   * `done`: everything, or there was nothing to do; `incomplete`: something failed, waits for what did, or could not be
   * stored; `unknown`: the service may have made an object or not; `declined`: nobody agreed; `moved`: the plan is not
   * the one that was agreed to, or the state is held by another apply; `refused`: it may not run.
   */
  readonly status: "done" | "incomplete" | "unknown" | "declined" | "moved" | "refused";
  readonly plan?: Plan;
  /** If anything was run. */
  readonly summary?: ApplySummary;
  readonly diagnostics: readonly Diagnostic[];
}

/** Plans, and runs the plan if it is agreed to; the state is whole after every action. */
export async function apply(choices: ApplyChoices): Promise<AppliedWorkspace> {
  const { expect, confirm = () => expect !== undefined, concurrency, onEvent, signal } = choices;
  const request = requestOf(choices);
  const way = openTarget(request, variablesOf(choices));
  try {
    const { status, ...result } = await applyPlan({
      ...request,
      target: way.target,
      userAgent,
      confirm: async ({ shown, diagnostics, isAgreed }) => isAgreed || (await confirm(shown, diagnostics)),
      ...(expect !== undefined && { expect }),
      ...(concurrency !== undefined && { concurrency }),
      ...(onEvent && { onEvent }),
      ...(signal && { drain: signal }),
    });
    return { status: ending(status, result.summary), ...result };
  } finally {
    await way.close();
  }
}

function ending(
  status: ApplyResult["status"],
  summary: ApplySummary | undefined,
): AppliedWorkspace["status"] {
  if (summary && summary.unknown > 0) return "unknown";
  if (summary && summary.failed + summary.skipped + summary.blocked > 0) return "incomplete";
  // What ran, and whose state could not be stored, was not refused.
  if (summary && summary.done > 0 && status === "refused") return "incomplete";
  if (status === "pending") return "declined";
  return status === "applied" || status === "unchanged" ? "done" : status;
}

/** How the service differs from what it was last sent, as a plan to read, and what was found. */
export interface ComparedService {
  readonly status: "same" | "drifted";
  readonly plan: Plan;
  readonly observation: Observation;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads what is managed and can be read, and compares it with what was last sent; changes nothing. */
export async function drift(
  choices: WorkspaceChoices & Pick<PlanChoices, "target" | "selector">,
): Promise<ComparedService | RefusedCall> {
  const request = requestOf(choices);
  const way = openTarget(request, variablesOf(choices));
  try {
    const {
      plan: found,
      observation,
      diagnostics,
    } = await findDrift({ ...request, target: way.target, userAgent });
    if (!found || !observation || hasErrors(diagnostics)) return { status: "refused", diagnostics };
    return { status: found.actions.length > 0 ? "drifted" : "same", plan: found, observation, diagnostics };
  } finally {
    await way.close();
  }
}

/** The IDs of what was applied. */
export interface AppliedIds {
  readonly status: "done";
  /** By address, a tool of a tool set with its operation: `toolset:helpdesk/createTicket`. */
  readonly ids: Readonly<Record<string, string>>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the IDs that applications use; what was not applied yet has none, and a warning. */
export async function output(
  choices: WorkspaceChoices & Pick<PlanChoices, "selector">,
): Promise<AppliedIds | RefusedCall> {
  const selector = new Set(choices.selector);
  const { found, diagnostics } = await readIds({ ...requestOf(choices), selector });
  if (!found) return { status: "refused", diagnostics };
  return { status: "done", ids: Object.fromEntries(found.ids), diagnostics };
}

const userAgent = `agentform/${version}`;
