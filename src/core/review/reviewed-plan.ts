import type { Action, Change, Plan } from "../../generated/plan.js";
import { isConsequence } from "../plan/difference.js";
import { reviewOf } from "./review.js";

/** Adds to a plan what follows from the rest of it: the marks of consequences, the groups and the number of edits. */
export function withReview(plan: Plan): Plan {
  const { actions, summary, unchanged, peers, diagnostics, documents, ...head } = plan;
  const { edits, groups } = reviewOf(plan);
  return {
    ...head,
    actions: withChanges(actions, (change) =>
      isConsequence(change) ? { ...change, consequence: true } : change,
    ),
    edits,
    groups: groups.map((group) => ({
      change: group.change,
      ...(group.linesDiffer && { lines_differ: true }),
      addresses: group.actions.map(({ address }) => address),
    })),
    summary,
    ...(unchanged && { unchanged }),
    ...(peers && { peers }),
    diagnostics,
    ...(documents && { documents }),
  };
}

/** Takes from a plan that was read what follows from the rest of it, so that nothing rests on what a file says. */
export function withoutReview({ actions, edits: _edits, groups: _groups, ...plan }: Plan): Plan {
  const unmarked = ({ consequence: _consequence, ...change }: Change): Change => change;
  return { ...plan, actions: withChanges(actions, unmarked) };
}

function withChanges(actions: readonly Action[], map: (change: Change) => Change): Action[] {
  return actions.map((action) =>
    action.changes.length === 0 ? action : { ...action, changes: action.changes.map(map) },
  );
}
