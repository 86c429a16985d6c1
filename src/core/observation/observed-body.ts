import type { Field } from "../../generated/fields.js";
import type { Kind } from "../kind/kind.js";
import { secretNames } from "../position/secret-name.js";
import { isAboutData, isSecretMember } from "../schema/secret.js";
import {
  isObject,
  type Json,
  type JsonObject,
  mapMembers,
  filterMembers,
  mapParts,
} from "../../json/json.js";
import { evaluate } from "../expression/resolution.js";
import { escapeStrings } from "../expression/substituted.js";

/** The text in the place of a secret. */
export const secretMask = "***";

/** Gives what an answer says of an object as documents say it: the fields' own names, documents as outlines, no secrets. */
export function observedBody(
  answered: JsonObject,
  kind: Kind,
  fieldNames: Readonly<Record<string, string>>,
): JsonObject {
  // A document that cannot be outlined says as much as one that is not there.
  const body = filterMembers(
    recognised(answered, kind, fieldNames),
    (field, value) => !kind.outlined.includes(field) || isObject(value),
  );
  return masked(outlineAnswered(body, kind), specOf(kind)) as JsonObject;
}

/** Gives an answer with the fields' own names, as documents of its kind have them. */
export function recognised(
  answered: JsonObject,
  kind: Kind,
  fieldNames: Readonly<Record<string, string>>,
): JsonObject {
  const own = ownNames(fieldNames);
  const members = Object.entries(answered).map(([name, value]) => [own.get(name) ?? name, value] as const);
  const named = Object.fromEntries(members);
  return kind.recognise?.(named) ?? named;
}

/** Gives the fields' own names by those that the deployment has for them. */
export function ownNames(fieldNames: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(fieldNames).map(([field, wire]) => [wire, field]));
}

/** Gives the known fields of a kind's body. */
export function specOf({ fields }: Kind): Field {
  return fields.fields?.spec ?? {};
}

// Somebody may have set a secret in the service where documents have none.
function masked(value: Json, field: Field | undefined, isData = false): Json {
  if (Array.isArray(value)) return value.map((item) => masked(item, field?.items, isData));
  if (!isObject(value)) return value;
  return mapMembers(value, (member, key) => {
    const known = field?.fields?.[key] ?? field?.values;
    const isHidden = secretNames.has(key) || (!isData && isSecretMember(key, member, known));
    return isHidden ? allMasked(member) : masked(member, known, isData || isAboutData(key));
  });
}

function allMasked(value: Json): Json {
  if (typeof value === "object" && value !== null) return mapParts(value, (member) => allMasked(member));
  return value === null || value === "" ? value : secretMask;
}

/**
 * Gives a body that was answered with its documents as outlines. The digests in the outline of a workspace's document
 * are of its escaped texts, so they are here, too; what is not a digest is as it was answered.
 */
function outlineAnswered(body: JsonObject, kind: Kind): JsonObject {
  const documents = kind.outlined.filter((field) => isObject(body[field]));
  if (documents.length === 0) return body;
  const escaped = documents.map((field): [string, Json] => [field, escapeStrings(body[field] as Json)]);
  const { body: outlined } = kind.outline({ ...body, ...Object.fromEntries(escaped) });
  const literal = documents.map((field): [string, Json] => [
    field,
    evaluate(outlined[field] ?? null, () => undefined),
  ]);
  return { ...outlined, ...Object.fromEntries(literal) };
}
