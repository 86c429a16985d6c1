import { groupBy } from "../../json/groups.js";
import type { Action, Plan } from "../../generated/plan.js";
import { compareText } from "../../json/compare-text.js";
import { equal } from "../../json/json.js";
import type { Change } from "../plan/difference.js";
import { byAddress, isOfChange, type ChangeEdit, type Edit, titleOf } from "./edit.js";
import { knownAddresses } from "../plan/plan-summary.js";
import { isAlike, wordEdit, type WordEdit } from "./edit-key.js";
import { kindredIn, othersIn, type Others } from "./lacking.js";
import { weightOf } from "./edit-weight.js";
import { together } from "./edit-units.js";
import { originForm } from "./alike-names.js";

/** An edit that several resources share. */
export interface EditGroup {
  /** As in the first of the actions. */
  readonly change: Change;
  /** Sorted by address. */
  readonly actions: readonly Action[];
  /** What each of them has of it, in the same order. */
  readonly edits: readonly ChangeEdit[];
  /** Whether guardrail notes are about all of them. */
  readonly isJudged: boolean;
  /** Whether only the changed words are the same, and the lines that they are in differ. */
  readonly linesDiffer?: true;
  /** Whether the change is as its origin writes it: with `${each:key}` for the key of each resource. */
  readonly isForm?: true;
  /** The resources of the same kinds that do not have it. */
  readonly others: Others;
  /** The addresses that the plan knows, so that a pattern stands for none that does not have it. */
  readonly known: readonly string[];
}

/** Gives a text that is the same for equal edits. */
export type KeyOf = (change: Change) => string;

/** Groups equal edits, those that a few lack first, then by weight, then those that differ in their lines. */
export function groupEdits(edits: readonly Edit[], plan: Plan, keyOf: KeyOf) {
  const ofChanges = edits.filter(isOfChange);
  // Before what is equal: the same line of a document may make equal edits in some of its resources.
  const formed = sameOrigin(ofChanges, keyOf);
  const isOfForm = new Set<Edit>(formed.flatMap(({ same }) => same));
  const left = ofChanges.filter((edit) => !isOfForm.has(edit));
  const shared = readTogether(
    [...groupBy(left, ({ action, change }) => `${titleOf(action.address, change)} ${keyOf(change)}`)].flatMap(
      ([key, same]) => (isOfSeveral(same, 2) ? [[key, same] as const] : []),
    ),
  );
  const isShared = new Set<Edit>(shared.flatMap(([, same]) => same));
  const alike = sameWords(left.filter((edit) => !isShared.has(edit)));
  const isAlikeOrShared = new Set<Edit>([...isOfForm, ...isShared, ...alike.flatMap(([, same]) => same)]);
  const othersOf = othersIn(plan, ofChanges);
  const known = knownAddresses(plan);
  const kindred = kindredIn(plan);
  const groupWith = (
    same: Same,
    sort: Partial<EditGroup>,
    othersFor: (group: Pick<EditGroup, "actions" | "edits">) => Others = ({ edits: own }) => othersOf(own),
  ): EditGroup => {
    const group = groupOf(same);
    return { ...group, others: othersFor(group), known, ...sort };
  };
  const groups = [
    ...formed.map(({ same, change }) =>
      groupWith(same, { change, linesDiffer: true, isForm: true }, ({ actions }) => kindred(actions)),
    ),
    ...alike.map(([, same]) => groupWith(same, { linesDiffer: true }, ({ actions }) => kindred(actions))),
    ...shared.map(([, same]) => groupWith(same, {})),
  ];
  return {
    onlyHere: putTogether(edits.filter((edit) => !isAlikeOrShared.has(edit))),
    groups: inOrder(groups, keyOf),
  };
}

function inOrder(groups: readonly EditGroup[], keyOf: KeyOf): EditGroup[] {
  return groups
    .map((group) => ({ group, key: keyOf(group.change), address: group.actions[0]?.address ?? "" }))
    .map((each) => ({ ...each, place: placeOf(each.group, each.address) }))
    .toSorted(
      (one, other) =>
        one.place - other.place ||
        sortOf(one.group) - sortOf(other.group) ||
        one.group.actions.length - other.group.actions.length ||
        compareText(one.key, other.key) ||
        compareText(one.address, other.address),
    )
    .map(({ group }) => group);
}

// What a few of those with the same value keep comes first.
function placeOf({ change, actions, others: { value, count = 0 } }: EditGroup, address: string): number {
  const hasOddOnes = value !== undefined && count > 0 && count * 2 <= actions.length;
  return hasOddOnes ? -1 : weightOf(address, change);
}

function sortOf({ isForm, linesDiffer }: EditGroup): number {
  return isForm ? 0 : linesDiffer ? 1 : 2;
}

type Same = readonly [ChangeEdit, ...ChangeEdit[]];

function isOfSeveral(edits: readonly ChangeEdit[], least: number): edits is Same {
  return new Set(edits.map(({ action }) => action)).size >= least;
}

/** Puts the edits of one field together that the same resources have. */
function readTogether(shared: readonly (readonly [string, Same])[]): (readonly [string, Same])[] {
  // Most have another field or number of resources, and lists of addresses are long.
  const bySize = groupBy(shared, ([, same]) => `${same.length} ${same[0].change.path}`);
  return [...bySize.values()].flatMap((alike) => {
    if (alike.length === 1) return alike;
    return [...groupBy(alike, ([, same]) => membersOf(same)).values()].map(
      ([[key, first], ...more]) => [key, [...first, ...more.flatMap(([, same]) => same)]] as const,
    );
  });
}

function membersOf(same: Same): string {
  return JSON.stringify([...new Set(same.map(({ action }) => action.address))].toSorted());
}

// Those of one change come one after another.
function putTogether(edits: readonly Edit[]): Edit[] {
  return [...groupBy(edits, (edit) => edit.whole ?? edit).values()].map((all) => {
    const [first] = all;
    if (!first.whole) return first;
    const units = all.flatMap((edit) => edit.units);
    const isJudged = all.every((edit) => edit.isJudged);
    return { ...first, change: together(first.whole, units), units, isJudged };
  });
}

// Edits of one origin, in the form that it writes them in. What a note is about is never in a group with what is not judged.
function sameOrigin(edits: readonly ChangeEdit[], keyOf: KeyOf): { same: Same; change: Change }[] {
  // A form has whole texts, and most are of one edit alone: it is made again for those that are of several.
  const formed = edits.flatMap((edit) => {
    const form = originForm(edit.action, edit.change);
    return form ? [{ edit, key: `${edit.isJudged} ${form.key}` }] : [];
  });
  return [...groupBy(formed, ({ key }) => key).values()].flatMap(([first, ...more]) => {
    if (more.length === 0) return [];
    const same = [first.edit, ...more.map(({ edit }) => edit)] as const;
    const isEqual = new Set(same.map(({ change }) => keyOf(change))).size === 1;
    if (isEqual || !isOfSeveral(same, 2)) return [];
    const form = originForm(first.edit.action, first.edit.change);
    return form ? [{ same, change: form.change }] : [];
  });
}

// Two edits are read as quickly as one that stands for both.
const fewestAlike = 3;
// So many sentences in which the same words change are told apart; edits in others stay alone.
const mostSentences = 8;

// What a note is about is never in a group with what is not judged.
function sameWords(edits: readonly ChangeEdit[]): (readonly [string, Same])[] {
  const byKey = new Map<string, { readonly first: WordEdit; readonly same: ChangeEdit[] }[]>();
  for (const edit of edits.toSorted((one, other) => byAddress(one.action, other.action))) {
    const words = wordEdit(edit.change);
    if (!words) continue;
    const key = `${edit.isJudged} ${titleOf(edit.action.address, edit.change)} ${words.key}`;
    const known = byKey.get(key) ?? [];
    byKey.set(key, known);
    const like = known.find(({ first }) => isAlike(first, words));
    if (like) like.same.push(edit);
    else if (known.length < mostSentences) known.push({ first: words, same: [edit] });
  }
  return [...byKey].flatMap(([key, all]) =>
    all.flatMap(({ same }) => (isOfSeveral(same, fewestAlike) ? [[key, same] as const] : [])),
  );
}

// The change is as in the first resource, without what does not hold for all.
function groupOf(same: Same): Omit<EditGroup, "others" | "known"> {
  const isOnceEach = new Set(same.map(({ action }) => action)).size === same.length;
  const edits = (
    isOnceEach
      ? same
      : [...groupBy(same, ({ action }) => action).values()].flatMap((all) =>
          putTogether(all).filter(isOfChange),
        )
  ).toSorted((one, other) => byAddress(one.action, other.action));
  const { references = [], origin, under, ...change } = (edits[0] ?? same[0]).change;
  const isOfAll = (holds: (edit: ChangeEdit) => boolean) => same.every(holds);
  const areReferences =
    references.length > 0 && isOfAll((edit) => equal(edit.change.references ?? [], references));
  return {
    change: {
      ...change,
      ...(areReferences && { references }),
      ...(origin && isOfAll((edit) => isSameOrigin(edit.change, { ...change, origin })) && { origin }),
      ...(under !== undefined && isOfAll((edit) => equal(edit.change.under ?? [], under)) && { under }),
    },
    actions: [...new Set(edits.map(({ action }) => action))],
    edits,
    isJudged: isOfAll(({ isJudged }) => isJudged),
  };
}

/** Whether two changes are written in the same place outside of the documents, or both in the documents. */
export function isSameOrigin({ origin: one }: Change, { origin: other }: Change): boolean {
  return one?.file === other?.file && one?.line === other?.line;
}
