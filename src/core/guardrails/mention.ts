import type { OwnersOf } from "../state/known-ids.js";
import { mapTexts } from "../../json/texts.js";
import { isExpression, parseText } from "../expression/expression.js";
import type { Json, JsonObject } from "../../json/json.js";
import {
  eachText,
  readReference,
  referencesAmong,
  toReference,
  type Reference,
} from "../expression/reference.js";
import type { KindName } from "../../generated/kinds.js";
import { isOfKind } from "../kind/kinds.js";
import { idsOf } from "../kind/identity.js";
import type { Lock, LockEntry } from "../state/lock.js";

/** A reference in a body. */
export interface Mention {
  readonly reference: Reference;
  /** Whether it is a whole value somewhere, and not only inside a longer text. */
  readonly alone: boolean;
  /** The first top-level field with it, if possible one where it is a whole value. */
  readonly field: string;
}

/** The references of a body, by their text. */
export type Mentions = ReadonlyMap<string, Mention>;

/** Gives the references of a body. */
export function mentionsIn(body: JsonObject): Mentions {
  const mentions = new Map<string, Mention>();
  for (const [field, value] of Object.entries(body)) {
    eachText(value, (text) => {
      if (!text.includes("${")) return;
      const parts = parseText(text);
      const alone = parts.length === 1;
      for (const reference of referencesAmong(parts)) {
        const known = mentions.get(reference.text);
        if (!known || (alone && !known.alone)) mentions.set(reference.text, { reference, alone, field });
      }
    });
  }
  return mentions;
}

/** How a body has a reference: 2 as a whole value, 1 inside a text, 0 not at all. */
export function mentionRank(mention: Mention | undefined): 0 | 1 | 2 {
  if (!mention) return 0;
  return mention.alone ? 2 : 1;
}

/** Gives the mentions of objects of one kind that rank higher in `here` than in `there`. */
export function higherIn(here: Mentions, there: Mentions, kind: KindName): Mention[] {
  if (here === there) return [];
  const higher: Mention[] = [];
  for (const [text, mention] of here)
    if (isOfKind(text, kind) && mentionRank(mention) > mentionRank(there.get(text))) higher.push(mention);
  return higher;
}

/** New names of resources by their addresses. */
interface Names {
  get(address: string): string | undefined;
}

/** Puts the new addresses of renamed resources into the references of a value. */
function rename(value: Json, names: Names): Json {
  return mapTexts(value, (text) => renameText(text, names));
}

/** Puts them into references and into texts that are an address. */
export function renameAddresses(value: Json, names: Names): Json {
  return mapTexts(value, (text) => names.get(text) ?? renameText(text, names));
}

// In one pass, because two resources may have swapped names.
function renameText(text: string, names: Names): string {
  if (!text.includes("${")) return text;
  let renamed = "";
  let from = 0;
  for (const expression of parseText(text).filter(isExpression)) {
    const reference = toReference(expression);
    const name = reference && names.get(reference.address);
    if (name === undefined) continue;
    const rest = reference?.text.slice(reference.address.length) ?? "";
    renamed += `${text.slice(from, expression.offset)}\${${name}${rest}}`;
    from = expression.offset + expression.source.length;
  }
  return renamed + text.slice(from);
}

/** Where objects are: the lock with the moves of a plan, who has an ID in it, and by new address the earlier one. */
interface Whereabouts {
  readonly lock: Pick<Lock, "resources">;
  readonly ownersOf: OwnersOf;
  readonly moves?: ReadonlyMap<string, string>;
}

/** Gives a lock entry whose references have the names of now, but for what `moves` is about to move. */
export function withPresentNames(entry: LockEntry, { lock, ownersOf, moves }: Whereabouts): LockEntry {
  const { references } = entry;
  if (!references) return entry;
  let names: Map<string, string> | undefined;
  for (const text of Object.keys(references)) {
    const ids = references[text] ?? "";
    const { address } = readReference(text);
    const id = (typeof ids === "string" ? ids : ids[0]) ?? "";
    const owner =
      (!idsOf(lock.resources[address] ?? {}).includes(id) && ownersOf(address, id).at(-1)) || address;
    const name = moves?.get(owner) ?? owner;
    if (name !== address) (names ??= new Map()).set(address, name);
  }
  return names ? withNames(entry, names) : entry;
}

/** Gives a lock entry whose references have other names. */
export function withNames(entry: LockEntry, names: Names): LockEntry {
  const renamed = Object.entries(entry.references ?? {}).map(([text, ids]): [string, string | string[]] => {
    const { address } = readReference(text);
    return [(names.get(address) ?? address) + text.slice(address.length), ids];
  });
  const body = rename(entry.body, names) as JsonObject;
  return { ...entry, references: Object.fromEntries(renamed), body };
}
