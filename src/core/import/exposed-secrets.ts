import type { Field } from "../../generated/fields.js";
import { depthLimit, isObject, isShallow, type Json, type JsonObject } from "../../json/json.js";
import type { Kind } from "../kind/kind.js";
import { specOf } from "../observation/observed-body.js";
import { secretNames } from "../position/secret-name.js";
import { knownField } from "../schema/known-field.js";
import type { KindListing } from "./importing.js";

/** Gives the values of secrets that a service gave back; they are looked for in its texts, and never kept or shown. */
export function exposedSecrets(
  listings: readonly KindListing[],
  fieldNames: Readonly<Record<string, string>>,
): Set<string> {
  const found = new Set<string>();
  const own = new Map(Object.entries(fieldNames).map(([field, wire]) => [wire, field]));
  const visit = (value: Json, field: Field | undefined, name: string, isSecret: boolean): void => {
    if (typeof value === "string" && isSecret && telling.test(name)) add(value, found);
    else if (Array.isArray(value)) for (const item of value) visit(item, field?.items, name, isSecret);
    else if (isObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        const known = field && knownField(field, own.get(key) ?? key);
        const isHidden = known?.writeOnly === true || (!known && secretNames.has(key));
        visit(member, known, key, isSecret || isHidden);
      }
    }
  };
  for (const { kind, objects } of listings) {
    for (const { body } of objects) if (isShallow(body, depthLimit)) visit(body, specOf(kind), "", false);
  }
  return found;
}

/** Gives the keys and texts of a body that are not those of secrets. */
export function openTexts(body: JsonObject, kind: Kind): string[] {
  const texts: string[] = [];
  const visit = (value: Json, field: Field | undefined): void => {
    if (typeof value === "string") texts.push(value);
    else if (Array.isArray(value)) for (const item of value) visit(item, field?.items);
    else if (isObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        const known = field && knownField(field, key);
        texts.push(key);
        if (!isHidden(key, member, known)) visit(member, known);
      }
    }
  };
  visit(body, specOf(kind));
  return texts;
}

function isHidden(key: string, member: Json, known: Field | undefined): boolean {
  return known?.writeOnly === true || (!known && typeof member === "string" && secretNames.has(key));
}

// Beside keys, a credential has names of hosts and users, which appear elsewhere as well.
const telling = /key|secret|token|passw|auth|cookie/i;

const least = 8;

// A mask, or a word that may appear by chance, is none.
function add(text: string, found: Set<string>): void {
  const value = text.replace(/^\w+ /, "");
  if (value.length >= least && new Set(value).size >= least / 2 + 1) found.add(value);
}
