import { equal, type JsonObject, mapMembers, member, filterMembers } from "../../json/json.js";
import type { Kind } from "./kind.js";

/** Leaves out the fields of a body that are sent at creation alone, and so never kept or compared. */
export function lasting(body: JsonObject, { creationOnly }: Kind): JsonObject {
  for (const field of creationOnly)
    if (Object.hasOwn(body, field)) return filterMembers(body, (each) => !creationOnly.has(each));
  return body;
}

/** Gives the fields that differ and are no change alone; a plan shows them where the object is made anew. */
export function fieldsWithoutChange(before: JsonObject, after: JsonObject, kind: Kind): string[] {
  const fields = kind.outlined.filter((field) => !equal(before[field], after[field]));
  if (fields.length === 0 || !kind.essence) return [];
  const [was, is] = [kind.essence(before, after), kind.essence(after, before)];
  return fields.filter((field) => equal(was[field], is[field]));
}

/** Gives the complete body of a create, the whole documents in the place of their outlines; still symbolic. */
export function creationBody(kind: Kind, body: JsonObject, documents: JsonObject): JsonObject {
  return kind.creation(mapMembers(body, (value, field) => member(documents, field) ?? value));
}
