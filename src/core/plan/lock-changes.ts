import { idOfKey } from "../kind/id.js";
import type { OwnersOf } from "../state/known-ids.js";
import { turnOf, type PartsOfNotes } from "../guardrails/note-parts.js";
import { compareText } from "../../json/compare-text.js";
import { hash } from "../../digest.js";
import type { GuardrailNote, StateChange } from "../../generated/plan.js";
import { difference, type Change } from "./difference.js";
import {
  canonical,
  equal,
  isObject,
  type Json,
  type JsonObject,
  member,
  filterMembers,
} from "../../json/json.js";
import { noteOf } from "../guardrails/note-words.js";
import type { Lock } from "../state/lock.js";

export type { StateChange };

/** One part of a lock that is edited as a whole: an entry of a table, or a member beside the tables. */
interface LockPart {
  readonly part: string;
  /** The entry's address or ID; undefined for a member beside the tables. */
  readonly key: string | undefined;
  readonly value: Json;
}

const tables: ReadonlySet<string> = new Set([
  "resources",
  "retired",
  "unknown",
  "deleted",
] satisfies (keyof Lock)[]);

/** Gives the edits between two locks, entry by entry. A different serial alone is not an edit, unless it is to be shown. */
export function lockChanges(before: Lock, after: Lock, showsSerial = false): StateChange[] {
  const [left, right] = [partsOf(before, showsSerial), partsOf(after, showsSerial)];
  const names = [...new Set([...left.keys(), ...right.keys()])];
  return names.flatMap((name) => changeOf(left.get(name), right.get(name))).toSorted(inOrder);
}

/** Merges the edits between `fork` and `own` into `base`, or names the parts that both sides edited differently since `fork`. */
export function layEditsOver(
  base: Lock,
  fork: Lock,
  own: Lock,
): { readonly ok: true; readonly lock: Lock } | { readonly ok: false; readonly clashes: readonly string[] } {
  const [there, common, here] = [partsOf(base), partsOf(fork), partsOf(own)];
  const isSame = (left?: LockPart, right?: LockPart) => equal(left?.value, right?.value);
  const merged = new Map(there);
  const clashes: string[] = [];
  for (const name of new Set([...common.keys(), ...here.keys()])) {
    const [were, are, is] = [common.get(name), there.get(name), here.get(name)];
    if (isSame(were, is) || isSame(are, is)) continue;
    const edited = is ?? were;
    if (!isSame(were, are) && edited) clashes.push(edited.key ?? edited.part);
    if (is) merged.set(name, is);
    else merged.delete(name);
  }
  if (clashes.length > 0) return { ok: false, clashes };
  const serial = Math.max(base.serial, own.serial);
  return { ok: true, lock: lockOf(merged, serial) };
}

function partsOf(lock: Lock, hasSerial = false): Map<string, LockPart> {
  const parts = new Map<string, LockPart>();
  const add = (each: LockPart): void => void parts.set(JSON.stringify([each.part, each.key]), each);
  for (const [part, value] of Object.entries(lock as unknown as JsonObject)) {
    if (part === "serial" && !hasSerial) continue;
    if (!tables.has(part) || !isObject(value)) add({ part, key: undefined, value });
    else for (const [key, entry] of Object.entries(value)) add({ part, key, value: entry });
  }
  return parts;
}

function lockOf(parts: ReadonlyMap<string, LockPart>, serial: number): Lock {
  const members: [string, Json][] = [["serial", serial]];
  const entries = new Map<string, [string, Json][]>([...tables].map((part) => [part, []]));
  for (const { part, key, value } of parts.values()) {
    if (key === undefined) members.push([part, value]);
    else entries.get(part)?.push([key, value]);
  }
  for (const [part, own] of entries) {
    // The one table that a lock may lack.
    if (part !== "deleted" || own.length > 0) members.push([part, Object.fromEntries(own)]);
  }
  return Object.fromEntries(members) as unknown as Lock;
}

function changeOf(before: LockPart | undefined, after: LockPart | undefined): StateChange[] {
  const named = after ?? before;
  if (!named || equal(before?.value, after?.value)) return [];
  const { part, key } = named;
  const address = addressOf(after ?? named, part) ?? addressOf(before ?? named, part);
  return [
    {
      part,
      ...(key !== undefined && { key: part === "retired" ? ledgerId(key, named.value) : key }),
      ...(address !== undefined && { address }),
      edit: before === undefined ? "added" : after === undefined ? "removed" : "changed",
      before: before === undefined ? null : hash(canonical(before.value)),
      after: after === undefined ? null : hash(canonical(after.value)),
      changes: fieldChanges(before?.value, after?.value, part),
    },
  ];
}

function ledgerId(key: string, value: Json): string {
  const id = isObject(value) ? value.id : undefined;
  return typeof id === "string" ? id : idOfKey(key);
}

function addressOf({ key, value }: LockPart, part: string): string | undefined {
  if (part === "deleted") return undefined;
  if (part !== "retired") return key;
  const address = isObject(value) ? value.address : undefined;
  return typeof address === "string" ? address : undefined;
}

function fieldChanges(before: Json | undefined, after: Json | undefined, part: string): Change[] {
  const sides = [before, after].filter((side) => side !== undefined);
  const [left, right] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  const hasFields = Object.keys(left).length + Object.keys(right).length > 0;
  if (!sides.every(isObject) || !hasFields) return [{ path: part, ...turnOf(before, after) }];
  return [...new Set([...Object.keys(right), ...Object.keys(left)])].flatMap((field) => {
    const [was, is] = [member(left, field), member(right, field)];
    if (equal(was, is)) return [];
    const isField = (key: string) => key === field;
    const changes = difference(filterMembers(left, isField), filterMembers(right, isField));
    // Equal meaning in a document can still be a different text in the lock.
    return changes.length > 0 ? changes : [{ path: field, ...turnOf(was, is) }];
  });
}

// The members beside the tables first, because they concern the whole lock.
function inOrder(a: StateChange, b: StateChange): number {
  const rank = ({ key, part }: StateChange) => (key === undefined ? "" : part);
  return (
    compareText(rank(a), rank(b)) || compareText(a.part, b.part) || compareText(a.key ?? "", b.key ?? "")
  );
}

/** Says of each edit of the state that it is one: whoever can make it can detach what guards an agent. */
export function stateNotes(changes: readonly StateChange[], known: WhatKnows): GuardrailNote[] {
  return changes.map((change) => {
    const { part, key, address = "agentform.lock", edit, changes: fields } = change;
    const stays = edit === "removed" ? whatStays(change, known) : undefined;
    const parts = {
      part,
      ...(key !== undefined && { key }),
      edit,
      fields: fields.map(({ path }) => path),
      ...(stays && { stays }),
    };
    return noteOf("state-edited", parts, { effect: "weakens", address });
  });
}

/** What still knows of an object whose entry was taken out of the lock. */
export interface WhatKnows {
  readonly hasDocument: (address: string) => boolean;
  /** Gives the addresses that have an ID in the lock as it is now. */
  readonly ownersOf: OwnersOf;
}

// An entry that only went to another address has lost no object.
function whatStays(
  { part, key = "", address = key, changes }: StateChange,
  { hasDocument, ownersOf }: WhatKnows,
): PartsOfNotes["state-edited"]["stays"] {
  if (part === "unknown") return "unknown";
  if (part === "retired") return ownersOf(address, key).length > 0 ? undefined : "retired";
  if (part !== "resources") return undefined;
  const ids = changes.flatMap(({ path, before }) => (path === "id" || path === "ids" ? before : []));
  const isOwned = ids.some((id) => typeof id === "string" && ownersOf(address, id).length > 0);
  return isOwned ? undefined : hasDocument(key) ? "document" : "alone";
}
