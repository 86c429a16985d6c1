import { isConsequence } from "./consequence.js";
import { difference, type Change } from "./difference.js";
import { changesOf } from "./drift.js";
import { canonical, type Json, type JsonObject } from "../../json/json.js";
import { isUntold } from "./adoption.js";
import { pathSegment } from "../../json/path.js";
import type { FoundResource } from "../observation/found-objects.js";
import type { Lookup } from "../expression/resolution.js";

/**
 * Gives the changes of a body that undo what somebody changed in the service since it was last sent: before is what
 * was found there. What agrees with the new body, whose references stand for what a lookup says, is undone by nothing.
 */
export function undoneBy(found: FoundResource | undefined, body: JsonObject, after: Lookup): Change[] {
  // What an adopted object has was never sent from here.
  if (!found || isUntold(found.entry)) return [];
  const { added } = found;
  const additions = Object.entries(added).map(([field, value]) => ({
    path: pathSegment(field),
    after: value,
  }));
  const edits = [...changesOf(found), ...additions];
  if (edits.length === 0) return [];
  return difference({ ...found.body, ...added }, body, { before: found.lookup, after }, found.kind.outlined)
    .filter((change) => !isConsequence(change) && edits.some((edit) => undoes(change, edit)))
    .map((change) => ({ ...change, undoes: true }));
}

/** Puts the changes that undo something in the place of those at the same path. */
export function withUndone(changes: readonly Change[], undone: readonly Change[]): Change[] {
  if (undone.length === 0) return [...changes];
  const byPath = new Map(undone.map((change) => [change.path, change]));
  const known = new Set(changes.map(({ path }) => path));
  return [
    ...changes.map((change) => byPath.get(change.path) ?? change),
    ...undone.filter(({ path }) => !known.has(path)),
  ];
}

function undoes(change: Change, edit: Change): boolean {
  if (!isWithin(change.path, edit.path) && !isWithin(edit.path, change.path)) return false;
  const { before: sent, after: seen } = edit;
  const wanted = change.after;
  if (change.path !== edit.path || !isList(sent) || !isList(seen) || !isList(wanted)) return true;
  // Of a list, somebody may have added or removed what the document does, too.
  const added = without(seen, sent);
  const removed = without(sent, seen);
  return without(added, wanted).length > 0 || without(removed, wanted).length < removed.length;
}

function isWithin(path: string, other: string): boolean {
  return path === other || (path.startsWith(other) && /^[.[{]/.test(path.slice(other.length)));
}

function isList(value: unknown): value is Json[] {
  return Array.isArray(value);
}

function without(items: readonly Json[], others: readonly Json[]): Json[] {
  const known = new Set(others.map(canonical));
  return items.filter((item) => !known.has(canonical(item)));
}
