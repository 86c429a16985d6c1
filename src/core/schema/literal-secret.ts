import { isObject, type Json } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import { warning, type Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { isExpression, parseText } from "../expression/expression.js";
import type { Field } from "../../generated/fields.js";
import { explainSecret, knownField, type FieldRules } from "./known-field.js";
import { freeText } from "./literal.js";
import { isAboutData, isProviderKey, isSecretMember, keyWithin } from "./secret.js";
import { pathText } from "./schema.js";

const most = 1000;

/**
 * Finds texts of a document's `spec` that are secrets by name and look, and warns about keys in free texts and in
 * `metadata`. The fields that are secrets by their schema are left to the check of fields.
 */
export function literalSecrets(document: Json, root: Field, rules: FieldRules): Finding[] {
  const findings: Finding[] = [];
  if (!isObject(document)) return findings;
  const path: (string | number)[] = [];
  const visit = (value: Json, field: Field | undefined, name: string): void => {
    if (field?.writeOnly || field?.readOnly || findings.length >= most) return;
    if (typeof value === "string") {
      const found = explainText(value, { name, field, path }, rules);
      if (found) findings.push(found);
    } else if (typeof value === "object" && value !== null) {
      for (const key of Object.keys(value)) {
        if (path.length === 1 && isAboutData(key)) continue;
        const isItem = Array.isArray(value);
        path.push(isItem ? Number(key) : key);
        const known = isItem ? field?.items : field && knownField(field, key);
        visit((value as Readonly<Record<string, Json>>)[key] as Json, known, isItem ? name : key);
        path.pop();
      }
    }
  };
  for (const part of ["metadata", "spec"]) {
    path.push(part);
    visit(document[part] ?? null, root.fields?.[part], part);
    path.pop();
  }
  return findings;
}

interface NamedText {
  readonly name: string;
  readonly field: Field | undefined;
  readonly path: Path;
}

function explainText(text: string, { name, field, path }: NamedText, rules: FieldRules): Finding | undefined {
  const isFree = freeText.includes(name) || path[0] === "metadata";
  const key = keyWithin(text);
  const isSecret = !isFree && isSecretMember(name, text, field);
  const isMeant = () => parseText(text).some((part) => isExpression(part) && part.scheme === "env");
  if (isSecret && (!isMeant() || isProviderKey(text))) return explainSecret([...path], [...path], rules);
  return key === undefined ? undefined : explainKey(key, [...path], rules);
}

function explainKey(key: string, path: Path, rules: FieldRules): Finding {
  const message = rules.isIncluded(path)
    ? say`the included file has what looks like ${bare({ key })}`
    : say`${{ field: pathText(path) }} has what looks like ${bare({ key })}`;
  const hint =
    "remove it and rotate it: whoever talks to the agent or reads the repository, the plan or the lock can see it";
  return warning("secret-in-text", rules.place(path), message, hint);
}
