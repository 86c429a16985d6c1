import { escapeLiteral, isExpression, parseText } from "./expression.js";
import { emptyTable, isObject, type Json, type JsonObject } from "./json.js";
import { isWholeSet, referencesIn, toReference, type Reference } from "./reference.js";

/** Gives the ID that a reference stands for, the IDs of a whole tool set, or undefined where there is none. */
export type Lookup = (reference: Reference) => string | readonly string[] | undefined;

/** Puts IDs in the place of references; secrets stay symbolic. A reference without an ID stays as it is. */
export function resolve(value: Json, lookup: Lookup): Json {
  if (typeof value === "string") return resolveText(value, lookup);
  if (Array.isArray(value)) return value.flatMap((item) => resolveItem(item, lookup));
  if (!isObject(value)) return value;
  const resolved: JsonObject = {};
  for (const [key, member] of Object.entries(value)) resolved[key] = resolve(member, lookup);
  return resolved;
}

/** Resolves one item of a list, in which a whole tool set becomes as many items as it has tools. */
export function resolveItem(item: Json, lookup: Lookup): Json[] {
  const set = typeof item === "string" ? wholeSet(item) : undefined;
  const ids = set && lookup(set);
  return typeof ids === "object" ? [...ids] : [resolve(item, lookup)];
}

/** Resolves the references inside a text. */
export function resolveText(text: string, lookup: Lookup): string {
  if (!text.includes("${")) return text;
  return parseText(text)
    .map((part) => {
      if (typeof part === "string") return escapeLiteral(part);
      const reference = isExpression(part) ? toReference(part) : undefined;
      const id = reference && lookup(reference);
      return typeof id === "string" ? escapeLiteral(id) : part.source;
    })
    .join("");
}

/** Gives what every reference of a body was resolved to, as the lock keeps it; undefined without references. */
export function resolvedReferences(
  body: JsonObject,
  lookup: Lookup,
): Record<string, string | string[]> | undefined {
  const resolved = emptyTable<string | string[]>();
  for (const reference of referencesIn(body)) {
    const ids = lookup(reference);
    if (ids !== undefined) resolved[reference.text] = typeof ids === "string" ? ids : [...ids];
  }
  return Object.keys(resolved).length > 0 ? resolved : undefined;
}

function wholeSet(text: string): Reference | undefined {
  if (!text.startsWith("${")) return undefined;
  const [part, more] = parseText(text);
  if (part === undefined || more !== undefined || !isExpression(part)) return undefined;
  const reference = toReference(part);
  return reference && isWholeSet(reference) ? reference : undefined;
}
