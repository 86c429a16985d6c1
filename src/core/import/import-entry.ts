import { identityMembers } from "../kind/identity.js";
import { lasting } from "../kind/body.js";
import type { Identity, Kind } from "../kind/kind.js";
import { resolvedReferences } from "../expression/resolution.js";
import type { Hash, JsonObject } from "../../json/json.js";
import { operationKeys } from "../openapi/openapi.js";
import { lookupIn } from "../plan/lock-lookup.js";
import { baselineOf } from "../observation/baseline.js";
import { sightingsOf } from "../observation/entry-sighting.js";
import { observedBody } from "../observation/observed-body.js";
import type { Resource } from "../resources/resource.js";
import { bodyDigest, type Lock, type LockEntry } from "../state/lock.js";
import { seenBody, type FoundObject, type Reading } from "./found-object.js";

/** Gives the lock entry of an object that is as its document says, with what it has beyond that. */
export function importedEntry(
  { body: whole, kind, file, lifecycle }: Resource,
  object: FoundObject,
  { entries, reading, hash }: { entries: Lock["resources"]; reading: Reading; hash: Hash },
): LockEntry {
  const body = lasting(whole, kind);
  const references = resolvedReferences(body, lookupIn({ resources: entries }));
  const entry = {
    ...identityMembers(withTools(object.identity, kind, seenBody(object, reading, hash))),
    body,
    digest: bodyDigest(body, hash),
    file,
    ...(lifecycle.protect === true && { protect: true }),
    ...(references && { references }),
  };
  const seen = object.parts.map((part) => observedBody(part, kind, reading.fieldNames, hash));
  return { ...entry, baseline: baselineOf(sightingsOf(entry, kind, seen), hash) };
}

/** Says which tool each ID of a set is; the IDs are in the order of the operations of its body. */
export function withTools(identity: Identity, kind: Kind, body: JsonObject): Identity {
  const { ids } = identity;
  if (!ids || !kind.operations) return identity;
  const keys = operationKeys(kind.operations(body));
  return { ids, tools: Object.fromEntries(ids.map((id, index) => [keys[index] ?? "", id])) };
}
