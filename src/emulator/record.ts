import { isObject, type Json, type JsonObject } from "../json/json.js";
import type { EmulatedObject } from "./folder.js";
import { redactSecrets } from "./secret.js";

/** Renders an object as a full service does: filled in, without secrets, in an order of keys of its own. */
export function renderRecord(
  { id, body, times }: EmulatedObject,
  filledIn: JsonObject,
  ids: JsonObject,
): JsonObject {
  const record = { ...filledIn, ...redactSecrets(body), ...times, ...ids, _id: id };
  return Object.fromEntries(membersInOrder(record));
}

// Short keys first, as databases for JSON are known to keep them.
function membersInOrder(value: JsonObject): [string, Json][] {
  return Object.entries(value)
    .toSorted(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
    .map(([key, member]) => [key, inOrder(member)]);
}

function inOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inOrder);
  return isObject(value) ? Object.fromEntries(membersInOrder(value)) : value;
}
