import type { Field } from "../../generated/fields.js";
import type { Path } from "../../json/path.js";
import { nearest, slipOf } from "../finding/nearest.js";
import { tellsSecret } from "./secret.js";

/** Whether the value at a path is a secret. */
export function isSecret(root: Field, path: Path): boolean {
  let field: Field | undefined = root;
  for (const segment of path) {
    if (!field || field.writeOnly) break;
    field = typeof segment === "number" ? field.items : knownField(field, segment);
  }
  return field
    ? field.writeOnly === true
    : tellsSecret(String(path.findLast((each) => typeof each === "string")));
}

/** Gives what is known of a member of a mapping; undefined if nothing is. */
export function knownField(field: Field, key: string): Field | undefined {
  if (field.fields && Object.hasOwn(field.fields, key)) return field.fields[key];
  // Header names are compared without case; of them those with secrets are known.
  const header = field.open ? field.fields?.[key.toLowerCase()] : undefined;
  if (header?.writeOnly) return header;
  return field.values;
}

/** Gives the known name that was probably meant; `systemPrompt` differs from `system_prompt` by more than a typing error. */
export function nearestField(key: string, names: readonly string[]): string | undefined {
  return nearest(key, names) ?? slipOf(key, names);
}
