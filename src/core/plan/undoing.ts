import { difference, topField, type Change, isConsequence } from "./difference.js";
import { lasting } from "../kind/body.js";
import { sentLookup } from "../observation/entry-sighting.js";
import type { Kind } from "../kind/kind.js";
import { canonical, type Json, type JsonObject } from "../../json/json.js";
import { isUntold } from "../state/attempts.js";
import { pathSegment } from "../../json/path.js";
import type { FoundResource } from "../observation/found-objects.js";
import type { Lookup } from "../expression/resolution.js";
import { isBelow } from "../guardrails/change-path.js";

/** Gives how a resource differs from what it was last sent, references by what they stood for then. */
export function changesOf({ entry, kind, body, lookup }: FoundResource): Change[] {
  const before = lasting(entry.body, kind);
  return difference(before, body, { before: sentLookup(entry), after: lookup }, kind.outlined);
}

/** Gives the changes that undo what somebody changed in the service since it was last sent. */
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

/** Whether a change is of a field that no update of a kind sends. */
export function needsNew(change: Change, { replacedBy }: Kind): boolean {
  return replacedBy === "any" || replacedBy.includes(topField(change));
}

/** Whether no update can make a change that undoes what somebody did: one of single fields removes none either. */
export function isLasting(
  change: Change,
  body: JsonObject,
  kind: Kind,
  found: FoundResource | undefined,
): boolean {
  if (needsNew(change, kind)) return true;
  const field = topField(change);
  return !kind.updatesWhole && Object.hasOwn(found?.added ?? {}, field) && !Object.hasOwn(body, field);
}

/** Puts the changes that undo something in the place of those at the same path, and marks them if these are edits. */
export function withUndone(changes: readonly Change[], undone: readonly Change[]): Change[] {
  if (undone.length === 0) return [...changes];
  const byPath = new Map(undone.map((change) => [change.path, change]));
  const known = new Set(changes.map(({ path }) => path));
  return [
    ...changes.map((change) => {
      const undoing = byPath.get(change.path);
      if (undoing === undefined) return change;
      return isConsequence(change) ? undoing : { ...undoing, edited: true as const };
    }),
    ...undone.filter(({ path }) => !known.has(path)),
  ];
}

/** Whether a change undoes an edit that somebody made in the service, or a part of it. */
export function undoes(change: Change, edit: Change): boolean {
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
  return path === other || isBelow(path, other);
}

function isList(value: unknown): value is Json[] {
  return Array.isArray(value);
}

function without(items: readonly Json[], others: readonly Json[]): Json[] {
  const known = new Set(others.map(canonical));
  return items.filter((item) => !known.has(canonical(item)));
}
