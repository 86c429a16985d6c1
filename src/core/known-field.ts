import type { Field } from "../generated/fields.js";
import { error, warning, type Finding, type Path, type Place } from "./diagnostic.js";
import { isExpression, parseText } from "./expression.js";
import { isObject, type Json } from "./json.js";
import { nearest } from "./nearest.js";
import { pathText } from "./schema.js";

/** How a document is held against the table of known fields. */
export interface FieldRules {
  readonly place: (path: Path) => Place;
  /** What an unknown field of a `spec` is; elsewhere it is an error. */
  readonly unknownInSpec: "error" | "warning";
  /** Further fields of a `spec` that the deployment has. */
  readonly extra: readonly string[];
  /** Whether what stands at a path came from an included file, and so is never named. */
  readonly isIncluded: (path: Path) => boolean;
}

/** Finds fields that nobody knows, that only the service sets, and secrets that stand in the document. */
export function checkFields(document: Json, root: Field, rules: FieldRules): Finding[] {
  const findings: Finding[] = [];
  const visit = (value: Json, field: Field, path: Path): void => {
    if (field.writeOnly) return void findings.push(...literalSecrets(value, path, rules.place));
    if (Array.isArray(value)) {
      if (field.items) for (const [index, item] of value.entries()) visit(item, field.items, [...path, index]);
    } else if (isObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        const known = knownField(field, key);
        const at = [...path, key];
        if (known?.readOnly) findings.push(readOnly(at, rules));
        else if (known) visit(member, known, at);
        else if (!field.open && !isExtra(at, rules)) findings.push(unknownField(at, field, rules));
      }
    }
  };
  visit(document, root, []);
  return findings;
}

function knownField(field: Field, key: string): Field | undefined {
  if (field.fields && Object.hasOwn(field.fields, key)) return field.fields[key];
  // Header names are known whatever their case.
  const lower = key.toLowerCase();
  if (field.open && field.fields && Object.hasOwn(field.fields, lower)) return field.fields[lower];
  return field.values;
}

function isExtra(path: Path, { extra }: FieldRules): boolean {
  return path.length === 2 && path[0] === "spec" && extra.includes(String(path[1]));
}

function readOnly(path: Path, { place }: FieldRules): Finding {
  const message = `\`${pathText(path)}\` is set by the service alone`;
  return error("document-read-only-field", { ...place(path), key: true }, message, "remove it");
}

function unknownField(path: Path, { fields }: Field, rules: FieldRules): Finding {
  const at = { ...rules.place(path), key: true };
  if (rules.isIncluded(path)) {
    return warning("document-unknown-field", at, "the included file has a field that nobody knows");
  }
  const key = String(path.at(-1));
  const names = Object.keys(fields ?? {}).filter((name) => !fields?.[name]?.readOnly);
  const inSpec = path[0] === "spec";
  const meant = nearest(key, inSpec && path.length === 2 ? [...names, ...rules.extra] : names);
  if (meant !== undefined) {
    const message = `\`${pathText(path)}\` is not known, and nearly \`${meant}\``;
    const hint = inSpec
      ? `did you mean \`${meant}\`? If your deployment has \`${key}\`, list it under \`spec.extra_fields\``
      : `did you mean \`${meant}\`?`;
    return error("document-misspelt-field", at, message, hint);
  }
  const message = `\`${pathText(path)}\` is not known`;
  if (!inSpec || rules.unknownInSpec === "error") {
    const hint = inSpec && path.length === 2
      ? `if your deployment has it, list it under \`spec.extra_fields\` of agentform.yaml`
      : `known here: ${names.join(", ")}`;
    return error("document-unknown-field", at, message, hint);
  }
  const hint = "it is sent as it is; list it under `spec.extra_fields` of agentform.yaml to silence this";
  return warning("document-unknown-field", at, message, hint);
}

function literalSecrets(value: Json, path: Path, place: (path: Path) => Place): Finding[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => literalSecrets(item, [...path, index], place));
  }
  if (isObject(value)) {
    return Object.entries(value).flatMap(([key, member]) => literalSecrets(member, [...path, key], place));
  }
  if (typeof value !== "string" || readsEnvironment(value)) return [];
  const message = `\`${pathText(path)}\` is a secret and stands in the document`;
  const hint = "write `${env:NAME}` and set NAME where apply runs; a secret that was committed must be rotated";
  return [error("secret-literal", place(path), message, hint)];
}

function readsEnvironment(text: string): boolean {
  return parseText(text).some((part) => isExpression(part) && part.scheme === "env");
}
