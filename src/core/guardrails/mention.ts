import { mapTexts } from "../../json/texts.js";
import { isExpression, parseText } from "../expression/expression.js";
import type { Json, JsonObject } from "../../json/json.js";
import { eachText, referencesInText, toReference, type Reference } from "../expression/reference.js";
import type { KindName } from "../../generated/kinds.js";
import { isOfKind } from "../kind/kinds.js";

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
      const references = referencesInText(text);
      const alone = references.length === 1 && parseText(text).length === 1;
      for (const reference of references) {
        const known = mentions.get(reference.text);
        if (!known || (alone && !known.alone)) mentions.set(reference.text, { reference, alone, field });
      }
    });
  }
  return mentions;
}

/** How firmly a body holds a reference: 2 as a whole value, 1 inside a text, 0 not at all. */
export function firmness(mention: Mention | undefined): 0 | 1 | 2 {
  if (!mention) return 0;
  return mention.alone ? 2 : 1;
}

/** Gives the mentions of objects of one kind that `here` holds more firmly than `there`. */
export function firmerIn(here: Mentions, there: Mentions, kind: KindName): Mention[] {
  if (here === there) return [];
  return [...here]
    .filter(([text]) => isOfKind(text, kind))
    .filter(([text, mention]) => firmness(mention) > firmness(there.get(text)))
    .map(([, mention]) => mention);
}

/** New names of resources by their addresses. */
interface Names {
  get(address: string): string | undefined;
}

/** Puts the new addresses of renamed resources into the references of a value. */
export function rename(value: Json, names: Names): Json {
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
