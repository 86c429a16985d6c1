import { isConsequence } from "../../core/plan/difference.js";
import { isChanging } from "../../core/plan/plan-summary.js";
import type { EditGroup } from "../../core/review/edit-groups.js";
import { unitsOf } from "../../core/review/edit-units.js";
import { isOneByReason } from "../../core/review/review.js";
import type { StateChoice } from "../../core/state/state-choice.js";
import type { Action, Change } from "../../generated/plan.js";
import { follows, leaves, otherReasons, resolution } from "./action-sentences.js";
import { type OwnEdits, alike, notJudgedHere } from "./plan-review.js";
import type { EditItem, GroupItem, ReviewedItem } from "./plan-section.js";
import { connected } from "../../json/groups.js";

/** Gives the item of an action that waits for a person. */
export function heldItem(action: Action, choice: StateChoice): EditItem {
  const { changes, reasons } = action;
  const ways = resolution(action, choice);
  return { ...editItem(action, changes), reasons, ways, isHeld: true };
}

/** Gives the item of what one resource alone has; `noted` is shown with notes, and `named` are the addresses of notes. */
export function ownItem(
  { action, edits, changes, isWhole, notJudged }: OwnEdits,
  noted: ReadonlySet<Change>,
  named: ReadonlySet<string>,
): EditItem {
  const shown = edits.filter(({ units }) => units.length > 0 && units.every((unit) => noted.has(unit)));
  const own = new Set(edits.flatMap(({ units }) => units));
  const isShared = (change: Change) =>
    !isConsequence(change) && unitsOf(change).some((unit) => !own.has(unit));
  return {
    ...editItem(action, changes, new Set(shown.flatMap(({ change }) => change ?? []))),
    isWhole,
    judged: notJudgedHere({ action, notJudged }),
    shared: isChanging(action) ? action.changes.filter(isShared).length : 0,
    isNamed: named.has(action.address),
  };
}

/** What is shown of an action with some of its changes. */
export function editItem(
  action: Action,
  all: readonly Change[],
  noted: ReadonlySet<Change> = new Set(),
): EditItem {
  return {
    sort: "edit",
    action,
    all,
    noted: all.filter((change) => noted.has(change)),
    changes: all.filter((change) => !noted.has(change)),
    isHeld: false,
    isWhole: false,
    judged: [],
    reasons: otherReasons(action),
    ways: [],
    leaves: leaves(action),
    follows: follows(action),
    shared: 0,
    isNamed: false,
  };
}

/** Tells of a group whether all of its edits are shown with notes. */
export function isNotedIn(noted: ReadonlySet<Change>): (group: EditGroup) => boolean {
  return ({ edits }) => edits.every(({ units }) => units.every((unit) => noted.has(unit)));
}

/** Makes one item of those that are alike; as many as there are edits otherwise. */
export function withAlike(items: readonly EditItem[], known: readonly string[]): ReviewedItem[] {
  const whole = alike(
    items.flatMap(({ action, isWhole }) => (isOneByReason(action, isWhole) ? action : [])),
    known,
  );
  const itemOf = new Map(whole.flatMap((item) => item.actions.map((action) => [action, item] as const)));
  return items.flatMap((item): ReviewedItem[] => {
    const { actions } = itemOf.get(item.action) ?? { actions: [] };
    if (actions.length < 2) return [item];
    return actions[0] === item.action ? [itemOf.get(item.action) ?? item] : [];
  });
}

/** Puts shared edits of one OpenAPI document together, at the place of the first; in linear time. */
export function groupItems(
  groups: readonly EditGroup[],
  isNoted: (group: EditGroup) => boolean,
): GroupItem[] {
  const placesOf = (group: EditGroup): string[] => {
    const field = documentField(group);
    return field === undefined ? [] : group.actions.map(({ address }) => `${address} ${field}`);
  };
  return connected(groups, placesOf).map((all) => ({
    sort: "group",
    edits: all.filter((group) => !isNoted(group)),
    noted: all.filter(isNoted),
    group: unionOf(all),
  }));
}

function documentField({ change: { path, outline }, linesDiffer }: EditGroup): string | undefined {
  const end = path.indexOf(".");
  return outline === true && linesDiffer !== true && end > 0 ? path.slice(0, end) : undefined;
}

function unionOf(groups: readonly EditGroup[]): EditGroup {
  const [first, ...more] = groups;
  if (!first) throw new Error("a group of no edits");
  if (more.length === 0) return first;
  const { count, addresses } = first.others;
  const actions = [...new Set(groups.flatMap((group) => group.actions))];
  const own = new Set(actions.map(({ address }) => address));
  return {
    ...first,
    actions,
    edits: groups.flatMap(({ edits }) => edits),
    isJudged: groups.every(({ isJudged }) => isJudged),
    others: {
      ...(count !== undefined && { count: count + first.actions.length - actions.length }),
      addresses: addresses.filter((address) => !own.has(address)),
    },
  };
}
