import { diffWordsWithSpace } from "diff";
import type { Change } from "../../generated/plan.js";
import { mayForbid } from "../../core/guardrails/prohibition.js";
import { changedLines } from "../../core/review/edit-key.js";
import { countEach, groupBy } from "../../json/groups.js";
import { canonical, equal, isObject } from "../../json/json.js";
import { oncePer } from "../../json/once.js";
import { changeOnLine } from "../change/change-line.js";
import { asIs, type Quote, shownChange, type ShownChange } from "../change/shown-change.js";
import { scalarText } from "../words/value-text.js";
import type { EditItem, KinItem, KinMember } from "./plan-section.js";
import type { MemberWords } from "./group-title.js";
import { withoutContext } from "./plan-review.js";

// Two are read as quickly as one and what differs in the other.
const fewestKin = 3;
// So many sorts of one kind are told apart; what is like none of them stays alone.
const mostSorts = 8;
// How much of a resource is as in the first: of one document with `for_each`, or in all but what names it.
const sharedInFile = 0.5;
const sharedElsewhere = 0.8;

/** Puts new resources together that are alike: the first whole, the others by what differs, if there are enough. */
export function withKin(items: readonly EditItem[]): (EditItem | KinItem)[] {
  const kinOf = new Map<EditItem, KinItem | undefined>();
  const created = items.filter(({ action }) => action.action === "create");
  for (const own of groupBy(created, sortOf).values()) {
    for (const { first, others } of sortsIn(own)) {
      if (others.length + 1 < fewestKin) continue;
      kinOf.set(first, { sort: "kin", first, others: others.map(({ member }) => member) });
      for (const { item } of others) kinOf.set(item, undefined);
    }
  }
  return items.flatMap((item): (EditItem | KinItem)[] => {
    const kin = kinOf.get(item);
    return kin ? [kin] : kinOf.has(item) ? [] : [item];
  });
}

// What else is said of the one is true of the others.
function sortOf({ action: { address }, reasons, isNamed }: EditItem): string {
  return JSON.stringify([address.slice(0, address.indexOf(":")), reasons, isNamed]);
}

interface KinSort {
  readonly first: EditItem;
  readonly others: { readonly item: EditItem; readonly member: KinMember }[];
}

function sortsIn(items: readonly EditItem[]): KinSort[] {
  const sorts: KinSort[] = [];
  const byFile = new Map<string, KinSort[]>();
  for (const item of items) {
    const { file = "" } = item.action;
    const ofFile = byFile.get(file) ?? [];
    const others = sorts.slice(0, mostSorts).filter((sort) => !ofFile.includes(sort));
    const found =
      placed(item, ofFile.slice(0, mostSorts), sharedInFile) ?? placed(item, others, sharedElsewhere);
    if (found) continue;
    const sort = { first: item, others: [] };
    sorts.push(sort);
    byFile.set(file, [...ofFile, sort]);
  }
  return sorts;
}

function placed(item: EditItem, sorts: readonly KinSort[], least: number): KinSort | undefined {
  return sorts.find(({ first, others }) => {
    const changes = differences(first.all, item.all, least);
    if (changes !== undefined)
      others.push({ item, member: { action: item.action, like: first.action.address, changes } });
    return changes !== undefined;
  });
}

const textOf = oncePer(({ before, after }: Change) => canonical(after ?? before ?? null));

// Undefined where less of the resource is as in the first.
function differences(first: readonly Change[], own: readonly Change[], least: number): Change[] | undefined {
  const ofFirst = new Map(first.map((change) => [change.path, change]));
  const changes: Change[] = [];
  let [all, differing] = [0, 0];
  for (const change of own) {
    const like = ofFirst.get(change.path);
    ofFirst.delete(change.path);
    all += textOf(change).length;
    if (like && textOf(like) === textOf(change)) continue;
    if (change.outline || like?.outline) return undefined;
    for (const leaf of leavesOf(change.path, like?.after, change.after)) {
      differing += newText(leaf);
      changes.push(leaf);
    }
  }
  for (const gone of ofFirst.values()) {
    differing += textOf(gone).length;
    changes.push({ path: gone.path, before: gone.after ?? null });
  }
  return all - differing >= least * all ? changes : undefined;
}

// Of two mappings, the members that differ.
function leavesOf(path: string, before: Change["before"], after: Change["after"]): Change[] {
  if (!isObject(before) || !isObject(after)) {
    return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }];
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const [from, to] = [before, after].map((side) => (Object.hasOwn(side, key) ? side[key] : undefined));
    const isSame = from !== undefined && to !== undefined && equal(from, to);
    return isSame ? [] : leavesOf(`${path}.${key}`, from, to);
  });
}

// How much of the new value the first does not have: of a text, by its words.
function newText(change: Change): number {
  const { before, after } = change;
  if (typeof before !== "string" || typeof after !== "string") return textOf(change).length;
  const known = countEach(wordsIn(before));
  let length = 0;
  for (const word of wordsIn(after)) {
    const left = known.get(word) ?? 0;
    known.set(word, left - 1);
    if (left <= 0) length += word.length;
  }
  return length;
}

function wordsIn(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]{1,1000}/gu) ?? [];
}

/** Says of how many resources what differs follows. */
export function kinText(members: readonly KinMember[]): string {
  const hasMore = members.some((each) => {
    const { words, below } = kinWords(each, asIs);
    return words !== "" || below.length > 0;
  });
  return `${members.length} more like it, ${hasMore ? "with what differs" : "each with its own name"}`;
}

/** Says what differs in a new resource: words, but for its address's, and fields that these do not explain. */
export function kinWords({ action, like, changes }: KinMember, quote: Quote): MemberWords {
  const named = turnsOf(like, action.address) ?? new Map<string, string>();
  const turns = new Map(named);
  for (const { before, after } of changes) {
    if (typeof before !== "string" || typeof after !== "string" || !before.includes("\n")) continue;
    for (const [from, to] of turnsOf(before, after) ?? []) turns.set(from, to);
  }
  const fields: string[] = [];
  const below: ShownChange[] = [];
  for (const change of changes) {
    if (isExplained(change, turns)) continue;
    const shown = shownChange(change);
    const { after } = change;
    const onLine =
      after === undefined
        ? "none"
        : shown.content.sort === "pair"
          ? quote(scalarText(after))
          : changeOnLine(shown, quote);
    if (onLine === undefined) below.push(withoutContext(shown));
    else fields.push(`${quote(change.path)}: ${onLine}`);
  }
  const words = [...turns]
    // A name that may forbid is a word like any other where it stands in a text.
    .filter(([from, to]) => named.get(from) !== to || [from, to].some(mayForbid))
    .map(([from, to]) => `${quote(from)} → ${quote(to)}`);
  return { address: action.address, words: [...words, ...fields].join(", "), below };
}

function isExplained({ before, after }: Change, turns: ReadonlyMap<string, string>): boolean {
  if (before === undefined || after === undefined || turns.size === 0) return false;
  return turned(canonical(before), turns) === canonical(after);
}

const mostEdits = 200;

// Undefined unless a text is the other with some words replaced wherever they are: else where they are matters.
function turnsOf(before: string, after: string): ReadonlyMap<string, string> | undefined {
  const lines = changedLines(before, after);
  const parts = diffWordsWithSpace(lines.removed.join("\n"), lines.added.join("\n"), {
    maxEditLength: mostEdits,
  });
  const turns = new Map<string, string>();
  let isApart = true;
  for (const [index, { removed, added, value }] of (parts ?? []).entries()) {
    const next = parts?.[index + 1];
    if (!added && !removed) isApart ||= /[\p{L}\p{N}]/u.test(value);
    else if (removed) {
      // Words side by side that are all others are another sentence.
      if (!next?.added || !isApart) return undefined;
      turns.set(value, next.value);
      isApart = false;
    } else if (parts?.[index - 1]?.removed !== true) return undefined;
  }
  return turns.size > 0 && turned(before, turns) === after ? turns : undefined;
}

function turned(text: string, turns: ReadonlyMap<string, string>): string {
  const longestFirst = [...turns.keys()].toSorted((one, other) => other.length - one.length);
  const any = longestFirst.map((each) => each.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, "gu");
  return text.replace(pattern, (word) => turns.get(word) ?? word);
}
