import type { Field } from "../generated/fields.js";
import { error, warning, type Finding, type Path, type Place } from "./diagnostic.js";
import { isExpression, parseText } from "./expression.js";
import { isObject, type Json } from "./json.js";
import { nearest } from "./nearest.js";
import { quote } from "./quotation.js";
import { pathText } from "./schema.js";

/** How a document is held against the table of known fields. */
export interface FieldRules {
  readonly place: (path: Path) => Place;
  /** What an unknown field of a `spec` is; elsewhere it is an error. */
  readonly unknownInSpec: "error" | "warning";
  /** Further fields that the deployment has, anywhere in a `spec`. */
  readonly extra: readonly string[];
  /** Whether `spec` holds fields of the service, of which a deployment may have more. */
  readonly isOfService: boolean;
  /** Whether what stands at a path came from an included file, and so is never named. */
  readonly isIncluded: (path: Path) => boolean;
}

/** What was found, and which known fields stand there under names that are nearly theirs. */
export interface CheckedFields {
  readonly findings: Finding[];
  isMisspelt(parent: Path, field: string): boolean;
}

/** Finds fields that nobody knows, that only the service sets, and secrets that stand in the document. */
export function checkFields(document: Json, root: Field, rules: FieldRules): CheckedFields {
  const findings: Finding[] = [];
  const misspelt = new Set<string>();
  const unknown = (path: Path, field: Field): void => {
    const names = Object.keys(field.fields ?? {}).filter((name) => !field.fields?.[name]?.readOnly);
    const inSpec = path[0] === "spec";
    const meant = nearest(String(path.at(-1)), inSpec ? [...names, ...rules.extra] : names);
    if (meant !== undefined) misspelt.add(pathText([...path.slice(0, -1), meant]));
    findings.push(unknownField(path, names, meant, rules));
  };
  const visit = (value: Json, field: Field, path: Path): void => {
    if (field.writeOnly) return void findings.push(...literalSecrets(value, path, rules));
    if (Array.isArray(value)) {
      if (field.items)
        for (const [index, item] of value.entries()) visit(item, field.items, [...path, index]);
    } else if (isObject(value) && (field.fields || field.values)) {
      for (const [key, member] of Object.entries(value)) {
        const known = knownField(field, key);
        const at = [...path, key];
        if (known?.readOnly) findings.push(readOnly(at, rules));
        else if (known) visit(member, known, at);
        else if (!field.open && !isExtra(at, rules)) unknown(at, field);
      }
    }
  };
  visit(document, root, []);
  return { findings, isMisspelt: (parent, field) => misspelt.has(pathText([...parent, field])) };
}

/** Whether what stands at a path is a secret. */
export function isSecret(root: Field, path: Path): boolean {
  let field: Field | undefined = root;
  for (const segment of path) {
    if (!field || field.writeOnly) break;
    field = typeof segment === "number" ? field.items : knownField(field, segment);
  }
  return field?.writeOnly === true;
}

function knownField(field: Field, key: string): Field | undefined {
  if (field.fields && Object.hasOwn(field.fields, key)) return field.fields[key];
  // Header names are known whatever their case.
  const lower = key.toLowerCase();
  if (field.open && field.fields && Object.hasOwn(field.fields, lower)) return field.fields[lower];
  return field.values;
}

function isExtra(path: Path, { extra }: FieldRules): boolean {
  return path[0] === "spec" && extra.includes(String(path.at(-1)));
}

function readOnly(path: Path, { place }: FieldRules): Finding {
  const message = `${quote(pathText(path))} is set by the service alone`;
  return error("document-read-only-field", { ...place(path), key: true }, message, "remove it");
}

function unknownField(
  path: Path,
  names: readonly string[],
  meant: string | undefined,
  rules: FieldRules,
): Finding {
  const at = { ...rules.place(path), key: true };
  if (rules.isIncluded(path)) {
    return warning(
      "document-unknown-field",
      at,
      "the included file has a field that nobody knows",
      "it is sent as it is",
    );
  }
  const ofService = rules.isOfService && path[0] === "spec" && path.length > 1;
  const key = quote(String(path.at(-1)));
  if (meant !== undefined) {
    const message = `${quote(pathText(path))} is not known, and nearly \`${meant}\``;
    const extra = ` If your deployment has ${key}, list it under \`spec.extra_fields\` of agentform.yaml`;
    const hint = `did you mean \`${meant}\`?${ofService ? extra : ""}`;
    return error("document-misspelt-field", at, message, hint);
  }
  const message = `${quote(pathText(path))} is not known`;
  const known = `known here: ${names.join(", ")}`;
  if (!ofService) return error("document-unknown-field", at, message, known);
  if (rules.unknownInSpec === "error") {
    const hint =
      "remove it, or list it under `spec.extra_fields` of agentform.yaml if your deployment has it";
    return error("document-unknown-field", at, message, `${hint}; ${known}`);
  }
  const hint = "it is sent as it is; list it under `spec.extra_fields` of agentform.yaml to silence this";
  return warning("document-unknown-field", at, message, hint);
}

function literalSecrets(value: Json, path: Path, rules: FieldRules): Finding[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => literalSecrets(item, [...path, index], rules));
  }
  if (isObject(value)) {
    return Object.entries(value).flatMap(([key, member]) => literalSecrets(member, [...path, key], rules));
  }
  if (typeof value !== "string" || readsEnvironment(value)) return [];
  const message = rules.isIncluded(path)
    ? "a secret stands in the included file"
    : `${quote(pathText(path))} is a secret and stands in the document`;
  const hint =
    "write `${env:NAME}` and set NAME where apply runs; a secret that was committed must be rotated";
  return [error("secret-literal", rules.place(path), message, hint)];
}

function readsEnvironment(text: string): boolean {
  return parseText(text).some((part) => isExpression(part) && part.scheme === "env");
}
