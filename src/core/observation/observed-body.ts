import type { Field } from "../../generated/fields.js";
import { asId } from "../kind/id.js";
import { findId } from "../kind/identity.js";
import type { Kind } from "../kind/kind.js";
import { kinds } from "../kind/kinds.js";
import { isHiddenMember } from "./hidden-member.js";
import { isEmpty, isMask, isWithheld, normal, otherSecret } from "./sameness.js";
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
import { escapeKey } from "../../json/json-pointer.js";
import type { Path } from "../../json/path.js";
import { evaluate } from "../expression/resolution.js";
import { escapeStrings } from "../expression/substituted.js";
import { mapTexts } from "../../json/texts.js";

/** The text in the place of a secret. */
export const secretMask = "***";

/** What an object was sent, by which secrets in an answer are known that only their place tells. */
export interface SentTexts {
  /** The texts, as a service may answer them. */
  readonly texts: () => ReadonlySet<string>;
  /** The places of texts with a secret, as `patternOf` gives them. */
  readonly secrets: () => ReadonlySet<string>;
}

/** Gives what an answer says as documents say it, without secrets; texts that were sent stay where others may be one. */
export function observedBody(
  answered: JsonObject,
  kind: Kind,
  fieldNames: Readonly<Record<string, string>>,
  sent?: SentTexts,
): JsonObject {
  const { fields: own } = specOf(kind);
  // A document that cannot be outlined says as much as one that is not there.
  const body = filterMembers(
    // A field that takes an ID alone is masked as one, whatever is in its place.
    withIds(recognised(answered, kind, fieldNames), kind, (place) => Object.hasOwn(own, place)),
    (field, value) => !kind.outlined.includes(field) || isObject(value),
  );
  const named = masked(outlineAnswered(body, kind), specOf(kind), { sent }) as JsonObject;
  return sent && sent.secrets().size > 0 ? (withoutSent(named, "", sent) as JsonObject) : named;
}

/** Gives an answer with the fields' own names, as documents have them. */
export function recognised(
  answered: JsonObject,
  kind: Kind,
  fieldNames: Readonly<Record<string, string>>,
): JsonObject {
  const own = ownNames(fieldNames);
  // Beside a field with the name that is sent, one with its name in documents is another one, which these cannot say.
  const isOther = (name: string) => {
    const wire = fieldNames[name];
    return wire !== undefined && Object.hasOwn(answered, wire) && !own.has(name);
  };
  const members = Object.entries(answered)
    .filter(([name]) => !isOther(name))
    .map(([name, value]) => [own.get(name) ?? name, value] as const);
  const named = Object.fromEntries(members);
  return kind.recognise?.(named) ?? named;
}

/** Gives a body with IDs for references, which services may show as objects or numbers. */
export function withIds(
  body: JsonObject,
  { places }: Kind,
  isAt: (place: string) => boolean = () => true,
): JsonObject {
  let all: Json = body;
  for (const [place, to] of Object.entries(places)) {
    if (typeof to === "string" && isAt(place)) all = idsAt(all, place.split("."), kinds[to].idFields);
  }
  return isObject(all) ? all : body;
}

/** Whether a field is one of the kind, or a place in one; in others a document may have objects with IDs, or numbers. */
export function isKnownPlace(place: string, kind: Kind): boolean {
  return Object.hasOwn(specOf(kind).fields, place.split(".", 1)[0] ?? "");
}

/** Gives what was seen of an object with IDs where it was sent nothing else. */
export function withIdsAs(sent: JsonObject, seen: JsonObject, kind: Kind): JsonObject {
  return withIds(seen, kind, (place) => {
    const values = valuesAt(sent, place.split("."));
    const isKnown = values.length > 0 || isKnownPlace(place, kind);
    return isKnown && values.every((value) => typeof value === "string");
  });
}

function valuesAt(value: Json, [key, ...rest]: readonly string[]): Json[] {
  if (Array.isArray(value))
    return value.flatMap((item) => valuesAt(item, key === undefined ? [] : [key, ...rest]));
  if (key === undefined) return [value];
  return isObject(value) && Object.hasOwn(value, key) ? valuesAt(value[key] ?? null, rest) : [];
}

// The items of a list are looked into, and no list in a list: an answer may be nested deeper than the stack reaches.
function idsAt(value: Json, keys: readonly string[], idFields: readonly string[]): Json {
  const [key, ...rest] = keys;
  if (Array.isArray(value)) {
    return value.map((item) => (Array.isArray(item) ? item : idsAt(item, keys, idFields)));
  }
  if (key === undefined) return (isObject(value) ? findId(value, idFields) : asId(value)) ?? value;
  if (!isObject(value)) return value;
  return mapMembers(value, (member, name) => (name === key ? idsAt(member, rest, idFields) : member));
}

/** Gives the fields' own names by those that the deployment has for them. */
export function ownNames(fieldNames: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(fieldNames).map(([field, wire]) => [wire, field]));
}

/** Gives the known fields of a kind's body. */
export function specOf({ fields }: Kind): Kind["fields"]["fields"]["spec"] {
  return fields.fields.spec;
}

interface Masking {
  readonly sent: SentTexts | undefined;
  readonly isData?: boolean;
}

// Somebody may have set a secret in the service where documents have none.
function masked(value: Json, field: Field | undefined, masking: Masking): Json {
  if (Array.isArray(value)) return value.map((item) => masked(item, field?.items, masking));
  if (!isObject(value)) return value;
  const { sent, isData = false } = masking;
  return mapMembers(value, (member, key) => {
    const known = field?.fields?.[key] ?? field?.values;
    if (secretNames.has(key) || (!isData && isSecretMember(key, member, known))) return allMasked(member);
    if (!isData && typeof member === "object" && isHiddenMember(key, member, { known, top: "" }))
      return unlessSent(member, sent);
    return masked(member, known, { sent, isData: isData || isAboutData(key) });
  });
}

// What was sent is in a document, and no secret there; a mask of the service says nothing of what is behind it.
function unlessSent(value: Json, sent: Masking["sent"]): Json {
  return mapTexts(value, (text) => {
    if (isEmpty(text) || isMask(text)) return text;
    if (!sent) return secretMask;
    return sent.texts().has(normal(text)) ? text : otherSecret;
  });
}

// The variable may be set where an apply runs, and not here. An item of a list may be at any index.
function withoutSent(value: Json, place: string, sent: SentTexts): Json {
  if (sent.secrets().has(place)) return unlessText(value, sent);
  return mapParts(value, (part, key) => withoutSent(part, place + stepOf(key), sent));
}

function unlessText(value: Json, sent: SentTexts): Json {
  if (typeof value === "object" && value !== null) return mapParts(value, (part) => unlessText(part, sent));
  const isSent = typeof value === "string" && sent.texts().has(normal(value));
  return isSent || isWithheld(value) || typeof value === "boolean" ? value : allMasked(value);
}

/** Gives the JSON pointer of a path, with `*` for any item of a list. */
export function patternOf(path: Path): string {
  return path.map(stepOf).join("");
}

function stepOf(key: string | number): string {
  return `/${typeof key === "number" ? "*" : escapeKey(key)}`;
}

function allMasked(value: Json): Json {
  if (typeof value === "object" && value !== null) return mapParts(value, (member) => allMasked(member));
  return value === null || value === "" ? value : secretMask;
}

/** Gives an answered body with outlines, whose digests are of escaped texts, as those of documents are. */
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
