import { isExpression, parseText, type Expression } from "./expression.js";
import { emptyTable, isObject, mapMembers, type Json } from "../../json/json.js";
import type { References } from "../kind/kind.js";
import { toReference, type Reference } from "./reference.js";

/** Gives the ID of a reference, the IDs of a whole tool set, or undefined if there is none. */
export type Lookup = (reference: Reference) => string | readonly string[] | undefined;

/** Gives the value of an expression: a text, or several for an item of a list; undefined leaves it unchanged. */
export type ExpressionValue = (expression: Expression) => string | readonly string[] | undefined;

/** Replaces expressions by their values; the result is not symbolic, and must not be parsed for expressions again. */
export function evaluate(value: Json, meaning: ExpressionValue): Json {
  if (typeof value === "string") return evaluateText(value, meaning);
  if (Array.isArray(value)) return value.flatMap((item) => evaluateItem(item, meaning));
  return isObject(value) ? mapMembers(value, (member) => evaluate(member, meaning)) : value;
}

/** Evaluates one item of a list; a whole tool set becomes as many items as it has tools. */
export function evaluateItem(item: Json, meaning: ExpressionValue): Json[] {
  const several = typeof item === "string" ? severalIn(item, meaning) : undefined;
  return several ? [...several] : [evaluate(item, meaning)];
}

/** Evaluates one symbolic text. */
export function evaluateText(text: string, meaning: ExpressionValue): string {
  if (!text.includes("${")) return text;
  return parseText(text)
    .map((part) => {
      if (typeof part === "string") return part;
      const given = isExpression(part) ? meaning(part) : undefined;
      return typeof given === "string" ? given : part.source;
    })
    .join("");
}

function severalIn(text: string, meaning: ExpressionValue): readonly string[] | undefined {
  if (!text.startsWith("${")) return undefined;
  const [part, more] = parseText(text);
  if (part === undefined || more !== undefined || !isExpression(part)) return undefined;
  const given = meaning(part);
  return typeof given === "object" ? given : undefined;
}

/** Gives the values of expressions for comparing two symbolic values: IDs, and otherwise something that no text equals. */
export function comparing(lookup: Lookup): ExpressionValue {
  return (expression) => {
    const reference = toReference(expression);
    const ids = reference && lookup(reference);
    return ids ?? noText(expression.source);
  };
}

/** Compares references by what they name: what has the same ID may be another object elsewhere, or have another one later. */
export const byName: Lookup = ({ text, address, operation }) =>
  noText(operation === undefined ? address : text);

/** Gives what stands for a text and equals none that was read, for half of a character is refused wherever one is. */
export function noText(text: string): string {
  return `\ud800${text}`;
}

/** Gives the resolved IDs of the references of a body, as stored in the lock; undefined without references. */
export function resolvedReferences(references: readonly Reference[], lookup: Lookup): References | undefined {
  const resolved = emptyTable<string | string[]>();
  for (const reference of references) {
    const ids = lookup(reference);
    if (ids !== undefined) resolved[reference.text] = typeof ids === "string" ? ids : [...ids];
  }
  return Object.keys(resolved).length > 0 ? resolved : undefined;
}
