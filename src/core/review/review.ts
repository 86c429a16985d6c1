import type { Action, GuardrailNote, Plan } from "../../generated/plan.js";
import { addTo, groupBy } from "../../json/groups.js";
import { once, oncePer } from "../../json/once.js";
import { changesBelow, pathsOfNote, withParents } from "../guardrails/change-path.js";
import { operationPath } from "../guardrails/moved-calls.js";
import { topField, type Change, isConsequence } from "../plan/difference.js";
import type { Edit } from "./edit.js";
import { groupEdits, type EditGroup } from "./edit-groups.js";
import { editKey } from "./edit-key.js";
import { likenessIn } from "./edit-weight.js";
import { unitsOf } from "./edit-units.js";
import { gatherNotes, placeKey, type ReviewNote } from "./gathered-notes.js";
import { comparisons, partsAbout, quotedBy, unitsAbout } from "./units-about.js";
import { isChanging } from "../plan/plan-summary.js";

export type { ReviewNote };

/** A plan in the order of a review: what a person changed before what follows, what is rare before what is repeated. */
export interface Review {
  /** How many distinct edits the plan has; what is forgotten, or made anew as it is, for one reason is one. */
  readonly edits: number;
  /** The guardrail notes, the gravest first, equal ones once; of one rule, those of the fewest resources first. */
  readonly notes: readonly ReviewNote[];
  /** Actions that wait for a person: of unknown outcome, or blocked. */
  readonly held: readonly Action[];
  /** Edits of one resource alone, in the order of the plan. */
  readonly onlyHere: readonly Edit[];
  /** Says of an edit how many of its words others change, too: 0 for hardly any of them, 2 for most. */
  readonly likeness: (change: Change) => 0 | 1 | 2;
  /** Edits that several resources share: by what they can do, those of the most resources last, then by path. */
  readonly groups: readonly EditGroup[];
  /** Actions without an edit: they only follow from others, such as from a new ID, or are sent or recorded again. */
  readonly consequences: readonly Action[];
  /** How many of the distinct edits no guardrail note is about. */
  readonly unjudged: number;
  /** What no guardrail note is about: fields, or what is done to resources as a whole, with the number of resources. */
  readonly notJudged: readonly NotJudged[];
}

/** A field, or what is done to resources as a whole, and how many resources have an edit of it that is not judged. */
export type NotJudged = ({ readonly field: string } | { readonly action: Action["action"] }) & {
  readonly resources: number;
};

/** Puts a plan in the order of a review, once and in linear time. */
export const reviewOf = oncePer((plan: Plan): Review => {
  const held: Action[] = [];
  const consequences: Action[] = [];
  const edits: Edit[] = [];
  const isJudged = judgedBy(plan.notes);
  for (const action of plan.actions) {
    if (action.action === "unknown" || action.action === "blocked") held.push(action);
    else {
      const found = editsOf(action, isJudged);
      if (found.length === 0) consequences.push(action);
      for (const edit of found) edits.push(edit);
    }
  }
  const keyOf = oncePer(editKey);
  const { onlyHere, groups } = groupEdits(edits, plan, keyOf);
  return {
    edits: distinct(onlyHere, groups),
    unjudged: distinct(onlyHere.filter(isOpen), groups.filter(isOpen)),
    notes: gatherNotes(plan, keyOf),
    held,
    onlyHere,
    likeness: likenessIn(edits.flatMap(({ change }) => change ?? [])),
    groups,
    consequences,
    notJudged: notJudgedIn(edits.filter(isOpen)),
  };
});

/** Whether an action is one edit with all others of its reason: forgotten, or made anew unchanged at its address. */
export function isOneByReason({ action, from }: Action, isWhole: boolean): boolean {
  return action === "forget" || (action === "replace" && from === undefined && isWhole);
}

function distinct(edits: readonly Edit[], groups: readonly EditGroup[]): number {
  const whole = edits.filter(({ action, change }) => isOneByReason(action, !change));
  const reasons = new Set(whole.map(({ action: { action, reasons } }) => `${action} ${reasons.join()}`));
  return edits.length - whole.length + reasons.size + groups.length;
}

function isOpen({ isJudged }: Pick<Edit, "isJudged">): boolean {
  return !isJudged;
}

/** Gives what a person changed by an action: none if it only follows from others, or is sent or recorded again. */
function editsOf(action: Action, isJudged: Judge): Edit[] {
  const found: Edit[] = [];
  // The fields of a new object are no edits of their own.
  const hasFields = isChanging(action);
  if (hasFields) {
    for (const whole of action.changes) {
      if (isConsequence(whole)) continue;
      for (const change of unitsOf(whole))
        found.push({ action, change, whole, units: [change], isJudged: isJudged(action, whole, change) });
    }
  }
  const isWhole =
    !hasFields ||
    action.from !== undefined ||
    (found.length === 0 && action.action === "replace" && (isAsked(action) || action.gone !== undefined)) ||
    (found.length === 0 && action.action === "record" && action.adopted !== undefined);
  return isWhole ? [{ action, units: [], isJudged: isJudged(action) }, ...found] : found;
}

// Whoever has an object made anew gives no other reason.
function isAsked({ causes = [] }: Action): boolean {
  return causes.some(({ code }) => code === "replace-asked" || code === "resend-asked");
}

/** Whether a note is about an action, or about one edit of a change of it. */
type Judge = (action: Action, change?: Change, unit?: Change) => boolean;

// A note on a part of a body is about what it quotes in it, or everything; any note on a resource is about it as a whole.
function judgedBy(notes: readonly GuardrailNote[]): Judge {
  const notesAt = new Map<string, Map<string, GuardrailNote[]>>();
  for (const note of notes) {
    // What an object is taken over without, or a new agent can do, says nothing of what it is told.
    if (
      note.parts.new === true ||
      note.code === "object-adopted" ||
      note.code === "object-exchanged" ||
      (note.code === "agent-without-policy" && note.parts.adopted === true)
    )
      continue;
    const known = notesAt.get(note.address) ?? new Map<string, GuardrailNote[]>();
    notesAt.set(note.address, known);
    for (const path of pathsOfNote(note)) addTo(known, path, note);
  }
  const gains = gainedOperations(notes);
  const known = new Map<GuardrailNote, ReadonlySet<Change>>();
  const workOf = once((_address) => comparisons());
  // A note is of one resource.
  const partsOf = (note: GuardrailNote, changes: readonly Change[]): ReadonlySet<Change> => {
    const below = () => [...pathsOfNote(note)].flatMap((path) => changesBelow(changes).get(path) ?? []);
    const found = known.get(note) ?? partsAbout(note, below, workOf(note.address));
    known.set(note, found);
    return found;
  };
  return ({ address, changes }, change, unit) => {
    const atPaths = notesAt.get(address);
    if (!change) return atPaths !== undefined;
    const isOfUnit = (note: GuardrailNote): boolean =>
      unit === undefined || unitsAbout(note, change).includes(unit);
    const isAbout = (note: GuardrailNote): boolean => partsOf(note, changes).has(change) && isOfUnit(note);
    const around = atPaths ? withParents(change.path).map((path) => atPaths.get(path) ?? []) : [];
    if (atPaths?.get(change.path)?.some(isOfUnit)) return true;
    // Thousands of changes may have a note each, all at one path.
    if (around.some((all) => quotedBy(all, change).some((quoting) => quoting.some(isOfUnit)))) return true;
    if (!workOf(address).isSpent && around.some((all) => all.some(isAbout))) return true;
    const added = change.before === undefined ? inField.exec(change.path)?.[1] : undefined;
    return added !== undefined && gains.has(placeKey(address, added));
  };
}

const inField = /^[\w$-]+\.(.+)$/s;

// A new operation of a tool set has its notes at the agents that gain it; those of one set share a list.
function gainedOperations(notes: readonly GuardrailNote[]): Set<string> {
  const lists = new Map(
    notes
      .filter(({ code }) => code === "writing-tool-gained" || code === "tool-gained")
      .map(({ parts: { toolset, operations = [] } }) => [operations, toolset] as const),
  );
  return new Set(
    [...lists].flatMap(([operations, toolset = ""]) =>
      operations.map(({ route = "" }) => placeKey(toolset, operationPath(route))),
    ),
  );
}

function notJudgedIn(edits: readonly Edit[]): NotJudged[] {
  const byWhat = groupBy(edits, ({ action, change }) =>
    change ? `field ${topField(change)}` : `action ${action.action}`,
  );
  return [...byWhat.values()].map((all) => {
    const [{ action, change }] = all;
    const resources = new Set(all.map((edit) => edit.action)).size;
    return { ...(change ? { field: topField(change) } : { action: action.action }), resources };
  });
}
