import { lasting } from "../kind/body.js";
import type { Kind } from "../kind/kind.js";
import { comparing, type Lookup } from "../expression/resolution.js";
import { type JsonObject, isObject, type Json } from "../../json/json.js";
import type { LockEntry } from "../state/lock.js";
import { specOf } from "./observed-body.js";
import { sightingOf, type Sighting, type Sight } from "./sighting.js";
import { withEssence } from "../openapi/openapi.js";
import { isOutline } from "../openapi/outline-shape.js";
import { routeOf } from "../openapi/openapi-operation.js";

/** Gives what references stood for when a body was last sent. */
export function sentLookup({ references = {} }: Pick<LockEntry, "references">): Lookup {
  return ({ text }) => (Object.hasOwn(references, text) ? references[text] : undefined);
}

/**
 * Compares what a managed object was last sent with what was observed of it, for a tool set of each of its tools.
 * References stand for what they did then, and what the service does not show is what an apply remembered, unless given.
 */
export function sightingsOf(
  entry: Pick<LockEntry, "body" | "references" | "baseline">,
  kind: Kind,
  observed: readonly JsonObject[],
  {
    lookup = sentLookup(entry),
    hidden = entry.baseline ? new Set(entry.baseline.hidden) : "all",
  }: { readonly lookup?: Lookup; readonly hidden?: Sight["hidden"] } = {},
): Sighting[] {
  const sent = lasting(entry.body, kind);
  const sight = { meaning: comparing(lookup), fields: specOf(kind), hidden };
  return observed.map((seen) => sightingOf(sent, withPickedOperations(sent, seen, kind), sight));
}

/**
 * Gives what was seen of an object with the operations that it was sent, and without those that only the service's
 * copy of a document has: a set that was found without their tools does not have them. What alone is no change is
 * as it was sent.
 */
function withPickedOperations(sent: JsonObject, seen: JsonObject, { outlined }: Kind): JsonObject {
  const picked = outlined.flatMap((field): [string, Json][] => {
    const [ours, theirs] = [sent[field], seen[field]];
    if (!isObject(theirs) || !isOutline(ours) || !isOutline(theirs)) return [];
    const routes = new Set(ours.operations.map(routeOf));
    const operations = theirs.operations.filter((operation) => routes.has(routeOf(operation)));
    return [[field, withEssence({ ...theirs, operations }, ours)]];
  });
  return picked.length === 0 ? seen : { ...seen, ...Object.fromEntries(picked) };
}
