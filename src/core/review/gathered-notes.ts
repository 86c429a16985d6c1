import type { GuardrailNote, NamedOperation, NoteParts, Plan } from "../../generated/plan.js";
import { compareText } from "../../json/compare-text.js";
import { oncePer } from "../../json/once.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { changesBelow } from "../guardrails/change-path.js";
import { renameAddresses } from "../guardrails/mention.js";
import { messageOf } from "../guardrails/note-words.js";
import { isAddress } from "../kind/address.js";
import { kindOfText } from "../kind/kinds.js";
import { addressPatterns, type AddressPattern } from "../kind/address-pattern.js";
import { commonParts, namedAlike } from "./alike-names.js";
import { ceasedText, type Ceased } from "../plan/ceased-default.js";
import type { Change } from "../plan/difference.js";
import { titleOf } from "./edit.js";
import { isSameOrigin, type KeyOf } from "./edit-groups.js";
import { together } from "./edit-units.js";
import { knownAddresses } from "../plan/plan-summary.js";
import { unitsAbout } from "./units-about.js";

/** Equal notes of one or more resources; names that follow from the noted one's are patterns in parts and message. */
export interface ReviewNote extends Omit<GuardrailNote, "address"> {
  readonly addresses: readonly string[];
  /** The addresses, as few patterns. */
  readonly patterns: readonly AddressPattern[];
  /** The file of all their documents, if it is one. */
  readonly file?: string;
  /** The change that the note is about, if the plan has one at its path that is the same for all. */
  readonly change?: Change;
}

/** Gathers the notes of a plan: those of one cause are one, and of one rule, those of the fewest come first. */
export function gatherNotes(plan: Plan, keyOf: KeyOf): ReviewNote[] {
  const { notes, actions } = plan;
  const actionOf = new Map(actions.map((action) => [action.address, action]));
  const gathered = new Map<string, Gathered>();
  const alike = new Map<string, Set<string>>();
  for (const note of notes) {
    const { code, effect, address, path, parts } = note;
    const { changes = [], file } = actionOf.get(address) ?? {};
    const whole = firstByPath(changes).get(path ?? "");
    const units = whole ? unitsAbout(note, whole) : [];
    const change = whole && together(whole, units);
    const titles = units.map((unit) => titleOf(address, unit));
    const edit = change && JSON.stringify([titles, keyOf(change)]);
    const isText = typeof change?.before === "string" && typeof change.after === "string";
    const sort = JSON.stringify([code, effect, path, withoutNames(parts, hidden), isText && edit]);
    const resources = alike.get(sort) ?? new Set();
    alike.set(sort, resources.add(address));
    const nameOf = namedAlike(address);
    const ceased = changesBelow(ceasedIn(changes))
      .get(path ?? "")
      ?.at(-1)?.ceased;
    const ownEdit = change && !isText ? keyOf(withNames(change, nameOf)) : edit;
    const key = JSON.stringify([
      code,
      effect,
      path,
      // What a label or a default takes away is one edit, whatever was there.
      causeOf(note) ?? [
        withoutNames(parts, nameOf),
        ceased ? [ceased, ceased.why === "labels" && file] : ownEdit,
      ],
    ]);
    const known = gathered.get(key);
    if (known) add(known, note, change, edit);
    else
      gathered.set(key, {
        notes: [note],
        ...(change && { change }),
        ...(ceased && { ceased }),
        edit,
        addresses: new Set([address]),
        alike: resources,
      });
  }
  const sortOf = ({ effect, code }: GuardrailNote): string => `${effect} ${code}`;
  const places = new Map([...new Set(notes.map(sortOf))].map((sort, place) => [sort, place]));
  const placeOf = ({ notes: [first] }: Gathered): number => places.get(sortOf(first)) ?? 0;
  const known = knownAddresses(plan);
  return [...gathered.values()]
    .toSorted(
      (one, other) =>
        placeOf(one) - placeOf(other) ||
        one.alike.size - other.alike.size ||
        one.addresses.size - other.addresses.size,
    )
    .map((each) => reviewNote(each, known, (address) => actionOf.get(address)?.file));
}

interface Gathered {
  readonly notes: [GuardrailNote, ...GuardrailNote[]];
  change?: Change;
  /** The default that gave what they had, if that is why they have it no more. */
  readonly ceased?: Ceased;
  readonly edit: string | undefined;
  readonly addresses: Set<string>;
  /** The resources with a note that is the same but for the names of resources, such as of tool sets of their own. */
  readonly alike: ReadonlySet<string>;
}

function add(
  known: Gathered,
  note: GuardrailNote,
  change: Change | undefined,
  edit: string | undefined,
): void {
  known.addresses.add(note.address);
  known.notes.push(note);
  if (!known.change || !change) return;
  // Of changes that differ in names, each is shown with its own resource.
  if (edit !== known.edit) delete known.change;
  else if (!isSameOrigin(known.change, change)) {
    const { origin: _origin, ...rest } = known.change;
    known.change = rest;
  }
}

function reviewNote(
  { notes, addresses, change, ceased }: Gathered,
  known: readonly string[],
  fileOf: (address: string) => string | undefined,
): ReviewNote {
  const [{ address, parts: first, ...note }] = notes;
  const parts = commonParts(notes.map((each) => each.parts));
  const all = [...addresses].toSorted(compareText);
  const [file, ...files] = new Set(all.map(fileOf));
  const message = parts === first ? note.message : messageOf({ ...note, address, parts });
  return {
    ...note,
    parts,
    message: ceased ? `${message}; ${ceasedText(ceased)}` : message,
    addresses: all,
    patterns: addressPatterns(all, known),
    ...(file !== undefined && files.length === 0 && { file }),
    ...(change && { change }),
  };
}

// What is forgotten for one cause is one note, whatever each of the objects has.
function causeOf({ code, address, parts }: GuardrailNote): Json | undefined {
  if (code !== "object-forgotten" && code !== "policy-forgotten") return undefined;
  const { gone = null, why = null } = parts as JsonObject;
  return [kindOfText(address)?.name ?? null, gone, isObject(why) ? { ...why, keys: null } : null];
}

/** Gives what stands for an address where things are compared; undefined for itself. */
type NameOf = (address: string) => string | undefined;

const hidden: NameOf = (name) => (isAddress(name) ? "\0" : undefined);

function withNames({ path, before, after, order, outline }: Change, nameOf: NameOf): Change {
  const named = (value: unknown): Json => renameAddresses(value as Json, { get: nameOf });
  return {
    path,
    ...(before !== undefined && { before: named(before) }),
    ...(after !== undefined && { after: named(after) }),
    ...(order && { order }),
    ...(outline && { outline }),
  };
}

// Parts as they are compared. Lists of operations name no resource.
function withoutNames({ operations, ...parts }: NoteParts, nameOf: NameOf): Json {
  return [renameAddresses(parts as JsonObject, { get: nameOf }), operations ? textOf(operations) : null];
}

// Agents with the same tool set share a list, which may be long.
const textOf = oncePer((operations: readonly NamedOperation[]) => JSON.stringify(operations));

const ceasedIn = oncePer((changes: readonly Change[]) => changes.filter((change) => change.ceased));

// A new object may have many changes, each as long as a prompt, and notes are about few of them.
const firstByPath = oncePer(
  (changes: readonly Change[]): ReadonlyMap<string, Change> =>
    new Map(changes.toReversed().map((change) => [change.path, change])),
);

/** Gives a text for a place in a resource, such as that of a change. */
export function placeKey(address: string, path = ""): string {
  return `${address} ${path}`;
}
