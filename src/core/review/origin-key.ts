import type { Action, Change } from "../../generated/plan.js";
import { mapTexts } from "../../json/texts.js";
import type { Json } from "../../json/json.js";
import { renameAddresses } from "../guardrails/mention.js";
import { namedAlike } from "./alike-names.js";
import { editKey } from "./edit-key.js";

/** An edit as its origin writes it, once for all resources that it makes. */
export interface OriginForm {
  /** The same for the edits of one origin. */
  readonly key: string;
  /** With `${each:key}` for the key of each resource, and patterns for names that follow from its name. */
  readonly change: Change;
}

/**
 * Gives the form of an edit that one line of a document with `for_each`, of a default or of a patch makes in several
 * resources, or a default that ceased; undefined if it is of its resource alone. Values of one form differ in nothing
 * but the keys of their resources, before and after.
 */
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
  const form: Change = {
    ...change,
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
  return { key: JSON.stringify([place, editKey(form)]), change: form };
}

function withKey(text: string, key: string): string {
  if (!text.includes(key)) return text;
  const escaped = key.replaceAll(/[.\\^$*+?()[\]{}|]/g, String.raw`\$&`);
  return text.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, "gu"), () => eachKey);
}

const eachKey = "${each:key}";
