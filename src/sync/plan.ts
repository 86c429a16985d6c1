import { buildComparison } from "../core/plan/comparison.js";
import { checkPlanSize } from "../core/plan/plan-size.js";
import { mergeDiagnostics } from "../core/position/position.js";
import { isSound, loadWorkspace } from "../workspace/load-workspace.js";
import { OpenWorkspace } from "../workspace/open-workspace.js";
import { planWith } from "./plan-choice.js";
import {
  toShow,
  type ChosenPlan,
  type PlanRequest,
  type PlanResult,
  type WorkspaceOptions,
} from "./request.js";

/** Plans: a function of workspace, lock, journal and options; the service is not asked. */
export async function plan(request: PlanRequest): Promise<ChosenPlan> {
  const loaded = loadWorkspace(request);
  if (!isSound(loaded)) return { diagnostics: loaded.diagnostics };
  const { plan: built, state, diagnostics } = await planWith(loaded, toShow(request));
  if (!built) return { diagnostics };
  // An apply neither saves its plan nor prints it as JSON. What is too large for that is not given, so nobody tries.
  const tooLarge = loaded.locate(checkPlanSize(built, request.mostCharacters));
  if (tooLarge.length > 0) return { diagnostics: [...diagnostics, ...tooLarge] };
  return { plan: built, ...(state && { state }), diagnostics };
}

/** Compares a workspace in one environment with the same workspace in a second one, for a promotion. */
export function compare(request: WorkspaceOptions, against: string): PlanResult {
  const options = { open: new OpenWorkspace(request.directory).look(), ...request };
  const here = loadWorkspace(options);
  const there = loadWorkspace({ ...options, environment: against });
  const diagnostics = mergeDiagnostics([...here.diagnostics, ...there.diagnostics]);
  if (!isSound(here) || !isSound(there)) return { diagnostics };
  return { plan: buildComparison(here.fleet, there.fleet), diagnostics };
}
