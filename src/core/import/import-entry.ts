import { identityMembers } from "../kind/identity.js";
import type { Identity, Kind } from "../kind/kind.js";
import { escapeStrings } from "../expression/substituted.js";
import type { JsonObject } from "../../json/json.js";
import { operationKeys } from "../openapi/openapi.js";
import { recordedMarks } from "../plan/recorded-marks.js";
import { lookupIn, sentContent } from "../state/entry-ids.js";
import { baselineOf } from "../observation/baseline.js";
import { sentTexts, sightingsOf } from "../observation/entry-sighting.js";
import { observedBody } from "../observation/observed-body.js";
import type { Resource } from "../resources/resource.js";
import type { Lock, LockEntry } from "../state/lock.js";
import { seenBody, type FoundObject, type AnswerReading } from "./found-object.js";

/** Gives the lock entry of an object that is as its document says, with what it has beyond that. */
export function importedEntry(
  resource: Resource,
  object: FoundObject,
  { entries, reading }: { entries: Lock["resources"]; reading: AnswerReading },
): LockEntry {
  const { kind, file } = resource;
  const entry = {
    ...identityMembers(withTools(object.identity, kind, seenBody(object, reading))),
    ...sentContent(resource.body, kind, lookupIn({ resources: entries })),
    file,
    ...recordedMarks(resource),
  };
  const seen = object.parts.map((part) => observedBody(part, kind, reading.fieldNames, sentTexts(entry)));
  return { ...entry, baseline: baselineOf(sightingsOf(entry, kind, seen)) };
}

/** Says which tool each ID of a set is; the IDs are in the order of the operations of what was seen. */
export function withTools(identity: Identity, kind: Kind, seen: JsonObject): Identity {
  const { ids } = identity;
  if (!ids || !kind.operations) return identity;
  // As in the body of an entry, which is symbolic.
  const keys = operationKeys(kind.operations(escapeStrings(seen) as JsonObject));
  return { ids, tools: Object.fromEntries(ids.map((id, index) => [keys[index] ?? "", id])) };
}
