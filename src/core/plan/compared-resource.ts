import { hasSecret } from "./change-reasons.js";
import { fieldsWithoutChange, lasting } from "../kind/body.js";
import { difference, topField, type Change, type Lookups } from "./difference.js";
import { filterMembers, type JsonObject } from "../../json/json.js";
import type { Kind } from "../kind/kind.js";
import { noText, type Lookup } from "../expression/resolution.js";
import type { LockEntry } from "../state/lock.js";
import { lookups, type Planning } from "./planning.js";
import type { PlanOptions } from "./plan-options.js";
import type { Resource } from "../resources/resource.js";
import { isLasting, undoneBy, withUndone } from "./undoing.js";

/** What is done to a resource whatever its document says. */
export interface Asked {
  readonly isReplace: boolean;
  /** The fields that are sent again on request. */
  readonly resent: readonly string[];
  /** The fields that are sent again, also because an update is uncertain. */
  readonly forced: readonly string[];
  /** The IDs that the service does not have any more. */
  readonly gone: readonly string[];
}

/** Gives what is done to a resource whatever its document says. */
export function askedOf(resource: Resource, entry: LockEntry, kind: Kind, planning: Planning): Asked {
  const { address } = resource;
  const resent = isResent(resource, planning.options) ? resentFields(resource.body, kind) : [];
  return {
    isReplace: planning.options.replace.has(address),
    resent,
    forced: entry.uncertain
      ? fieldsOf(...[entry, ...(entry.attempted ?? []), resource].map(({ body }) => body))
      : resent,
    gone: planning.found.get(address)?.gone ?? [],
  };
}

/** How a resource differs from what it was last sent, and from what was found in the service. */
export interface ComparedResource {
  /** What the object has once that is done. */
  readonly body: JsonObject;
  /** The edits of its document, and what undoes somebody's change. */
  readonly changes: readonly Change[];
  readonly edits: readonly Change[];
  readonly isUndoing: boolean;
  /** What is only written in another way: IDs in the place of references, or references by other names. */
  readonly rewritten: readonly Change[];
  /** Whether an ID is written in the place of a reference to the same object, or a reference in the place of its ID. */
  readonly isRebound: boolean;
  /** The fields for which the object must be replaced. */
  readonly replacing: readonly string[];
  readonly isReplaced: boolean;
}

/** Compares a resource with what it was last sent, and with what was found in the service. */
export function compare(
  { address, body }: Resource,
  entry: LockEntry,
  kind: Kind,
  { isReplace, forced, gone }: Asked,
  planning: Planning,
): ComparedResource {
  const wanted = lasting(body, kind);
  const before = lasting(entry.body, kind);
  const found = planning.found.get(address);
  const meanings = lookups(entry, planning);
  const all = difference(before, wanted, meanings, kind.outlined);
  const unchanged = fieldsWithoutChange(before, wanted, kind);
  const changing = all.filter((change) => !unchanged.includes(topField(change)));
  const edited = changing.map(topField);
  // What is only sent again is not changed, and an object need not be replaced for it.
  const replacing = [...new Set([...edited, ...forced])].filter(
    (field) =>
      !kind.creationOnly.has(field) &&
      (kind.replacedBy === "any" || (kind.replacedBy.includes(field) && edited.includes(field))),
  );
  const isReplaced = isReplace || gone.length > 0 || replacing.length > 0;
  const edits = isReplaced ? all : changing;
  // What is no change alone is sent with a new object: until then the lock keeps what the one that is there was sent.
  const isKept = (field: string) => !isReplaced && unchanged.includes(field);
  const told = { ...body, ...filterMembers(before, isKept) };
  const after = lasting(told, kind);
  const undone = undoneBy(found, after, meanings.after);
  const undoing = isReplaced ? undone : undone.filter((change) => !isLasting(change, after, kind, found));
  const changes = withUndone(edits, undoing);
  // What is sent is recorded whole, so all that is written in another way is shown.
  const rewritten = without(difference(before, after, undefined, kind.outlined), changes);
  return {
    body: told,
    changes,
    edits,
    isUndoing: undoing.length > 0,
    rewritten,
    isRebound:
      rewritten.length > 0 &&
      without(difference(before, after, asObjects(meanings), kind.outlined), all).length > 0,
    replacing,
    isReplaced,
  };
}

/** Gives all that an update sends as changes: nothing of it was there before, as far as anybody knows. */
export function everythingSent(
  { body: before }: LockEntry,
  body: JsonObject,
  { replacedBy }: Kind,
  meanings?: Lookups,
): Change[] {
  const isSent = (field: string) => replacedBy === "any" || !replacedBy.includes(field);
  const removed = filterMembers(before, (field) => isSent(field) && !Object.hasOwn(body, field));
  return difference(removed, filterMembers(body, isSent), meanings);
}

function without(changes: readonly Change[], others: readonly Change[]): Change[] {
  const known = new Set(others.map(({ path }) => path));
  return changes.filter(({ path }) => !known.has(path));
}

// A reference is its object, by whatever name: no ID that is written equals it, for a new object does not reach that.
function asObjects({ before, after }: Lookups): Lookups {
  const object =
    (lookup: Lookup): Lookup =>
    (reference) => {
      const ids = lookup(reference);
      return typeof ids === "object" ? ids.map(noText) : ids && noText(ids);
    };
  return { before: object(before), after: object(after) };
}

function isResent(resource: Resource, { resend }: PlanOptions): boolean {
  return resend.has(resource.address) || (resend.has("all") && resource.secrets.length > 0);
}

function resentFields(body: JsonObject, { creationOnly, replacedBy }: Kind): string[] {
  const sent = Object.keys(body).filter(
    (field) => !creationOnly.has(field) && (replacedBy === "any" || !replacedBy.includes(field)),
  );
  const secret = sent.filter((field) => hasSecret(body[field]));
  return secret.length > 0 ? secret : sent;
}

function fieldsOf(...bodies: JsonObject[]): string[] {
  return [...new Set(bodies.flatMap((body) => Object.keys(body)))];
}
