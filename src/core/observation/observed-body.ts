import type { Field } from "../../generated/fields.js";
import type { Kind } from "../kind/kind.js";
import { outlineAnswered } from "./observed-outline.js";
import { isObject, type Hash, type Json, type JsonObject } from "../../json/json.js";

/** The text in the place of a secret. */
export const secretMask = "***";

/** Gives what an answer says of an object as documents say it: the fields' own names, documents as outlines, no secrets. */
export function observedBody(
  answered: JsonObject,
  kind: Kind,
  fieldNames: Readonly<Record<string, string>>,
  hash: Hash,
): JsonObject {
  const own = new Map(Object.entries(fieldNames).map(([field, wire]) => [wire, field]));
  const named = Object.fromEntries(
    Object.entries(answered).map(([name, value]) => [own.get(name) ?? name, value]),
  );
  const body = kind.recognise?.(named) ?? named;
  return masked(outlineAnswered(body, kind, hash), specOf(kind)) as JsonObject;
}

/** Gives the known fields of a kind's body. */
export function specOf({ fields }: Kind): Field {
  return fields.fields?.spec ?? {};
}

function masked(value: Json, field: Field | undefined): Json {
  if (field?.writeOnly) return value === null ? null : secretMask;
  if (Array.isArray(value)) return value.map((item) => masked(item, field?.items));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      masked(member, field?.fields?.[key] ?? field?.values),
    ]),
  );
}
