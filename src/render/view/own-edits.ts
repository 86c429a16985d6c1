import type { Action, Change } from "../../generated/plan.js";
import type { Edit } from "../../core/review/edit.js";
import type { Review } from "../../core/review/review.js";

/** An action with those of its edits that no other resource has. */
export interface OwnEdits {
  readonly action: Action;
  /** Whether the resource as a whole is created, adopted, forgotten, moved or recorded. */
  readonly isWhole: boolean;
  readonly edits: readonly Edit[];
  /** Of a new resource all of its fields. */
  readonly changes: readonly Change[];
  /** Which of its edits no guardrail note is about: all, or those at some paths. */
  readonly notJudged: "all" | readonly string[];
}

const hasOwnFields: ReadonlySet<string> = new Set(["update", "replace", "record"]);

/** Gives the edits of one resource alone by action. */
export function ownEdits({ onlyHere }: Review): OwnEdits[] {
  const own: OwnEdits[] = [];
  // Those of one action come one after another.
  for (let at = 0, end = 0; at < onlyHere.length; at = end) {
    const action = onlyHere[at]?.action;
    while (end < onlyHere.length && onlyHere[end]?.action === action) end++;
    if (action) own.push(ownOf(action, onlyHere.slice(at, end)));
  }
  return own;
}

function ownOf(action: Action, edits: readonly Edit[]): OwnEdits {
  const isWhole = edits.some(({ change }) => change === undefined);
  const unjudged = edits.filter(({ isJudged }) => !isJudged);
  return {
    action,
    isWhole,
    edits,
    // The fields of a new object are shown with it; those of another are edits of their own.
    changes:
      isWhole && !hasOwnFields.has(action.action)
        ? action.changes
        : edits.flatMap(({ change }) => change ?? []),
    notJudged:
      unjudged.length === edits.length ? "all" : unjudged.map(({ change }) => change?.path ?? action.action),
  };
}
