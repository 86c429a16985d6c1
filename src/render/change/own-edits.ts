import type { Action, Change } from "../../generated/plan.js";
import type { Review } from "../../core/plan/review.js";

/** An action with those of its edits that no other resource has. */
export interface OwnEdits {
  readonly action: Action;
  /** Whether the resource as a whole is created, adopted, forgotten, moved or recorded. */
  readonly isWhole: boolean;
  /** Of a new resource all of its fields. */
  readonly changes: readonly Change[];
  /** Which of its edits no guardrail note is about: all, or those at some paths. */
  readonly notJudged: "all" | readonly string[];
}

const hasOwnFields: ReadonlySet<string> = new Set(["update", "replace", "record"]);

/** Gives the edits of one resource alone by action. */
export function ownEdits({ onlyHere }: Review): OwnEdits[] {
  const byAction = new Map<Action, Gathered>();
  for (const { action, change, isJudged } of onlyHere) {
    const known = byAction.get(action) ?? { action, isWhole: false, changes: [], judged: 0, unjudged: [] };
    byAction.set(action, known);
    if (isJudged) known.judged++;
    else known.unjudged.push(change?.path ?? action.action);
    if (change) known.changes.push(change);
    else {
      known.isWhole = true;
      // The fields of a new object are shown with it; those of another are edits of their own.
      if (!hasOwnFields.has(action.action)) for (const each of action.changes) known.changes.push(each);
    }
  }
  return [...byAction.values()].map(({ judged, unjudged, ...own }) => ({
    ...own,
    notJudged: judged === 0 ? "all" : unjudged,
  }));
}

interface Gathered {
  readonly action: Action;
  isWhole: boolean;
  readonly changes: Change[];
  judged: number;
  readonly unjudged: string[];
}
