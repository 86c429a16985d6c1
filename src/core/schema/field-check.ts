import { bare, say, type Said } from "../finding/said.js";
import type { DocumentField, Field } from "../../generated/fields.js";
import { error, warning, type Finding } from "../finding/diagnostic.js";
import type { Path } from "../../json/path.js";
import { isExpression, parseText } from "../expression/expression.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { knownField, nearestField } from "./known-field.js";
import { meaning, slipOf, wordOf } from "../finding/nearest.js";
import type { ReferencePlaces } from "../kind/kind.js";
import { quote } from "../finding/quotation.js";
import { homeOf, partsWith } from "./field-home.js";
import { pathText, type SchemaRules } from "./schema.js";
import { tellsSecret } from "./secret.js";

/** The rules for checking a document against the table of known fields. */
export interface FieldRules extends Pick<SchemaRules, "place" | "isIncludedText" | "isResolved"> {
  /** The severity of an unknown field of a `spec`; elsewhere it is an error. */
  readonly unknownInSpec: "error" | "warning";
  /** Further fields of the deployment, allowed anywhere in a `spec`. */
  readonly extra: readonly string[];
  /** Which fields take references, where `spec` has fields of the service, of which a deployment may have more. */
  readonly places?: ReferencePlaces;
  /** Whether the value at a path came from an included file and must not be shown. */
  readonly isIncluded: (path: Path) => boolean;
  /** Finds a part of an included value in the files of the document: the file, and the line from 1. */
  readonly findIncluded?: (text: string) => { readonly file: string; readonly line: number } | undefined;
  /** Whether a key came from an included file, independently of its value; such a key is never named. */
  readonly isIncludedKey: (path: Path) => boolean;
}

/** The rules where every value is written in its place. */
export const allWritten = {
  isIncluded: () => false,
  isIncludedText: () => false,
  isResolved: () => false,
  isIncludedKey: () => false,
} as const satisfies Partial<FieldRules>;

// With more than this, each mistake would be reported separately.
const mostValues = 100_000;
const mostFindings = 1000;

/** The findings, and the known fields that are present under a misspelt name. */
export interface CheckedFields {
  readonly findings: Finding[];
  isMisspelt(parent: Path, field: string): boolean;
  /** Whether there is too much to check; then this is the only finding. */
  readonly isTooLarge: boolean;
}

/** Finds unknown and read-only fields and literal secrets; nulls that only take away are not sent. */
export function checkFields(
  document: Json,
  root: DocumentField,
  rules: FieldRules,
  isSent: (path: Path) => boolean,
): CheckedFields {
  const findings: Finding[] = [];
  const misspelt = new Set<string>();
  const extra = new Set(rules.extra);
  let visited = 0;
  const unknown = (path: Path, field: Field, beside: JsonObject): void => {
    const names = Object.keys(field.fields ?? {}).filter((name) => !field.fields?.[name]?.readOnly);
    const inSpec = path[0] === "spec";
    if (rules.isIncludedKey(path)) return void findings.push(includedField(path, rules));
    const meant = nearestField(String(path.at(-1)), inSpec ? [...names, ...furtherNames(rules)] : names);
    if (meant !== undefined) misspelt.add(pathText([...path.slice(0, -1), meant]));
    const home = meant === undefined ? homeOf(path, root, rules.places) : undefined;
    const unwritten = names.filter((name) => !Object.hasOwn(beside, name));
    const longer = wordOf(String(path.at(-1)), unwritten);
    findings.push(unknownField(path, names, { meant, home, parts: partsWith(path, root), longer }, rules));
  };
  // One path for all values, which is copied for what is kept of it.
  const path: (string | number)[] = [];
  const visit = (value: Json, field: Field): void => {
    if (++visited > mostValues || findings.length > mostFindings) return;
    if (field.writeOnly)
      return collectSecrets(
        value,
        [...path],
        { named: path.length + (field.open ? 1 : 0), rules, isSent },
        findings,
      );
    if (Array.isArray(value)) {
      for (let index = 0; field.items && index < value.length; index++)
        enter(index, value[index] as Json, field.items);
    } else if (typeof value === "string" && field.known) {
      findings.push(...misspeltValue(value, path, field.known, rules));
    } else if (isObject(value) && (field.fields || field.values)) {
      for (const key in value) {
        if (findings.length > mostFindings) return;
        const known = knownField(field, key);
        if (known?.readOnly) findings.push(readOnly([...path, key], rules));
        else if (known) enter(key, value[key] as Json, known);
        else if ((path[0] ?? key) === "spec" && extra.has(key)) continue;
        else if (!field.open || isSlip(key, field)) unknown([...path, key], field, value);
      }
    }
  };
  const enter = (segment: string | number, value: Json, field: Field): void => {
    path.push(segment);
    visit(value, field);
    path.pop();
  };
  visit(document, root);
  const isTooLarge = visited > mostValues || findings.length > mostFindings;
  return {
    findings: isTooLarge ? [explainTooLarge(visited, rules), ...findings.slice(0, 20)] : findings,
    isMisspelt: (parent, field) => misspelt.has(pathText([...parent, field])),
    isTooLarge,
  };
}

function explainTooLarge(visited: number, { place }: FieldRules): Finding {
  const message =
    visited > mostValues
      ? say`the document has more than ${bare({ limit: mostValues }, mostValues.toLocaleString("en-US"))} fields and list items, not counting included ones`
      : say`the document has more than ${bare({ limit: mostFindings }, mostFindings.toLocaleString("en-US"))} unknown fields and literal secrets`;
  return error("document-too-large", place([]), message, "split it");
}

function readOnly(path: Path, { place }: FieldRules): Finding {
  const message = say`${{ field: pathText(path) }} is set by the service and must not be in a document`;
  return error("document-read-only-field", { ...place(path), key: true }, message, "remove it");
}

function furtherNames({ extra, places = {} }: FieldRules): string[] {
  return [...extra, ...Object.keys(places)];
}

// Where any name is allowed, one that nearly is a known one is still none of its own; but `apikey` is a header as well.
function isSlip(key: string, { fields = {} }: Field): boolean {
  const meant = slipOf(key, Object.keys(fields));
  return meant !== undefined && !(fields[meant]?.writeOnly && tellsSecret(key));
}

function misspeltValue(value: string, path: Path, known: readonly string[], rules: FieldRules): Finding[] {
  const meant = slipOf(value, known);
  if (meant === undefined || rules.isIncluded(path)) return [];
  const message = say`${{ field: pathText(path) }} is ${quote(value)}, which is nearly ${{ meant }}`;
  return [error("document-misspelt-value", rules.place([...path]), message, meaning(value, meant))];
}

function includedField(path: Path, { place }: FieldRules): Finding {
  const message = "the included file has an unknown field";
  return warning("document-unknown-field", { ...place(path), key: true }, message, "it is sent unchanged");
}

/** What an unknown field may be: a known one, one of another level or of some parts, or a part of a longer name. */
interface Likely {
  readonly meant: string | undefined;
  readonly home: Said | undefined;
  readonly parts: Said | undefined;
  readonly longer: string | undefined;
}

function unknownField(
  path: Path,
  names: readonly string[],
  { meant, home, parts, longer }: Likely,
  rules: FieldRules,
): Finding {
  const at = { ...rules.place(path), key: true };
  const ofService = rules.places && path[0] === "spec" && path.length > 1;
  const key = quote(String(path.at(-1)));
  const message = say`unknown field ${{ field: pathText(path) }}`;
  const odd = /^[\s\u200B-\u200D\u2060]/.exec(String(path.at(-1)))?.[0];
  if (odd !== undefined) {
    const code = odd.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    const hint = say`it begins with the character U+${bare({ found: code })}, which only looks like indentation: delete it, and indent with spaces`;
    return error("document-unknown-field", at, message, hint);
  }
  if (meant !== undefined) {
    const extra = ` If your deployment has ${key}, list it under \`spec.extra_fields\` of agentform.yaml`;
    const hint = say`${meaning(String(path.at(-1)), meant)}${ofService ? extra : ""}`;
    return error("document-misspelt-field", at, message, hint);
  }
  if (home !== undefined) return error("document-unknown-field", at, message, home);
  const known = parts ?? say`known fields here: ${bare({ expected: [...names] })}`;
  if (!ofService) return error("document-unknown-field", at, message, known);
  if (rules.unknownInSpec === "error") {
    const hint =
      "remove it, or list it under `spec.extra_fields` of agentform.yaml if your deployment has it";
    return error("document-unknown-field", at, message, say`${hint}; ${known}`);
  }
  const silenced =
    "is sent unchanged; if your deployment has it, list it under `spec.extra_fields` of agentform.yaml to silence this warning";
  if (parts) return warning("document-unknown-field", at, message, say`${parts}. Here it ${silenced}`);
  const hint =
    longer === undefined ? `it ${silenced}` : say`${meaning(String(path.at(-1)), longer)} It ${silenced}`;
  return warning("document-unknown-field", at, message, hint);
}

interface SecretRules {
  /** How many segments of a path are names, and no secrets. */
  readonly named: number;
  readonly rules: FieldRules;
  readonly isSent: (path: Path) => boolean;
}

function collectSecrets(value: Json, path: Path, given: SecretRules, findings: Finding[]): void {
  if (findings.length > mostFindings) return;
  const { named, rules, isSent } = given;
  if (typeof value === "object" && value !== null) {
    const isList = Array.isArray(value);
    for (const [key, member] of isList ? value.entries() : Object.entries(value)) {
      const at = [...path, key];
      if (member !== null) collectSecrets(member, at, given, findings);
      else if (!isList && isSent(at)) findings.push(keyAlone(at, given));
    }
  }
  if (typeof value !== "string") return;
  if (parseText(value).some((part) => isExpression(part) && part.scheme === "env")) return;
  findings.push(explainSecret(path, withoutKeys(path, named), rules));
}

/** Reports a literal secret at a path, by the part of the path that may be shown. */
export function explainSecret(path: Path, shown: Path, rules: FieldRules): Finding {
  const message = rules.isIncluded(path)
    ? "the included file contains a secret"
    : say`${{ field: pathText(shown) }} is a secret and must not be written in the document`;
  const hint = "write `${env:NAME}` and set NAME where apply runs; if the secret was committed, rotate it";
  return error("secret-literal", rules.place(path), message, hint);
}

// YAML reads `{text}` as a mapping with a key and no value.
function keyAlone(path: Path, { named, rules }: SecretRules): Finding {
  const message = rules.isIncludedKey(path)
    ? "the included file has a key without a value where a secret is expected"
    : say`${{ field: pathText(withoutKeys(path.slice(0, -1), named)) }} has a key without a value, which may be a secret`;
  const hint =
    "write the secret as `${env:NAME}`, and nothing else in its place; remove a key that has no value";
  return error("secret-literal", { ...rules.place(path), key: true }, message, hint);
}

// What was meant as a text may be read as a mapping, so that a key inside a secret may be one itself.
function withoutKeys(path: Path, named: number): Path {
  const first = path.findIndex((segment, index) => index >= named && typeof segment === "string");
  return first === -1 ? path : path.slice(0, first);
}
