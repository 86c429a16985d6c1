import { inCode } from "../../core/finding/quotation.js";
import { groupBy } from "../../json/groups.js";
import { choiceOfPlan, type StateChoice } from "../../core/state/state-choice.js";
import { isConsequence } from "../../core/plan/consequence.js";
import { unitsOf } from "../../core/review/edit-units.js";
import { isChanging, knownAddresses } from "../../core/plan/plan-summary.js";
import type { EditGroup } from "../../core/review/edit-groups.js";
import { isOneByReason, reviewOf, type Review, type ReviewNote } from "../../core/review/review.js";
import type { Action, Change, Plan, PlanDiagnostic, StateChange } from "../../generated/plan.js";
import { layOutChange } from "../change/change-layout.js";
import { shownChange, type ShownChange } from "../change/shown-change.js";
import { lostEntryText } from "../../core/guardrails/note-phrases.js";
import { countText } from "../words/count-text.js";
import { knownWords } from "./known-words.js";
import { notJudgedMeaning, reviewMeanings, reviewTitles } from "../words/review-words.js";
import { sameWarnings } from "../words/same-warnings.js";
import { callsTexts } from "./calls-texts.js";
import { groupItems } from "./document-edits.js";
import { withKin } from "./kin.js";
import { follows, leaves, otherReasons, resolution } from "./action-sentences.js";
import {
  alike,
  deedText,
  leftBehind,
  notedChanges,
  notJudgedHere,
  ownEditsByWeight,
  saysAll,
  shownWithNote,
  withoutContext,
} from "./plan-review.js";
import type { OwnEdits } from "./own-edits.js";
import type {
  EditItem,
  Item,
  NameAbove,
  NameBelow,
  NoteItem,
  PlainItem,
  PlanSection,
  ReviewedItem,
  ReviewedName,
  SaidItem,
  SectionName,
  SectionOf,
  SettingItem,
  StateItem,
} from "./plan-section.js";

// The first notes have so many lines of their change, the others fewer. All of it is below, in the section of the edit.
const openNotes = 8;
const noteLines = 8;
// A block for fewer takes more room than its lines.
const leastNoteLines = 4;

/** Gives all sections of a plan that have anything, in the order of a review; every form prints these. */
export function sectionsOf(plan: Plan): PlanSection[] {
  const review = reviewOf(plan);
  const notes = review.notes.map((note, at) => noteItem(note, at < openNotes ? noteLines : leastNoteLines));
  const whole = notes.filter(({ isWhole }) => isWhole).map(({ item }) => item.note);
  const noted = notedChanges(whole, plan);
  const named = new Set(review.notes.flatMap(({ addresses }) => addresses));
  const state = (plan.state_changes ?? []).map((change) => stateItem(change, plan.notes));
  const warned = groupBy(
    plan.diagnostics.filter(({ severity }) => severity === "warning"),
    ({ address }) => address,
  );
  const own = ownEditsByWeight(review).map((each) => {
    const item = ownItem(each, noted, named);
    const warnings = warned.get(each.action.address) ?? [];
    return { ...item, follows: [...item.follows, ...warnings.map(({ message }) => `warning: ${message}`)] };
  });
  const known = knownAddresses(plan);
  const isNew = ({ action }: EditItem): boolean => action.action === "create";
  const above: Readonly<Record<NameAbove, PlainItem[]>> = {
    state,
    errors: diagnosticItems(plan, (severity) => severity === "error"),
    settings: settingItems(plan),
    calls: callsTexts(plan).map(said),
  };
  const reviewed: Readonly<Record<ReviewedName, ReviewedItem[]>> = {
    notes: notes.map(({ item }) => item),
    held: review.held.map((action) => heldItem(action, choiceOfPlan(plan))),
    onlyHere: withAlike(
      own.filter((item) => !isNew(item)),
      known,
    ),
    groups: groupItems(review.groups, isNotedIn(noted)),
    created: withKin(own.filter(isNew)),
    consequences: alike(review.consequences, known),
  };
  const below: Readonly<Record<NameBelow, PlainItem[]>> = {
    notJudged: notJudgedItems(review),
    leftBehind: leftBehind(plan).map(said),
    words: knownWords(plan).map(({ word, meaning }) => ({ sort: "said", word, text: meaning })),
    stateEdits: state.filter(({ isOpen }) => !isOpen).map((item) => ({ ...item, isOpen: true })),
    warnings: diagnosticItems(plan, (severity) => severity !== "error"),
  };
  const meanings = { ...reviewMeanings, notJudged: notJudgedMeaning(review.unjudged) };
  return [
    ...sectionsAt("above", above, meanings),
    ...sectionsAt("review", reviewed, meanings),
    ...sectionsAt("below", below, meanings),
  ];
}

// As many items as there are edits.
function withAlike(items: readonly EditItem[], known: readonly string[]): ReviewedItem[] {
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

function sectionsAt<Place extends string, Name extends SectionName, Of extends Item>(
  place: Place,
  itemsOf: Readonly<Record<Name, Of[]>>,
  meanings: Readonly<Partial<Record<SectionName, string>>>,
): SectionOf<Place, Name, Of>[] {
  return (Object.keys(itemsOf) as Name[])
    .filter((name) => itemsOf[name].length > 0)
    .map((name) => {
      const meaning = meanings[name];
      const about = { title: reviewTitles[name], ...(meaning !== undefined && { meaning }) };
      return { place, name, ...about, items: itemsOf[name] };
    });
}

// More is read after the review.
const mostOpenLines = 12;

/** Gives the item of an edit of the state. */
export function stateItem(change: StateChange, notes: Plan["notes"]): StateItem {
  const { part, key, address, edit, changes } = change;
  const note = notes.find(
    ({ code, parts }) => code === "state-edited" && parts.part === part && parts.key === key,
  );
  const lost = note && lostEntryText(note);
  const lines = changes.reduce((sum, each) => sum + layOutChange(shownChange(each)).lines.length + 1, 0);
  const of = address === undefined || address === key ? "" : ` of ${address}`;
  return {
    sort: "state",
    change,
    name: key ?? part,
    what: `${tables[part] ?? "part of the state"}${of}, ${edit}`,
    ...(lost !== undefined && { lost }),
    isOpen: lines <= mostOpenLines,
  };
}

const tables: Readonly<Record<string, string>> = {
  resources: "managed object",
  retired: "retired object",
  unknown: "create of unknown outcome",
};

function settingItems({ setting_changes = [], notes }: Plan): SettingItem[] {
  const noteOf = new Map(notes.filter(isOfSetting).map((note) => [note.path, note]));
  return setting_changes.map((change) => {
    const note = noteOf.get(change.path);
    return { sort: "setting", change, ...(note && { note }) };
  });
}

function isOfSetting({ code }: Pick<ReviewNote, "code">): boolean {
  return code === "setting-changed";
}

function noteItem(note: ReviewNote, most: number): { readonly item: NoteItem; readonly isWhole: boolean } {
  const item = { sort: "note", note, isAbove: isOfSetting(note) || note.code === "state-edited" } as const;
  const change = shownWithNote(note);
  if (!change) return { item: { ...item, lines: 0, left: 0 }, isWhole: saysAll(note) };
  const shown = shownChange(change);
  const count = linesOf(shown);
  // A line more takes no more room than saying that there is one.
  if (count <= most + 1) return { item: { ...item, change: shown, lines: count, left: 0 }, isWhole: true };
  const short = withoutContext(shown);
  const left = linesOf(short) - most;
  const isCut = left > 1;
  return {
    item: { ...item, change: short, lines: isCut ? most : most + 1, left: isCut ? left : 0 },
    isWhole: false,
  };
}

function linesOf(shown: ShownChange): number {
  return layOutChange(shown).lines.length + 1;
}

function heldItem(action: Action, choice: StateChoice): EditItem {
  const { changes, reasons } = action;
  const ways = resolution(action, choice);
  return { ...editItem(action, changes), reasons, ways, isHeld: true };
}

function ownItem(
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

function isNotedIn(noted: ReadonlySet<Change>): (group: EditGroup) => boolean {
  return ({ edits }) => edits.every(({ units }) => units.every((unit) => noted.has(unit)));
}

/** Names the fields of edits that no guardrail note is about, and counts the resources that are new, or edited as a whole. */
export function notJudgedItems({ notJudged }: Review): SaidItem[] {
  const named = notJudged.flatMap((each): SaidItem[] =>
    "field" in each ? [{ ...said(countText(each.resources, "resource")), field: each.field }] : [],
  );
  const whole = notJudged.flatMap((each) => {
    if ("field" in each) return [];
    if (each.action === "create") return countText(each.resources, "new resource");
    return `${countText(each.resources, "resource")} ${deedText(each)}`;
  });
  return [...named, ...whole.map(said)];
}

const mostFields = 20;

/** Names what was edited and no guardrail note is about, with numbers, in one line. */
export function notJudgedText(items: readonly Item[]): string {
  const all = items.filter((item) => item.sort === "said");
  const fields = all.flatMap(({ field, text }) =>
    field === undefined ? [] : [`${inCode(field)} of ${text}`],
  );
  const left = fields.length - mostFields;
  return [
    ...fields.slice(0, mostFields),
    ...all.flatMap(({ field, text }) => (field === undefined ? [text] : [])),
    ...(left > 0 ? [countText(left, "more field")] : []),
  ].join(", ");
}

function said(text: string): SaidItem {
  return { sort: "said", text };
}

function diagnosticItems(
  { diagnostics }: Plan,
  isWanted: (severity: PlanDiagnostic["severity"]) => boolean,
): SaidItem[] {
  return sameWarnings(diagnostics.filter(({ severity }) => isWanted(severity))).map(
    ({ diagnostic: { message, severity, code, hint }, places }) => ({
      sort: "said",
      text: message,
      diagnostic: { severity, code, ...(hint !== undefined && { hint }), places },
    }),
  );
}
