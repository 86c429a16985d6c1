import type { DocumentField, Field } from "../../generated/fields.js";
import { type Finding, warning } from "../finding/diagnostic.js";
import { type Json, isObject } from "../../json/json.js";
import { valueAt, type Path } from "../../json/path.js";
import { checkFields, type FieldRules, explainSecret } from "./field-check.js";
import { isSecret, knownField } from "./known-field.js";
import { restoreRemoved } from "../../json/merge-patch.js";
import type { Validate } from "../../json/validate.js";
import { checkSchema, pathText } from "./schema.js";
import { bare, say } from "../finding/said.js";
import { isExpression, parseText } from "../expression/expression.js";
import { freeText } from "./literal.js";
import {
  isAboutData,
  isProviderKey,
  isSecretMember,
  isSecretWithin,
  keyWithin,
  tellsSecret,
  type KeyWithin,
} from "./secret.js";

/** Checks a document, also what patches removed; each mistake once, not as missing or of a wrong type, too. */
export function checkDocument(
  value: Json,
  validate: Validate,
  root: DocumentField,
  rules: FieldRules,
  patches: readonly Json[] = [],
): Finding[] {
  const whole = patches.reduce(restoreRemoved, value);
  const { findings, isMisspelt, isTooLarge } = checkFields(
    whole,
    root,
    rules,
    (path) => valueAt(value, path) !== undefined,
  );
  if (isTooLarge) return findings;
  const secret = rules.places ? literalSecrets(whole, root, rules) : [];
  if (secret.length > 0) {
    const reported = new Set(findings.map(({ place }) => pathText(place?.path ?? [])));
    findings.push(...secret.filter(({ place }) => !reported.has(pathText(place?.path ?? []))));
  }
  const invalid = checkSchema(value, validate, {
    place: rules.place,
    isQuotable: (path) => !rules.isIncluded(path) && !isSecret(root, path),
    isIncludedText: rules.isIncludedText,
    isResolved: rules.isResolved,
    isRemoved: (path) => patches.some((patch) => valueAt(patch, path) === null),
    isMisspelt,
  });
  if (invalid.length === 0) return findings;
  const secrets = new Set(
    findings.filter(({ code }) => code === "secret-literal").map(({ place }) => pathText(place?.path ?? [])),
  );
  return [...invalid.filter(({ place }) => !secrets.has(pathText(place?.path ?? []))), ...findings];
}

const most = 1000;

/** Finds secrets by name and look, and warns of keys in free texts; those by schema are left to the fields' check. */
function literalSecrets(document: Json, root: DocumentField, rules: FieldRules): Finding[] {
  const findings: Finding[] = [];
  if (!isObject(document)) return findings;
  const path: (string | number)[] = [];
  // A text has the name of its member or list; what a JSON Schema says of a property with such a name is none.
  const visit = (value: Json, field: Field | undefined, name: string, isWithin: boolean): void => {
    if (field?.writeOnly || field?.readOnly || findings.length >= most) return;
    if (typeof value === "string") {
      const found = explainText(value, { name, isWithin, field, path, nth: findings.length }, rules);
      if (found) findings.push(found);
    } else if (Array.isArray(value)) {
      value.forEach((item, index) => enter(index, item, field?.items, name, isWithin));
    } else if (isObject(value)) {
      for (const key of Object.keys(value)) {
        if (path.length === 1 && isAboutData(key)) continue;
        const known = field && knownField(field, key);
        const isTelling = isObject(value[key]) && name !== "properties" && tellsSecret(key);
        enter(key, value[key] as Json, known, key, !known && (isWithin || isTelling));
      }
    }
  };
  const enter = (
    segment: string | number,
    value: Json,
    field: Field | undefined,
    name: string,
    isWithin: boolean,
  ): void => {
    path.push(segment);
    visit(value, field, name, isWithin);
    path.pop();
  };
  for (const part of ["metadata", "spec"])
    enter(part, document[part] ?? null, root.fields?.[part], part, false);
  return findings;
}

interface NamedText {
  readonly name: string;
  readonly isWithin: boolean;
  readonly field: Field | undefined;
  readonly path: Path;
  /** How many findings there are before it. */
  readonly nth: number;
}

function explainText(
  text: string,
  { name, isWithin, field, path, nth }: NamedText,
  rules: FieldRules,
): Finding | undefined {
  const isFree = freeText.has(name) || path[0] === "metadata";
  const key = keyWithin(text);
  const isSecret =
    !isFree && (isSecretMember(name, text, field) || (isWithin && !field && isSecretWithin(name, text)));
  const isMeant = () => parseText(text).some((part) => isExpression(part) && part.scheme === "env");
  if (isSecret && (!isMeant() || isProviderKey(text))) return explainSecret([...path], [...path], rules);
  return key && explainKey(key, [...path], nth, rules);
}

// Each search goes through the included files.
const mostSearched = 10;

function explainKey({ what, secret }: KeyWithin, path: Path, nth: number, rules: FieldRules): Finding {
  const isIncluded = rules.isIncluded(path);
  const found = isIncluded && nth < mostSearched ? rules.findIncluded?.(secret) : undefined;
  const holder = found
    ? say`line ${bare({ line: found.line })} of ${{ file: found.file }}`
    : isIncluded
      ? "the included file"
      : say`${{ field: pathText(path) }}`;
  const message = say`${holder} has what looks like ${bare({ key: what })}`;
  const hint =
    "remove it and rotate it: whoever talks to the agent or reads the repository, the plan or the lock can see it";
  return warning("secret-in-text", rules.place(path), message, hint);
}
