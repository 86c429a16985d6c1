import { isObject, type Json } from "../../json/json.js";
import { pathOfPointer } from "../../json/json-pointer.js";
import { valueAt, type Path } from "../../json/path.js";
import type { ValidationError } from "../../json/validate.js";
import { cutText, quote } from "../finding/quotation.js";
import { pathText } from "../schema/schema.js";

/** One way in which a value does not satisfy a rule. */
export interface Violation {
  readonly path: Path;
  /** Whether the key is wrong, and not its value. */
  readonly key: boolean;
  /** What is there instead, in words. */
  readonly found: string;
}

// More of one rule and one document tell nothing new.
const most = 5;

// What several schemas say together is one thing, at the value that they judge.
const together = new Set(["anyOf", "oneOf", "not", "contains"]);

/** Gives what is wrong with a value from the errors of its schema, each place once. */
export function violationsOf(value: Json, errors: readonly ValidationError[]): Violation[] {
  const wholes = errors
    .filter(({ keyword }) => together.has(keyword))
    .map(({ instancePath }) => instancePath);
  const outer = wholes.filter((path) => !wholes.some((other) => other !== path && isBelow(path, other)));
  const found = new Map<string, Violation>();
  for (const each of errors) {
    if (isEcho(each)) continue;
    const around = outer.find((path) => path === each.instancePath || isBelow(each.instancePath, path));
    if (around !== undefined && !(together.has(each.keyword) && each.instancePath === around)) continue;
    const violation = violationOf(value, each);
    const key = JSON.stringify(violation.path);
    if (!found.has(key)) found.set(key, violation);
    if (found.size === most) break;
  }
  return [...found.values()];
}

// Such errors only lead to others, or repeat them.
function isEcho({ keyword, propertyName }: ValidationError & { readonly propertyName?: string }): boolean {
  return keyword === "if" || (propertyName !== undefined && keyword !== "propertyNames");
}

function isBelow(path: string, other: string): boolean {
  return path.startsWith(`${other}/`);
}

function violationOf(root: Json, { instancePath, params }: ValidationError): Violation {
  const path = pathOfPointer(root, instancePath);
  const missing = nameIn(params, "missingProperty");
  if (missing !== undefined) {
    const field = [...path, missing];
    return { path, key: true, found: `there is no ${quote(pathText(field))}` };
  }
  const added = nameIn(params, "additionalProperty", "unevaluatedProperty", "propertyName");
  if (added !== undefined) {
    const field = [...path, added];
    return { path: field, key: true, found: `there is ${quote(pathText(field))}` };
  }
  return { path, key: false, found: foundAt(root, path) };
}

function nameIn(params: Record<string, unknown>, ...names: readonly string[]): string | undefined {
  return names.map((name) => params[name]).find((value) => typeof value === "string");
}

const shownText = 80;

/** Says what a value is: a short one as it is, of a longer one how long it is. */
function foundAt(root: Json, path: Path): string {
  const value = valueAt(root, path);
  const what = described(value ?? null);
  return path.length === 0 ? `it is ${what}` : `${quote(pathText(path))} is ${what}`;
}

function described(value: Json): string {
  if (Array.isArray(value))
    return value.length === 1 ? "a list of 1 item" : `a list of ${value.length} items`;
  if (isObject(value)) {
    const keys = Object.keys(value);
    const shown = keys.slice(0, 5).map((key) => quote(key));
    return keys.length === 0 ? "empty" : `a mapping with ${shown.join(", ")}${keys.length > 5 ? " …" : ""}`;
  }
  if (typeof value !== "string") return String(value);
  if (value.length > shownText || value.includes("\n"))
    return `a text of ${value.length.toLocaleString("en-US")} characters`;
  return quote(cutText(value, shownText));
}
