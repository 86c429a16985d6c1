import { choiceOfPlan, stateOptions } from "../../core/state/state-choice.js";
import type { Action, Change, Plan } from "../../generated/plan.js";
import { unitsAbout } from "../../core/review/units-about.js";
import { isFound } from "../../core/plan/plan-summary.js";
import type { Review, ReviewNote } from "../../core/review/review.js";
import { countEach, groupBy } from "../../json/groups.js";
import { isObject } from "../../json/json.js";
import type { AlikeItem } from "./plan-section.js";
import type { ShownChange } from "../change/shown-change.js";
import { countText } from "../words/count-text.js";

// What is done to an object that exists comes before what is new.
const ranks: Record<Action["action"], number> = {
  unknown: 0,
  blocked: 0,
  delete: 1,
  replace: 2,
  forget: 3,
  gone: 3,
  update: 4,
  changed: 4,
  adopt: 5,
  create: 6,
  record: 7,
};

/** Ranks an action by how grave it is, the gravest lowest. */
export function rankOf({ action }: Action): number {
  return ranks[action];
}

/** Gives the edits of changes that notes are about, those of all their addresses. */
export function notedChanges(notes: readonly ReviewNote[], { actions }: Plan): Set<Change> {
  const named = new Set(notes.flatMap(({ addresses, change }) => (change ? addresses : [])));
  const byAddress = new Map(
    actions
      .filter(({ address }) => named.has(address))
      .map(({ address, changes }) => [address, groupBy(changes, ({ path }) => path)]),
  );
  const noted = new Set<Change>();
  for (const note of notes) {
    const { addresses, change } = note;
    for (const address of change ? addresses : []) {
      const same = byAddress.get(address)?.get(change?.path ?? "") ?? [];
      // Of two at one path, the note speaks of one.
      const [only, another] = same;
      if (only && !another) for (const unit of unitsAbout(note, only)) noted.add(unit);
    }
  }
  return noted;
}

/** Leaves out of a difference the lines that did not change, where there is little room. */
export function withoutContext(shown: ShownChange): ShownChange {
  return withoutLines(shown, "context");
}

/** Leaves out lines of one kind of a difference. */
export function withoutLines(shown: ShownChange, left: "context" | "removed"): ShownChange {
  const { content } = shown;
  if (content.sort !== "difference") return shown;
  const lines = content.difference.lines.filter(({ kind }) => kind !== left);
  return { ...shown, content: { sort: "difference", difference: { ...content.difference, lines } } };
}

/** Puts actions together that are alike in all but their resource; `known` are the addresses that the plan knows. */
export function alike(actions: readonly Action[], known: readonly string[]): AlikeItem[] {
  const byKey = new Map<string, AlikeItem & { readonly actions: Action[] }>();
  for (const each of actions) {
    const { action, reasons } = each;
    const key = JSON.stringify([action, reasons]);
    const found = byKey.get(key);
    if (found) found.actions.push(each);
    else byKey.set(key, { sort: "alike", action, reasons, actions: [each], known });
  }
  return [...byKey.values()];
}

/** Leaves out why an action is there, where its edit says that. */
export function withoutReasons(action: Action): Action {
  return { ...action, reasons: [] };
}

/** Counts actions by their sort: `40 to update, 1 to replace`. */
export function actionCounts(actions: readonly Action[]): string {
  return [...countEach(actions.map(deedText))].map(([word, count]) => `${count} ${word}`).join(", ");
}

/** Says what a plan does, or what was found: `to update`, `gone`. */
export function deedText(action: Pick<Action, "action">): string {
  return isFound(action) ? action.action : `to ${action.action}`;
}

/** Says how many distinct edits a plan has; nothing if it has none. */
export function editCount({ edits }: Review): string[] {
  return edits > 0 ? [countText(edits, "distinct edit")] : [];
}

/** Says how many objects a plan leaves behind, and what to do about them; nothing if it leaves none. */
export function leftBehind(plan: Plan): string[] {
  const { actions, options } = plan;
  const left = actions.reduce((sum, { leaves = 0 }) => sum + leaves, 0);
  if (left === 0 || options.against !== undefined) return [];
  const what = countText(left, "object stays", "objects stay");
  const state = stateOptions(choiceOfPlan(plan));
  if (canDelete(plan)) {
    return [
      `${what} in the service. \`agentform prune${state}\` then deletes what nothing uses any more, as far as \`service.operations\` has a delete for it.`,
    ];
  }
  return [
    `${what} in the service: \`service.operations\` has no \`delete\`. \`agentform lock retired${state}\` lists what is left after the apply; delete by hand what nothing uses any more.`,
  ];
}

function canDelete({ settings }: Plan): boolean {
  const operations = Object.values(settings?.service?.operations ?? {});
  return operations.some((each) => isObject(each) && "delete" in each);
}
