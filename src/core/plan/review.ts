import type { Action, GuardrailNote, Plan } from "../../generated/plan.js";
import { canonical, equal, type Json } from "../../json/json.js";
import { topField, type Change } from "./difference.js";

/** A plan in the order of a review: what a person changed before what follows, what is rare before what is repeated. */
export interface Review {
  /** How many distinct edits the plan has. */
  readonly edits: number;
  /** The guardrail notes, the gravest first, equal ones once. */
  readonly notes: readonly ReviewNote[];
  /** Actions that wait for a person: of unknown outcome, or blocked. */
  readonly held: readonly Action[];
  /** Edits of one resource alone, in the order of the plan. */
  readonly onlyHere: readonly Edit[];
  /** Edits that several resources share, those of the most resources last. */
  readonly groups: readonly Group[];
  /** Actions that only follow from others, such as from a new ID. */
  readonly consequences: readonly Action[];
  /** The fields of edits that no guardrail rule looks at, with the number of resources. */
  readonly notJudged: readonly { readonly field: string; readonly resources: number }[];
}

/** Equal guardrail notes of one or more resources. */
export interface ReviewNote extends Omit<GuardrailNote, "address"> {
  readonly addresses: readonly string[];
  /** The change that the note is about, if the plan has one at its path. */
  readonly change?: Change;
}

/** Something that a person changed in one resource: one field, or the resource as a whole. */
export interface Edit {
  readonly action: Action;
  /** Undefined where the resource as a whole is created, adopted, forgotten or recorded. */
  readonly change?: Change;
}

/** An edit that several resources share. */
export interface Group {
  readonly change: Change;
  readonly actions: readonly Action[];
}

/** Whether a change only follows from another action: its text is the same, and what it refers to is not. */
export function isConsequence({ references, before, after }: Change): boolean {
  return references !== undefined && equal(before as Json | undefined, after as Json | undefined);
}

/** Puts a plan in the order of a review; a pure function of the plan, linear in its size. */
export function reviewOf(plan: Plan): Review {
  const held: Action[] = [];
  const consequences: Action[] = [];
  const edits: Edit[] = [];
  for (const action of plan.actions) {
    if (action.action === "unknown" || action.action === "blocked") held.push(action);
    else if (isWhole(action)) edits.push({ action });
    else if (action.changes.every(isConsequence)) consequences.push(action);
    else {
      for (const change of action.changes) if (!isConsequence(change)) edits.push({ action, change });
    }
  }
  const { onlyHere, groups } = group(edits);
  return {
    edits: onlyHere.length + groups.length,
    notes: gather(plan),
    held,
    onlyHere,
    groups,
    consequences,
    notJudged: unjudged(edits, plan.notes),
  };
}

// Fields of a new object are no edits of their own; what is only sent again has none.
function isWhole({ action, changes }: Action): boolean {
  return changes.length === 0 || !(action === "update" || action === "replace" || action === "record");
}

function group(edits: readonly Edit[]): Pick<Review, "onlyHere" | "groups"> {
  const byKey = new Map<string, Edit[]>();
  const onlyHere: Edit[] = [];
  for (const edit of edits) {
    if (!edit.change) {
      onlyHere.push(edit);
      continue;
    }
    const key = editKey(edit.change);
    const known = byKey.get(key);
    if (known) known.push(edit);
    else byKey.set(key, [edit]);
  }
  const groups: Group[] = [];
  for (const same of byKey.values()) {
    const [first] = same;
    if (same.length === 1 && first) onlyHere.push(first);
    else if (first?.change) groups.push({ change: first.change, actions: same.map(({ action }) => action) });
  }
  return { onlyHere, groups: groups.toSorted((one, other) => one.actions.length - other.actions.length) };
}

/** Gives a text that is the same for equal edits: the same path, and the same lines, items or values on each side. */
function editKey({ path, before, after, ...rest }: Change): string {
  const sides = isText(before) && isText(after) ? changedLines(before, after) : { before, after };
  return canonical({ path, ...sides, ...rest } as Json);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.includes("\n");
}

// Wherever the lines stand: two prompts that both lose a line have the same edit.
function changedLines(
  before: string,
  after: string,
): { readonly removed: string[]; readonly added: string[] } {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const [had, has] = [new Set(old), new Set(now)];
  return { removed: old.filter((line) => !has.has(line)), added: now.filter((line) => !had.has(line)) };
}

function gather({ notes, actions }: Plan): ReviewNote[] {
  const changes = new Map(actions.map((action) => [action.address, action.changes]));
  const byKey = new Map<string, { note: GuardrailNote; change?: Change | undefined; addresses: string[] }>();
  for (const note of notes) {
    const { address, ...rest } = note;
    const change = changes.get(address)?.find(({ path }) => path === note.path);
    const key = canonical({ ...rest, change: change ?? null } as unknown as Json);
    const known = byKey.get(key);
    if (known) known.addresses.push(address);
    else byKey.set(key, { note, change, addresses: [address] });
  }
  return [...byKey.values()].map(({ note: { address: _address, ...note }, change, addresses }) => ({
    ...note,
    addresses,
    ...(change && { change }),
  }));
}

function unjudged(edits: readonly Edit[], notes: readonly GuardrailNote[]): Review["notJudged"] {
  const judged = new Set(notes.map(({ address, path }) => `${address} ${path ?? ""}`));
  const resources = new Map<string, Set<string>>();
  for (const { action, change } of edits) {
    if (!change || judged.has(`${action.address} ${change.path}`)) continue;
    const field = topField(change);
    const known = resources.get(field);
    if (known) known.add(action.address);
    else resources.set(field, new Set([action.address]));
  }
  return [...resources].map(([field, addresses]) => ({ field, resources: addresses.size }));
}
