import type { Kind } from "../kind/kind.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { withEssence } from "../openapi/openapi.js";
import { isOutline } from "../openapi/outline-shape.js";
import { routeOf } from "../openapi/openapi-operation.js";

/**
 * Gives what was seen of an object with the operations that it was sent, and without those that only the service's
 * copy of a document has: a set that was found without their tools does not have them.
 */
export function withPickedOperations(sent: JsonObject, seen: JsonObject, { outlined }: Kind): JsonObject {
  const picked = outlined.flatMap((field): [string, Json][] => {
    const [ours, theirs] = [sent[field], seen[field]];
    if (!isObject(theirs) || !isOutline(ours) || !isOutline(theirs)) return [];
    const routes = new Set(ours.operations.map(routeOf));
    const operations = theirs.operations.filter((operation) => routes.has(routeOf(operation)));
    return [[field, withEssence({ ...theirs, operations }, ours)]];
  });
  return picked.length === 0 ? seen : { ...seen, ...Object.fromEntries(picked) };
}
