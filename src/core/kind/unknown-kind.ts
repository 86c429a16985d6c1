import { bare, say, type Sentence } from "../finding/said.js";
import type { Json } from "../../json/json.js";
import { pointerKeys } from "../../json/json-pointer.js";
import { valueAt } from "../../json/path.js";
import type { Validate, ValidationError } from "../../json/validate.js";
import { kindNames, kindOfText } from "./kinds.js";

// As the patterns of addresses and references begin.
const ofKinds = `^(?:${kindNames.toSorted().join("|")}):`;

/** Gives the path of what a schema has refused: of a key, that of what has the key. */
export function refusedPath({ instancePath, keyword, params }: ValidationError): string[] {
  const key = keyword === "propertyNames" ? [String(params["propertyName"])] : [];
  return [...pointerKeys(instancePath), ...key];
}

/** Finds in what a schema has refused an address, or a reference, of a kind that this version does not have. */
export function unknownKind(
  value: unknown,
  { errors }: Validate,
): { readonly message: Sentence; readonly path: string[] } | undefined {
  for (const each of errors ?? []) {
    const { keyword, params } = each;
    const path = refusedPath(each);
    const isOfKind = keyword === "pattern" && String(params["pattern"]).startsWith(ofKinds);
    const text = keyword === "propertyNames" ? path.at(-1) : isOfKind && valueAt(value as Json, path);
    const [, kind] = typeof text === "string" ? (/^([a-z]+):[a-z0-9]/.exec(text) ?? []) : [];
    if (typeof text !== "string" || kind === undefined || kindOfText(text)) continue;
    return { message: say`${{ address: text }} is of the unknown kind ${{ kind }}`, path };
  }
  return undefined;
}

/** Says how a value that a schema has refused breaks the format of what it is. */
export function brokenFormat(value: unknown, validate: Validate, what: string): Sentence {
  const [first] = validate.errors ?? [];
  return (
    unknownKind(value, validate)?.message ??
    say`\`${bare({ field: first?.instancePath || "/" })}\` breaks the ${what}'s format (${first?.keyword ?? "unknown"})`
  );
}
