import type { Field } from "../../generated/fields.js";
import type { Finding } from "../finding/diagnostic.js";
import type { Json } from "../../json/json.js";
import { valueAt } from "../../json/path.js";
import { checkFields, isSecret, type FieldRules } from "./known-field.js";
import { literalSecrets } from "./literal-secret.js";
import { restoreRemoved } from "../../json/merge-patch.js";
import type { Validate } from "../../json/validate.js";
import { checkSchema, pathText } from "./schema.js";

/**
 * Checks a document against its schema and its known fields, also for what patches removed. Each mistake is reported
 * once: a misspelt field is not also reported as missing, and a literal secret not also as a wrong type.
 */
export function checkDocument(
  value: Json,
  validate: Validate,
  root: Field,
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
  const reported = new Set(findings.map(({ place }) => pathText(place?.path ?? [])));
  for (const each of rules.places ? literalSecrets(whole, root, rules) : []) {
    if (!reported.has(pathText(each.place?.path ?? []))) findings.push(each);
  }
  const invalid = checkSchema(value, validate, {
    place: rules.place,
    isQuotable: (path) => !rules.isIncluded(path) && !isSecret(root, path),
    isIncludedText: rules.isIncludedText,
    isResolved: rules.isResolved,
    isMisspelt,
  });
  if (invalid.length === 0) return findings;
  const secrets = new Set(
    findings.filter(({ code }) => code === "secret-literal").map(({ place }) => pathText(place?.path ?? [])),
  );
  return [...invalid.filter(({ place }) => !secrets.has(pathText(place?.path ?? []))), ...findings];
}
