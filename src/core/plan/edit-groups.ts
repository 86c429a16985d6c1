import { groupBy } from "../../json/groups.js";
import type { Action, Plan } from "../../generated/plan.js";
import { compareText } from "../../json/compare-text.js";
import { equal, type Json } from "../../json/json.js";
import type { Change } from "./difference.js";
import { isChanging } from "./plan-summary.js";
import { isAlike, wordEdit, type WordEdit } from "./edit-key.js";
import { isTurn, peerKey } from "./peers.js";
import { weightOf } from "./edit-weight.js";
import { together } from "./edit-units.js";

/** Something that a person changed in one resource: a hunk of a text, a value, or the resource as a whole. */
export interface Edit {
  readonly action: Action;
  /** Undefined where the resource as a whole is created, adopted, forgotten or recorded. */
  readonly change?: Change;
  /** The change of the action that it is a part of, and which of the edits in that. */
  readonly whole?: Change;
  readonly units: readonly Change[];
  /** Whether a guardrail note is about it. */
  readonly isJudged: boolean;
}

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
  /** The resources of the same kinds that do not have it. */
  readonly others: Others;
}

/** Resources of the same kinds as those with a shared edit that were there before and do not have it. */
export interface Others {
  /** The value that was changed, where they are those that had the same one. */
  readonly value?: Json;
  /** Undefined where the plan does not say how many there are. */
  readonly count?: number;
  /** The first of them: those that change otherwise, then those without a change, each sorted. */
  readonly addresses: readonly string[];
}

/** Gives a text that is the same for equal edits. */
export type KeyOf = (change: Change) => string;

/** Edits that several resources share, and those that one alone has. */
export interface GroupedEdits {
  /** In their order. */
  readonly onlyHere: readonly Edit[];
  /** Those whose lines differ first; then by what they can do, those of the most resources last, then by path. */
  readonly groups: readonly EditGroup[];
}

/**
 * Groups the edits of a plan: equal ones of several resources are one, and so are those that change the same words in
 * lines that differ, such as by a value for each resource. What one resource alone has of a change is one edit.
 */
export function groupEdits(edits: readonly Edit[], plan: Plan, keyOf: KeyOf): GroupedEdits {
  const ofChanges = edits.filter(isOfChange);
  const othersOf = othersIn(plan, ofChanges);
  const shared = readTogether(
    [...groupBy(ofChanges, ({ change }) => keyOf(change))].flatMap(([key, same]) =>
      byTitle(same).flatMap((each) => (isOfSeveral(each, 2) ? [[key, each] as const] : [])),
    ),
  );
  const isShared = new Set<Edit>(shared.flatMap(([, same]) => same));
  const alike = sameWords(ofChanges.filter((edit) => !isShared.has(edit)));
  const isAlikeOrShared = new Set<Edit>([...isShared, ...alike.flatMap(([, same]) => same)]);
  const inOrder = (all: readonly (readonly [string, Same])[]) =>
    all
      .map(([key, same]) => {
        const group = groupOf(same);
        return { key, group, weight: weightOf(same[0].action.address, group.change) };
      })
      .toSorted(
        (one, other) =>
          one.weight - other.weight ||
          one.group.actions.length - other.group.actions.length ||
          compareText(one.key, other.key) ||
          compareText(one.group.actions[0]?.address ?? "", other.group.actions[0]?.address ?? ""),
      )
      .map(({ group }) => ({ ...group, others: othersOf(group.edits) }));
  return {
    onlyHere: putTogether(edits.filter((edit) => !isAlikeOrShared.has(edit))),
    groups: [
      ...inOrder(alike).map((group): EditGroup => ({ ...group, linesDiffer: true })),
      ...inOrder(shared),
    ],
  };
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
    return [...groupBy(alike, ([, same]) => membersOf(same)).values()].flatMap(([first, ...more]) =>
      first ? [[first[0], [...first[1], ...more.flatMap(([, same]) => same)]] as const] : [],
    );
  });
}

function membersOf(same: Same): string {
  return JSON.stringify([...new Set(same.map(({ action }) => action.address))].toSorted());
}

/** Tells apart the edits that are the same but for the titles that they stand under. */
function byTitle(same: readonly ChangeEdit[]): (readonly ChangeEdit[])[] {
  const under = same[0]?.change.under;
  if (same.every(({ change }) => change.under === under)) return [same];
  const groups = [...groupBy(same, titleOf).values()];
  if (groups.length === 1) return groups;
  const lone = groups.filter(({ length }) => length === 1).flat();
  // Where hardly two have the same title, titles are names, such as of the agent.
  const areNames = lone.length >= Math.max(2, same.length / 2);
  return areNames ? [lone, ...groups.filter(({ length }) => length > 1)] : groups;
}

function titleOf({ action: { address }, change: { under = "" } }: ChangeEdit): string {
  const own = new Set(address.toLowerCase().split(/[^\p{L}\p{N}]+/u));
  const words = under.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.filter((word) => !own.has(word)).join(" ");
}

// Those of one change come one after another.
function putTogether(edits: readonly Edit[]): Edit[] {
  const groups = groupBy(edits, (edit) => edit.whole ?? edit);
  return [...groups].flatMap(([, [first, ...more]]) => {
    if (!first) return [];
    const { whole } = first;
    if (!whole) return [first];
    const all = [first, ...more];
    const units = all.flatMap((edit) => edit.units);
    return [
      {
        ...first,
        change: together(whole, units),
        units,
        isJudged: all.every(({ isJudged }) => isJudged),
      },
    ];
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
    const key = `${edit.isJudged} ${titleOf(edit)} ${words.key}`;
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

/** An edit of a field. */
export interface ChangeEdit extends Edit {
  readonly change: Change;
}

function isOfChange(edit: Edit): edit is ChangeEdit {
  return edit.change !== undefined;
}

// The change is as in the first resource, without what does not hold for all.
function groupOf(same: Same): Omit<EditGroup, "others"> {
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
      ...(under !== undefined && isOfAll((edit) => edit.change.under === under) && { under }),
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

const mostOthers = 20;

/** Finds the resources without an edit: those with the same old value where it is one value, else all of the kinds. */
function othersIn(plan: Plan, edits: readonly ChangeEdit[]): (members: readonly ChangeEdit[]) => Others {
  const ofKindsOf = kindredIn(plan);
  const keep = new Map(
    (plan.peers ?? []).map((each) => {
      const { kind, path, value: before } = each;
      return [peerKey({ address: `${kind}:`, change: { path, before } }), each] as const;
    }),
  );
  const turnsAt = groupBy(
    plan.peers ? edits.filter(({ change }) => isTurn(change)) : [],
    ({ action: { address }, change }) => peerKey({ address, change }),
  );
  return (members) => {
    const [first] = members;
    if (!first || !plan.peers || !isTurn(first.change)) return ofKindsOf(members.map(({ action }) => action));
    const key = peerKey({ address: first.action.address, change: first.change });
    const own = new Set(members.map(({ action }) => action));
    const changed = (turnsAt.get(key) ?? []).filter(({ action }) => !own.has(action));
    const { count = 0, addresses = [] } = keep.get(key) ?? {};
    const named = [...changed.map(({ action }) => action.address).toSorted(compareText), ...addresses];
    return {
      value: first.change.before as Json,
      count: count + changed.length,
      addresses: named.slice(0, mostOthers),
    };
  };
}

// Looks at no more resources than have the edit, and twenty more.
function kindredIn({ actions, summary, unchanged = {} }: Plan): (actions: readonly Action[]) => Others {
  const byKind = groupBy(actions.filter(isChanging), kindOf);
  for (const each of byKind.values()) each.sort(byAddress);
  return (members) => {
    const own = new Set(members);
    const kinds = [...new Set(members.map(kindOf))];
    const resting = kinds.flatMap((kind) => (Object.hasOwn(unchanged, kind) ? (unchanged[kind] ?? []) : []));
    const all =
      sum(kinds.map((kind) => byKind.get(kind)?.length ?? 0)) + sum(resting.map(({ count }) => count));
    const addresses: string[] = [];
    for (const action of kinds.flatMap((kind) => byKind.get(kind) ?? [])) {
      if (addresses.length === mostOthers) break;
      if (!own.has(action)) addresses.push(action.address);
    }
    addresses.push(...resting.flatMap((each) => each.addresses));
    const isCounted = summary.unchanged === 0 || kinds.every((kind) => Object.hasOwn(unchanged, kind));
    return { ...(isCounted && { count: all - members.length }), addresses: addresses.slice(0, mostOthers) };
  };
}

function kindOf({ address }: Action): string {
  return address.slice(0, address.indexOf(":"));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function byAddress(one: Action, other: Action): number {
  return compareText(one.address, other.address);
}
