import { fields, type Field } from "../../generated/fields.js";
import { nearest } from "../finding/nearest.js";

const secretNames: ReadonlySet<string> = new Set(Object.values(fields).flatMap(secretsOf));
const ordinaryNames: ReadonlySet<string> = new Set(Object.values(fields).flatMap(ordinaryOf));

/** Whether a field of this name is secret; a misspelt name is a mistake to show, but its value is still a secret. */
export function isSecretName(name: string): boolean {
  const lower = name.toLowerCase();
  return secretNames.has(lower) || nearest(lower, secretNames) !== undefined;
}

/** Whether some kind of document has a field of this name that is not secret. */
export function isOrdinaryName(name: string): boolean {
  return ordinaryNames.has(name) && !isSecretName(name);
}

/** Whether a text contains the name of a secret field. */
export function mentionsSecret(text: string): boolean {
  const words = new Set(text.toLowerCase().match(/[\w-]{5,25}/g));
  return [...words].some(isSecretName);
}

function secretsOf({ fields: named = {}, items, values }: Field): string[] {
  const inside = [items, values].flatMap((part) => (part ? secretsOf(part) : []));
  const own = Object.entries(named).flatMap(([name, part]) => [
    ...(part.writeOnly ? [name.toLowerCase()] : []),
    ...secretsOf(part),
  ]);
  return [...own, ...inside];
}

function ordinaryOf({ fields: named = {}, items, values, writeOnly }: Field): string[] {
  if (writeOnly) return [];
  const inside = [items, values].flatMap((part) => (part ? ordinaryOf(part) : []));
  return [...Object.entries(named).flatMap(([name, part]) => [name, ...ordinaryOf(part)]), ...inside];
}
