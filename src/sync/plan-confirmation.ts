import { note, type Finding } from "../core/finding/diagnostic.js";
import { quoteFew } from "../core/finding/quotation.js";
import { bare, say } from "../core/finding/said.js";
import { movedUses } from "../core/plan/moved-uses.js";
import type { KnownState } from "../core/state/stored-state.js";
import { readUsesAgain, type SoundWorkspace } from "../workspace/load-workspace.js";
import { choosePlan, planMoved } from "./plan-choice.js";
import type { ApplyRequest, ChosenPlan } from "./request.js";

/** A plan that was agreed on. */
export interface AgreedPlan {
  readonly digest: string | undefined;
  /** Missing if a journal was left behind: it is recovered first, and the plan made again. */
  readonly chosen?: ChosenPlan;
}

/** Gives what is needed of a plan once it was agreed on; one that is made again is not in memory meanwhile. */
export function agreedPlan(chosen: ChosenPlan): AgreedPlan {
  const { plan, state } = chosen;
  return { digest: plan?.digest, ...(state?.hasJournal === false && { chosen }) };
}

/** Gives the plan to run under the hold: the earlier one if lock text and used IDs are the same, without a journal. */
export async function confirmPlan(
  agreed: AgreedPlan,
  held: Pick<KnownState, "lock" | "version">,
  loaded: SoundWorkspace,
  request: ApplyRequest,
): Promise<ChosenPlan> {
  const confirmed = await confirmState(agreed, held, loaded, request);
  const { plan } = confirmed;
  if (!plan?.actions.some(({ used }) => used)) return confirmed;
  const moved = movedUses(plan, readUsesAgain(loaded.fleet.settings, request));
  if (moved.length === 0) return confirmed;
  const stale = explainUses([...new Set(moved)]);
  return { ...confirmed, diagnostics: [...confirmed.diagnostics, ...loaded.locate([stale])], isMoved: true };
}

function explainUses(texts: string[]): Finding {
  const message = say`other workspaces were applied since the plan was made: ${bare({ addresses: texts }, quoteFew(texts))}`;
  return planMoved(message);
}

async function confirmState(
  { digest, chosen }: AgreedPlan,
  held: Pick<KnownState, "lock" | "version">,
  loaded: SoundWorkspace,
  request: ApplyRequest,
): Promise<ChosenPlan> {
  if (chosen?.state?.version === held.version) return chosen;
  const current = await choosePlan(loaded, request);
  const isMoved = (current.plan !== undefined && current.plan.digest !== digest) || current.isMoved === true;
  const before = chosen?.state?.lock.serial;
  if (!isMoved || before === undefined || before >= held.lock.serial) return { ...current, isMoved };
  const stale = explainStale(before, held.lock.serial);
  return { ...current, isMoved, diagnostics: [...current.diagnostics, ...loaded.locate([stale])] };
}

function explainStale(before: number, now: number): Finding {
  const message = say`somebody has applied in between: the lock has serial ${{ found: now }}, and this plan was made with serial ${{ expected: before }}`;
  const hint =
    "this checkout may lack the documents of that apply: bring it up to date with `git pull`, then plan again";
  return note("plan-moved", undefined, message, hint);
}
