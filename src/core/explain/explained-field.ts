import type { ExplainAnswer } from "../../generated/explain.js";
import { quote } from "../finding/quotation.js";
import { didYouMean } from "../finding/nearest.js";
import { isObject, listOf, type JsonObject } from "../../json/json.js";
import type { Kind } from "../kind/kind.js";
import { descriptionIn, partsAt } from "../schema/schema-parts.js";
import { changeEffect, settingEffect } from "./change-effect.js";

/** A field of a document or of the manifest, and what its schema and the core say about it. */
export type ExplainedField = NonNullable<ExplainAnswer["field"]>;

/** A field inside an explained one; `NAME` in capitals stands for any name. */
export type MemberField = ExplainedField["members"][number];

/** What a person asks about: a kind, or the manifest if it is undefined, and the keys that lead to a field. */
export interface FieldQuestion {
  readonly word: string;
  readonly kind: Kind | undefined;
  readonly path: readonly string[];
}

/** Why a question about a field has no answer. */
export interface UnknownField {
  readonly ok: false;
  readonly message: string;
  readonly hint: string;
}

/** Explains a field from the schema of its kind; a key that is missing at the start is looked for under `spec`. */
export function explainField(
  { word, kind, path }: FieldQuestion,
  schema: JsonObject,
): { readonly ok: true; readonly field: ExplainedField } | UnknownField {
  const [first] = path;
  const isBelowSpec =
    first !== undefined && find(schema, [first]) === undefined && find(schema, ["spec", first]);
  const keys = isBelowSpec ? ["spec", ...path] : path;
  const known: string[] = [];
  for (const key of keys) {
    if (find(schema, [...known, key]) === undefined) return unknown(word, known, key, schema);
    known.push(key);
  }
  return { ok: true, field: describe(word, kind, keys, schema) };
}

function unknown(word: string, known: readonly string[], key: string, schema: JsonObject): UnknownField {
  const names = membersOf(find(schema, known) ?? [], schema).map(({ name }) => name);
  const below =
    known.length === 0 ? membersOf(find(schema, ["spec"]) ?? [], schema).map(({ name }) => name) : [];
  const where = [word, ...known].join(".");
  const message = `${quote(where)} has no field ${quote(key)}`;
  const hint = didYouMean(key, [...names, ...below]);
  if (hint !== undefined) return { ok: false, message, hint: hint.text };
  const fields = names.length === 0 ? "it has no fields of its own" : `it has ${names.join(", ")}`;
  return { ok: false, message, hint: fields };
}

function effectOf(word: string, kind: Kind | undefined, keys: readonly string[]) {
  if (kind) return changeEffect(kind, keys);
  return word === "rule" ? undefined : settingEffect(keys);
}

/** The parts of the schema for a value; items of lists need no step of their own. */
function find(schema: JsonObject, keys: readonly string[]): JsonObject[] | undefined {
  const path: (string | number)[] = [];
  for (const key of keys) {
    if (partsAt(schema, [...path, key]).length > 0) path.push(key);
    else if (partsAt(schema, [...path, 0, key]).length > 0) path.push(0, key);
    else return undefined;
  }
  return partsAt(schema, path);
}

function describe(
  word: string,
  kind: Kind | undefined,
  keys: readonly string[],
  schema: JsonObject,
): ExplainedField {
  const parts = find(schema, keys) ?? [];
  const key = keys.at(-1);
  const holders = keys.length > 0 ? withItems(find(schema, keys.slice(0, -1)) ?? [], schema) : [];
  const description = descriptionIn(parts);
  const type = typeOf(parts, schema);
  const unless = parts.find((part) => part.default !== undefined)?.default;
  const isReadOnly = parts.some(({ readOnly }) => readOnly === true);
  const effect = isReadOnly ? undefined : effectOf(word, kind, keys);
  return {
    name: [word, ...keys].join("."),
    ...(description !== undefined && { description }),
    ...(type !== undefined && { type }),
    ...(unless !== undefined && { default: unless }),
    ...(effect !== undefined && { effect }),
    required: holders.some((part) => listOf(part.required).includes(key ?? null)),
    secret: parts.some(({ writeOnly }) => writeOnly === true),
    read_only: isReadOnly,
    list: parts.some(({ items }) => items !== undefined),
    values: parts.flatMap((part) => [
      ...listOf(part.enum),
      ...(part.const === undefined ? [] : [part.const]),
    ]),
    examples: parts.flatMap((part) => listOf(part.examples)),
    members: [...membersOf(parts, schema), ...(keys.length === 0 ? membersOfSpec(schema) : [])],
  };
}

// Most of what a person looks for in a kind is under `spec`.
function membersOfSpec(schema: JsonObject): MemberField[] {
  return membersOf(partsAt(schema, ["spec"]), schema).map((each) => ({ ...each, name: `spec.${each.name}` }));
}

function membersOf(parts: readonly JsonObject[], schema: JsonObject): MemberField[] {
  const members = new Map<string, MemberField>();
  for (const part of withItems(parts, schema)) {
    const { properties, additionalProperties, required } = part;
    const names = isObject(properties) ? Object.keys(properties) : [];
    if (isObject(additionalProperties)) names.push("NAME");
    for (const name of names.filter((each) => !members.has(each))) {
      const description = descriptionIn(partsOf(part, name, schema));
      const isRequired = listOf(required).includes(name);
      members.set(name, { name, ...(description !== undefined && { description }), required: isRequired });
    }
  }
  return [...members.values()];
}

function partsOf(part: JsonObject, name: string, schema: JsonObject): JsonObject[] {
  return partsAt({ ...part, definitions: schema.definitions ?? null }, [name]);
}

function withItems(parts: readonly JsonObject[], schema: JsonObject): JsonObject[] {
  return parts.flatMap((part) => [part, ...itemsOf(part, schema)]);
}

function itemsOf(part: JsonObject, schema: JsonObject): JsonObject[] {
  return isObject(part.items) ? partsAt({ ...part.items, definitions: schema.definitions ?? null }, []) : [];
}

const typeWords: Readonly<Record<string, string>> = {
  object: "mapping",
  array: "list",
};

// A text may be an expression anyway; of other types the schema says so.
function typeOf(parts: readonly JsonObject[], schema: JsonObject): string | undefined {
  const own = parts.filter(({ title }) => title !== "ExpressionText");
  const named = new Set(own.flatMap((part) => listOf(part.type)).filter((each) => typeof each === "string"));
  const types = [...named].map((each) => typeWords[each] ?? each);
  const items = own.flatMap((part) => itemsOf(part, schema));
  const inside = items.length > 0 && types.includes("list") ? typeOf(items, schema) : undefined;
  const words = types.map((each) =>
    each === "list" && inside !== undefined ? `list (items: ${inside})` : each,
  );
  if (words.length === 0) return undefined;
  if (own.length < parts.length) words.push("expression such as `${var:NAME}`");
  return words.join(" or ");
}
