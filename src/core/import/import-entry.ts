import { identityMembers } from "../kind/identity.js";
import { lasting } from "../kind/body.js";
import type { Identity, Kind } from "../kind/kind.js";
import { resolvedReferences } from "../expression/resolution.js";
import type { Hash, JsonObject } from "../../json/json.js";
import { operationKeys } from "../openapi/openapi.js";
import { lookupIn } from "../plan/lock-lookup.js";
import type { Resource } from "../resources/resource.js";
import { bodyDigest, type Lock, type LockEntry } from "../state/lock.js";

/** Gives the lock entry of an object that is as its document says. */
export function importedEntry(
  { body: whole, kind, file, lifecycle }: Resource,
  identity: Identity,
  entries: Lock["resources"],
  hash: Hash,
): LockEntry {
  const body = lasting(whole, kind);
  const references = resolvedReferences(body, lookupIn({ resources: entries }));
  return {
    ...identityMembers(identity),
    body,
    digest: bodyDigest(body, hash),
    file,
    ...(lifecycle.protect === true && { protect: true }),
    ...(references && { references }),
  };
}

/** Says which tool each ID of a set is; the IDs are in the order of the operations of its body. */
export function withTools(identity: Identity, kind: Kind, body: JsonObject): Identity {
  const { ids } = identity;
  if (!ids || !kind.operations) return identity;
  const keys = operationKeys(kind.operations(body));
  return { ids, tools: Object.fromEntries(ids.map((id, index) => [keys[index] ?? "", id])) };
}
