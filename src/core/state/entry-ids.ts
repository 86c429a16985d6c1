import type { Action } from "../../generated/plan.js";
import { filterMembers, type JsonObject } from "../../json/json.js";
import {
  environmentNames,
  eachText,
  isWholeSet,
  referencesIn,
  type Reference,
} from "../expression/reference.js";
import { resolvedReferences, type Lookup } from "../expression/resolution.js";
import { lasting } from "../kind/body.js";
import type { Kind } from "../kind/kind.js";
import { kindOfAddress } from "../kind/kinds.js";
import { indexOperations, type OperationIndex } from "../openapi/openapi.js";
import { bodyDigest, type Lock, type LockEntry } from "./lock.js";

/** Gives the ID that an entry has for a reference, the IDs for a whole tool set, or undefined if it has none. */
export function idInEntry(entry: LockEntry, reference: Reference): string | readonly string[] | undefined {
  if (isWholeSet(reference)) return entry.ids;
  if (reference.operation === undefined) return entry.id;
  const { keys, find } = operationsIn(entry, reference.address);
  const index = find(reference.operation);
  // What gives IDs alone has no operations to find it by.
  const key = index !== undefined ? keys[index] : keys.length === 0 ? reference.operation : undefined;
  const { tools = {} } = entry;
  return key !== undefined && Object.hasOwn(tools, key) ? tools[key] : undefined;
}

const indexes = new WeakMap<LockEntry, OperationIndex>();

// Many refer to one tool of the same set; an entry is never changed, only replaced.
function operationsIn(entry: LockEntry, address: string): OperationIndex {
  const known = indexes.get(entry);
  if (known) return known;
  const index = indexOperations(kindOfAddress(address).operations?.(entry.body) ?? []);
  indexes.set(entry, index);
  return index;
}

/** Gives a function that looks up the ID of a reference in a lock, or among those of other workspaces. */
export function lookupIn({ resources }: Pick<Lock, "resources">, used: Action["used"] = {}): Lookup {
  return (reference) => {
    if (Object.hasOwn(used, reference.text)) return used[reference.text] ?? undefined;
    const entry = resources[reference.address];
    return entry && idInEntry(entry, reference);
  };
}

/** Gives what the lock has of a body that is sent, whose references stand for what a lookup says. */
export function sentContent(
  whole: JsonObject,
  kind: Kind,
  lookup: Lookup,
): Pick<LockEntry, "body" | "digest" | "references"> {
  const body = lasting(whole, kind);
  const references = resolvedReferences(referencesIn(body), lookup);
  return { body, digest: bodyDigest(body), ...(references && { references }) };
}

/** Gives the variables that a create sends and nothing after it, for which no body has a place. */
export function sentOnce(whole: JsonObject, { creationOnly }: Kind): Pick<LockEntry, "sent_once"> {
  const names = new Set<string>();
  const passing = filterMembers(whole, (field) => creationOnly.has(field));
  eachText(passing, (text) => environmentNames(text).forEach((name) => names.add(name)));
  return names.size > 0 ? { sent_once: [...names] } : {};
}
