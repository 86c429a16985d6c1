import type { NoteParts, Action, Change } from "../../generated/plan.js";
import { compareText } from "../../json/compare-text.js";
import { equal, isObject, mapMembers, type Json, type JsonObject } from "../../json/json.js";
import { areTexts, mapTexts } from "../../json/texts.js";
import { isAddress } from "../kind/address.js";
import { addressPatterns } from "../kind/address-pattern.js";
import { renameAddresses } from "../guardrails/mention.js";
import { mayForbid } from "../guardrails/prohibition.js";
import { editKey } from "./edit-key.js";

/** Makes names follow an address: with `agent:desk-de`, `policy:a-de` is `policy:a-*`; undefined without its words. */
export function namedAlike(address: string): (name: string) => string | undefined {
  const own = new Set(wordsOf(address));
  return (name) => {
    if (name === address) return "\0";
    if (!isAddress(name) || !wordsOf(name).some((word) => own.has(word))) return undefined;
    const start = name.indexOf(":") + 1;
    const key = name.slice(start).replaceAll(/[^-._]+/g, (word) => (own.has(word) ? "*" : word));
    // Any two names may have many words in common, or few.
    return name.slice(0, start) + key.replaceAll(/\*(?:[-._]\*)+/g, "*");
  };
}

function wordsOf(address: string): string[] {
  return address.slice(address.indexOf(":") + 1).split(/[-._]/);
}

/** Gives the parts of one or more notes that are of one cause: lists with the items of all, names as patterns. */
export function commonParts([first = {}, ...others]: readonly NoteParts[]): NoteParts {
  const different = others.filter((parts) => parts !== first && !equal(parts as Json, first as Json));
  return different.length === 0 ? first : (common([first, ...different] as JsonObject[]) as NoteParts);
}

function common(values: readonly Json[]): Json {
  const [first = null, ...others] = values;
  if (others.every((each) => equal(each, first))) return first;
  if (values.every(areTexts)) return patternsOf(values.flat());
  if (values.every(isObject))
    return mapMembers(first as JsonObject, (_, key) =>
      common(values.flatMap((each) => (each[key] === undefined ? [] : [each[key]]))),
    );
  if (values.every((each) => typeof each === "string")) return commonText(values);
  return first;
}

function patternsOf(names: readonly string[]): string[] {
  const all = [...new Set(names)].toSorted(compareText);
  return all.every(isAddress) ? addressPatterns(all).map(({ pattern }) => pattern) : all;
}

// Texts that differ in the names of their references, each at its place.
function commonText(texts: readonly string[]): Json {
  const names = texts.map(namesIn);
  let at = 0;
  return renameAddresses(texts[0] ?? "", {
    get: (name) => {
      if (!isAddress(name)) return undefined;
      const same = names.flatMap((each) => each[at] ?? []);
      at++;
      return patternsOf(same).join(", ");
    },
  });
}

function namesIn(text: string): string[] {
  const names: string[] = [];
  renameAddresses(text, {
    get: (name) => {
      if (isAddress(name)) names.push(name);
      return undefined;
    },
  });
  return names;
}

/** An edit as its origin writes it, once for all resources that it makes. */
export interface OriginForm {
  /** The same for the edits of one origin. */
  readonly key: string;
  /** With `${each:key}` for the key of each resource, and patterns for names that follow from its name. */
  readonly change: Change;
}

/** Gives the form of an edit that one line makes in several resources, keys left out; undefined if it is its own. */
export function originForm(
  { address, file, made_from: { key } = {} }: Action,
  change: Change,
): OriginForm | undefined {
  const { origin, ceased } = change;
  if (key === undefined && !ceased) return undefined;
  const nameOf = namedAlike(address);
  let isOwn = true;
  const keyed = (text: string): string => {
    const form = key === undefined ? text : withKey(text, key);
    isOwn &&= form === text;
    return form;
  };
  const named = (name: string): string | undefined => {
    const form = nameOf(name);
    isOwn &&= form === undefined;
    return form;
  };
  const formOf = (value: Json): Json => {
    const form = key === undefined ? value : mapTexts(value, keyed);
    return ceased ? renameAddresses(form, { get: named }) : form;
  };
  // Of titles, too: the same under another one is another edit, also where the key is all that tells them apart.
  const titled = key === undefined || mayForbid(key) ? undefined : key;
  const under = change.under?.map((title) => (titled === undefined ? title : withKey(title, titled)));
  const form: Change = {
    ...change,
    ...(under && { under }),
    ...(change.before !== undefined && { before: formOf(change.before) }),
    ...(change.after !== undefined && { after: formOf(change.after) }),
  };
  // Without its key in it, it is the same edit or another one.
  if (isOwn) return undefined;
  const place = ceased
    ? [ceased, ceased.why === "labels" && file]
    : origin
      ? [origin.file, origin.line]
      : [file];
  return { key: JSON.stringify([place, under ?? [], editKey(form)]), change: form };
}

function withKey(text: string, key: string): string {
  if (!text.includes(key)) return text;
  const escaped = key.replaceAll(/[.\\^$*+?()[\]{}|]/g, String.raw`\$&`);
  return text.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, "gu"), () => eachKey);
}

const eachKey = "${each:key}";
