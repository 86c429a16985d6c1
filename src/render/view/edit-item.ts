import { isConsequence } from "../../core/plan/difference.js";
import { isChanging } from "../../core/plan/plan-summary.js";
import type { EditGroup } from "../../core/review/edit-groups.js";
import { unitsOf } from "../../core/review/edit-units.js";
import { firstOf, inCode } from "../../core/finding/quotation.js";
import type { Edit } from "../../core/review/edit.js";
import { changedLines } from "../../core/review/edit-key.js";
import { weightOf } from "../../core/review/edit-weight.js";
import { isOneByReason, type Review } from "../../core/review/review.js";
import type { StateChoice } from "../../core/state/state-choice.js";
import type { Action, Change } from "../../generated/plan.js";
import { follows, leaves, otherReasons, resolution } from "./action-sentences.js";
import { alike, rankOf } from "./plan-review.js";
import type { EditItem, GroupItem, ReviewedItem } from "./plan-section.js";
import { connected, groupBy } from "../../json/groups.js";

/** Gives the item of an action that waits for a person. */
export function heldItem(action: Action, choice: StateChoice): EditItem {
  const { changes, reasons } = action;
  const ways = resolution(action, choice);
  return { ...editItem(action, changes), reasons, ways, isHeld: true };
}

/** Gives the items of what one resource alone has: what notes do not show first, by weight and oddness, then in the notes' order. */
export function ownItems(review: Review, noted: ReadonlySet<Change>): EditItem[] {
  const places = new Map<string, number>();
  for (const [place, { addresses }] of review.notes.entries())
    for (const address of addresses) if (!places.has(address)) places.set(address, place);
  const own = [...groupBy(review.onlyHere, ({ action }) => action).values()].map((edits) => ({
    ...ownItem(edits, noted),
    isNamed: places.has(edits[0].action.address),
  }));
  const isNoted = ({ isWhole, all, judged }: EditItem): boolean =>
    !isWhole && judged.length === 0 && all.every(isShort);
  const placeOf = ({ action }: EditItem): number => places.get(action.address) ?? 0;
  return [
    ...own
      .filter((item) => !isNoted(item))
      .map((item) => ({ item, place: placeByWeight(item, review) }))
      .toSorted((left, right) => compareNumbers(left.place, right.place))
      .map(({ item }) => item),
    ...own.filter(isNoted).toSorted((left, right) => placeOf(left) - placeOf(right)),
  ];
}

const hasOwnFields: ReadonlySet<string> = new Set(["update", "replace", "record"]);

function ownItem(edits: readonly [Edit, ...Edit[]], noted: ReadonlySet<Change>): EditItem {
  const [{ action }] = edits;
  const isWhole = edits.some(({ change }) => change === undefined);
  const own = new Set(edits.flatMap(({ units }) => units));
  const shown = edits.filter(({ units }) => units.length > 0 && units.every((unit) => noted.has(unit)));
  // The fields of a new object are shown with it; those of another are edits of their own.
  const changes =
    isWhole && !hasOwnFields.has(action.action)
      ? action.changes
      : edits.flatMap(({ change }) => change ?? []);
  const isShared = (change: Change) =>
    !isConsequence(change) && unitsOf(change).some((unit) => !own.has(unit));
  return {
    ...editItem(action, changes, new Set(shown.flatMap(({ change }) => change ?? []))),
    isWhole,
    judged: judgedText(action, edits),
    shared: isChanging(action) ? action.changes.filter(isShared).length : 0,
  };
}

const mostPaths = 5;

// Which of its edits no guardrail note is about.
function judgedText({ action }: Action, edits: readonly Edit[]): string[] {
  const unjudged = edits.filter(({ isJudged }) => !isJudged);
  // Hardly any rule looks at new resources, and what is the same in every line says nothing.
  if (action === "create" || unjudged.length === 0) return [];
  if (unjudged.length === edits.length) return ["not judged"];
  const paths = unjudged.map(({ change }) => inCode(change?.path ?? action));
  return [`not judged: ${firstOf(paths, mostPaths)}`];
}

// After what is done to the object: by what its edits can do, and those that are like no other first.
function placeByWeight({ action, all, isWhole }: EditItem, { likeness }: Review): number[] {
  const rank = rankOf(action);
  if (isWhole) return [rank, 0, 0];
  return [rank, leastOf(all, (change) => weightOf(action.address, change)), leastOf(all, likeness)];
}

// A call does not take as many arguments as an edit may have changes.
function leastOf(changes: readonly Change[], numberOf: (change: Change) => number): number {
  return changes.reduce((least, change) => Math.min(least, numberOf(change)), Number.POSITIVE_INFINITY);
}

function compareNumbers(left: readonly number[], right: readonly number[]): number {
  return left.map((each, at) => each - (right[at] ?? 0)).find((each) => each !== 0) ?? 0;
}

const mostNotedLines = 6;

// Whether a note has room for the whole of a change.
function isShort({ before, after }: Change): boolean {
  if (typeof before !== "string" || typeof after !== "string") return true;
  const { removed, added } = changedLines(before, after);
  return removed.length + added.length <= mostNotedLines;
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
