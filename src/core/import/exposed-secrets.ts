import type { Field } from "../../generated/fields.js";
import { depthLimit, isObject, isShallow, type Json, type JsonObject } from "../../json/json.js";
import { idsOf } from "../kind/identity.js";
import type { Kind } from "../kind/kind.js";
import { isHiddenMember } from "../observation/hidden-member.js";
import { specOf, ownNames } from "../observation/observed-body.js";
import { secretNames } from "../position/secret-name.js";
import { tellsSecret } from "../schema/secret.js";
import { knownField } from "../schema/known-field.js";
import type { FoundObject } from "./found-object.js";
import type { Importing, KindListing } from "./importing.js";

/** Names objects in messages so that no message has the value of a secret. */
export interface SafeNames {
  /** Gives an ID, or the place in the list of one that has the value of a secret. */
  readonly idText: (kind: Kind, id: string) => string;
  /** Gives an object with an alias if a text of it has the value of a secret. */
  readonly withAlias: (object: FoundObject) => FoundObject;
}

/** Knows the secrets that the lists show. */
export function safeNames({ listings, fieldNames }: Pick<Importing, "listings" | "fieldNames">): SafeNames {
  const exposed = [...exposedSecrets(listings, fieldNames)];
  const hasSecret = (text: string) => exposed.some((secret) => text.includes(secret));
  const idText = (kind: Kind, id: string): string => {
    if (!hasSecret(id)) return id;
    const listing = listings.find((each) => each.kind === kind);
    const index = listing?.objects.findIndex((object) => object.id === id) ?? -1;
    return `number ${index + 1} of the list`;
  };
  const withAlias = (object: FoundObject): FoundObject => {
    const { kind, body, identity } = object;
    const ids = idsOf(identity);
    if (![...ids, ...openTexts(body, kind)].some(hasSecret)) return object;
    const [first = "no ID"] = ids.map((id) => idText(kind, id));
    return { ...object, alias: ids.length > 1 ? `${first} and ${ids.length - 1} more` : first };
  };
  return { idText, withAlias };
}

/** Gives the values of secrets that a service gave back; they are looked for in its texts, and never kept or shown. */
function exposedSecrets(
  listings: readonly KindListing[],
  fieldNames: Readonly<Record<string, string>>,
): Set<string> {
  const found = new Set<string>();
  const own = ownNames(fieldNames);
  const root = { name: "", top: "", isSecret: false };
  const visit = (value: Json, field: Field | undefined, { name, top, isSecret }: typeof root): void => {
    if (typeof value === "string" && isSecret && (tellsOfCredential.test(name) || tellsSecret(name)))
      add(value, found);
    else if (Array.isArray(value)) {
      for (const item of value) visit(item, field?.items, { name, top, isSecret });
    } else if (isObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        const at = { known: field && knownField(field, own.get(key) ?? key), top: top === "" ? key : top };
        const isGroup = !at.known && secretNames.has(key);
        const isHidden = isSecret || isGroup || isHiddenMember(key, member, at);
        visit(member, at.known, { name: key, top: at.top, isSecret: isHidden });
      }
    }
  };
  for (const { kind, objects } of listings) {
    for (const { body } of objects) if (isShallow(body, depthLimit)) visit(body, specOf(kind), root);
  }
  return found;
}

/** Gives the keys and texts of a body that are not those of secrets. */
function openTexts(body: JsonObject, kind: Kind): string[] {
  const texts: string[] = [];
  const visit = (value: Json, field: Field | undefined, top: string): void => {
    if (typeof value === "string") texts.push(value);
    else if (Array.isArray(value)) for (const item of value) visit(item, field?.items, top);
    else if (isObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        const at = { known: field && knownField(field, key), top: top === "" ? key : top };
        texts.push(key);
        const isShown = kind.outlined.includes(at.top) || !isHiddenMember(key, member, at);
        if (isShown) visit(member, at.known, at.top);
      }
    }
  };
  visit(body, specOf(kind), "");
  return texts;
}

// Beside keys, a credential has names of hosts and users, which appear elsewhere as well.
const tellsOfCredential = /key|secret|token|passw|auth|cookie/i;

const least = 8;

// A mask, or a word that may appear by chance, is none.
function add(text: string, found: Set<string>): void {
  const value = text.replace(/^\w+ /, "");
  if (value.length >= least && new Set(value).size >= least / 2 + 1) found.add(value);
}
