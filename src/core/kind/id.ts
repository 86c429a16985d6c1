import type { Json } from "../../json/json.js";
import { emojiSelectors, invisible } from "../finding/invisible.js";

// No format character at all, and no space but the common one: two IDs must not look the same.
const unfit = new RegExp(`[${invisible}${emojiSelectors}\\p{Cf}]|(?! )\\p{Zs}`, "u");

const ofEachTable: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

// In the path of a request they stand for a folder, in whatever spelling, so that it would be one of all objects.
const folders: ReadonlySet<string> = new Set([".", ".."]);

/** Says whether a text can be an ID: one that a lock may have, with no space at its ends, that a path can have. */
export function isId(text: string): boolean {
  return text === text.trim() && !folders.has(text) && isKeptId(text);
}

/** Whether a lock may have an ID that some version took: 1 to 1,000 characters, all seen, no name that every table has. */
export function isKeptId(text: string): boolean {
  // The ledger is a table by ID.
  if (ofEachTable.has(text)) return false;
  return text !== "" && text.length <= 1000 && !unfit.test(text);
}

/** Reads a value as an ID: a string that isId takes, or an integer. */
export function asId(value: Json | undefined): string | undefined {
  if (typeof value === "string" && isId(value)) return value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Whether a text looks like an ID that a service gave: a word of letters alone is a name. */
export function isLikelyId(text: string): boolean {
  return isId(text) && /\d/.test(text) && !/[\s${}:/]/.test(text);
}

/** Tells objects apart: a service may number or name those of each kind separately. */
export function idKey(address: string, id: string): string {
  return `${address.slice(0, address.indexOf(":"))}#${id}`;
}

/** Gives the key that an ID has in a ledger where no other kind has it: the ID, or a number behind its kind. */
export function ledgerKey(address: string, id: string): string {
  // Also an ID that looks like such a key, so that each key is of one ID.
  return /^([a-z]+#)*-?\d+$/.test(id) ? idKey(address, id) : id;
}

/** Whether many services take an ID in capitals for the same: it is a long hexadecimal one. */
export function ignoresCase(id: string): boolean {
  return /^[\da-f-]{16,}$/i.test(id);
}

/** Gives one text for all that many services take for the same ID. */
export function foldedId(id: string): string {
  return ignoresCase(id) ? id.toLowerCase() : id;
}

/** Tells objects apart like idKey, and takes for one what many services do. */
export function foldedKey(address: string, id: string): string {
  return idKey(address, foldedId(id));
}

/** Gives an ID as other texts that many services take for the same. */
export function spellings(id: string): string[] {
  return ignoresCase(id) ? [...new Set([id, id.toLowerCase(), id.toUpperCase()])] : [id];
}

/** Gives the ID of a ledger's key. */
export function idOfKey(key: string): string {
  return key.replace(/^[a-z]+#(?=([a-z]+#)*-?\d+$)/, "");
}
