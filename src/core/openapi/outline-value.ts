import { measure } from "../../json/extent.js";
import {
  filterMembers,
  isObject,
  objectOf,
  mapMembers,
  mapParts,
  type Json,
  type JsonObject,
} from "../../json/json.js";
import type { Budget } from "../../json/budget.js";
import type { Digest } from "./openapi-digest.js";
import type { Pointers } from "./openapi-pointer.js";

/** Makes what an outline keeps of the values of one document, local `$ref`s resolved. */
export interface OutlineValues {
  readonly digest: Digest;
  readonly pointers: Pointers;
  readonly budget: Budget;
}

const memberCost = 48;
const longestText = 2000;
const longestList = 500;
const looksLikeDigest = /(?:^|sha256:)[0-9a-f]{64}\)?$/;
const openExpression = /\$+(?:\{[^}]*)?$/;

/** Gives a text, or its beginning and digest beyond 2,000 characters; what could pass for a digest becomes one. */
export function keptText(text: string, { digest, budget }: OutlineValues): string {
  budget.spend(Math.min(text.length, longestText));
  if (looksLikeDigest.test(text)) return digest(text);
  if (text.length <= longestText) return text;
  // Neither a pair of surrogates nor an expression is cut in two.
  const head = text
    .slice(0, longestText)
    .replace(openExpression, "")
    .replace(/[\uD800-\uDBFF]$/, "");
  return `${head}… (${text.length - head.length} more characters, sha256:${digest(text)})`;
}

/** Gives what an outline keeps of any value: texts, numbers and short lists of them; the digest of everything else. */
export function keptValue(value: Json, values: OutlineValues): Json {
  values.budget.spend(memberCost);
  if (typeof value === "string") return keptText(value, values);
  if (typeof value !== "object" || value === null) return value;
  const isShort =
    Array.isArray(value) && value.every(isScalar) && JSON.stringify(value).length <= longestList;
  return isShort ? value : values.digest(value);
}

/** Keeps a value member by member, as deep as said; an object without members is kept as one. */
export function keptMembers(value: Json, depth: number, values: OutlineValues): Json {
  const whole = values.pointers.end(value);
  if (depth === 0 || !isObject(whole)) return keptValue(whole, values);
  if (!values.budget.spend(memberCost * Object.keys(whole).length)) return null;
  return mapMembers(whole, (member) => keptMembers(member, depth - 1, values));
}

/** Resolves `$ref`s of a small value to a depth: OpenAPI knows none there, but many clients resolve them. */
export function resolved(value: Json, depth: number, { digest, pointers, budget }: OutlineValues): Json {
  const resolve = (each: Json, left: number): Json => {
    const whole = pointers.end(each);
    if (left === 0) return budget.spend(measure(whole).size) ? whole : null;
    if (typeof whole === "string")
      return budget.spend(whole.length) && !looksLikeDigest.test(whole) ? whole : digest(whole);
    if (typeof whole !== "object" || whole === null) return whole;
    if (!budget.spend(memberCost * Object.keys(whole).length)) return null;
    return mapParts(whole, (part) => resolve(part, left - 1));
  };
  return resolve(value, depth);
}

/** Gives an object without some of its members. */
export function omit(object: JsonObject, keys: ReadonlySet<string>): JsonObject {
  return filterMembers(object, (key) => !keys.has(key));
}

/** Gives the members of an object that it has of some. */
export function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  const present = keys.filter((key) => object[key] !== undefined);
  return objectOf(present, (key) => object[key] as Json);
}

/** Whether an object has no members. */
export function isEmpty(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}

/** Gives a value if it is a text, else an empty one. */
export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function isScalar(value: Json): boolean {
  return typeof value !== "object" || value === null;
}
