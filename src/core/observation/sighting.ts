import type { Field } from "../../generated/fields.js";
import { isExpression, parseText } from "../expression/expression.js";
import { evaluateItem, evaluateText, type Meaning } from "../expression/resolution.js";
import { equal, isObject, type Json, type JsonObject } from "../../json/json.js";
import { escapeKey } from "../../json/json-pointer.js";

/** An object as the service has it, beside what it was last sent. */
export interface Sighting {
  /** What it was sent, symbolic, with what differs in the service in its place: equal if nothing does. */
  readonly body: JsonObject;
  /** What the service has beyond that, by JSON pointer; no secrets. */
  readonly own: ReadonlyMap<string, Json>;
  /** The JSON pointers of what was sent and is not in the answer. */
  readonly missing: readonly string[];
}

/** What a comparison depends on. */
export interface Sight {
  /** What references stood for when the body was sent. */
  readonly meaning: Meaning;
  /** The fields of the kind's body, which say what is secret and what the service alone sets. */
  readonly fields: Field;
  /** The JSON pointers of what the service is known not to show; before it was read once, it may be anything. */
  readonly hidden: ReadonlySet<string> | "all";
}

/**
 * Compares what an object was last sent with what the service has. Another order of keys and of items, the service's
 * own members, white space at the end of a text, rounded numbers, masks, and nothing in the place of an empty value
 * are no difference; neither is anything in the place of a secret.
 */
export function sightingOf(sent: JsonObject, seen: JsonObject, sight: Sight): Sighting {
  const found = { own: new Map<string, Json>(), missing: [] as string[] };
  const body = objectSeen(sent, seen, { ...sight, ...found }, { pointer: "", field: sight.fields });
  return { body, ...found };
}

interface Look extends Sight {
  readonly own: Map<string, Json>;
  readonly missing: string[];
}

interface At {
  readonly pointer: string;
  readonly field: Field | undefined;
}

function inside({ pointer, field }: At, key: string): At {
  return { pointer: `${pointer}/${escapeKey(key)}`, field: field?.fields?.[key] ?? field?.values };
}

function objectSeen(sent: JsonObject, seen: JsonObject, look: Look, at: At): JsonObject {
  const body: JsonObject = {};
  for (const [key, value] of Object.entries(sent)) {
    const there = inside(at, key);
    const answered = Object.hasOwn(seen, key) ? seen[key] : undefined;
    const result =
      answered === undefined ? absent(value, look, there) : valueSeen(value, answered, look, there);
    if (result !== undefined) body[key] = result;
  }
  for (const [key, value] of Object.entries(seen)) {
    if (!Object.hasOwn(sent, key)) keepOwn(value, look, inside(at, key));
  }
  return body;
}

// What the service never shows cannot be told from what somebody removed, unless it was seen before.
function absent(sent: Json, look: Look, { pointer, field }: At): Json | undefined {
  if (isEmpty(sent) || sent === false || field?.writeOnly || isSecret(sent)) return sent;
  look.missing.push(pointer);
  return look.hidden === "all" || look.hidden.has(pointer) ? sent : undefined;
}

function keepOwn(value: Json, { own }: Look, { pointer, field }: At): void {
  if (isEmpty(value) || field?.readOnly || field?.writeOnly) return;
  own.set(pointer, value);
}

function valueSeen(sent: Json, seen: Json, look: Look, at: At): Json {
  if (at.field?.writeOnly) return sent;
  if (isObject(sent) && isObject(seen)) return objectSeen(sent, seen, look, at);
  if (Array.isArray(sent) && Array.isArray(seen)) return listSeen(sent, seen, look, at);
  if (typeof sent === "string") return isSecret(sent) || isSame(resolved(sent, look), seen) ? sent : seen;
  return isSame(sent, seen) ? sent : seen;
}

/** An item of a list, and what it stands for: a whole tool set is as many items as it has tools. */
interface Item {
  readonly symbolic: Json;
  readonly values: readonly Json[];
}

function listSeen(sent: Json[], seen: readonly Json[], look: Look, at: At): Json[] {
  const left = [...seen];
  const within = { pointer: at.pointer, field: at.field?.items };
  const items = sent.map((symbolic): Item => {
    const values = typeof symbolic === "string" ? evaluateItem(symbolic, look.meaning) : [symbolic];
    return { symbolic, values };
  });
  // What is the same everywhere is taken first, so that only what is left is compared with what is left.
  const matched = items.map(({ symbolic, values }, index) => {
    if (isObject(symbolic)) return takeObject(symbolic, left, index, look, within);
    if (isSecret(symbolic)) return takeAny(symbolic, left);
    return takeAll(values, left) ? symbolic : undefined;
  });
  const kept = items.flatMap((item, index) => settle(item, matched[index], left, look, within));
  return [...kept, ...left];
}

function takeAny(secret: Json, left: Json[]): Json | undefined {
  return left.shift() === undefined ? undefined : secret;
}

function takeAll(values: readonly Json[], left: Json[]): boolean {
  const rest = [...left];
  for (const value of values) {
    const at = rest.findIndex((other) => isSame(value, other));
    if (at === -1) return false;
    rest.splice(at, 1);
  }
  left.splice(0, left.length, ...rest);
  return true;
}

function takeObject(sent: JsonObject, left: Json[], index: number, look: Look, at: At): Json | undefined {
  const places = [index, ...left.keys()];
  for (const place of new Set(places)) {
    const other = left[place];
    if (!isObject(other)) continue;
    const trial = { ...look, own: new Map<string, Json>(), missing: [] };
    const found = objectSeen(sent, other, trial, { ...at, pointer: `${at.pointer}/${index}` });
    if (!equal(found, sent)) continue;
    for (const [pointer, value] of trial.own) look.own.set(pointer, value);
    look.missing.push(...trial.missing);
    left.splice(place, 1);
    return sent;
  }
  return undefined;
}

// What has no equal is the item of the same place in what is left, or gone.
function settle(item: Item, matched: Json | undefined, left: Json[], look: Look, at: At): Json[] {
  if (matched !== undefined) return [matched];
  if (!isObject(item.symbolic))
    return item.values.length > 1 ? item.values.filter((value) => takeAll([value], left)) : [];
  const other = left.findIndex((each) => isObject(each) && sharesIdentity(item.symbolic as JsonObject, each));
  const [partner] = other === -1 ? [] : left.splice(other, 1);
  return isObject(partner) ? [objectSeen(item.symbolic, partner, look, at)] : [];
}

const identities = ["id", "_id", "name", "type", "label", "key"];

function sharesIdentity(sent: JsonObject, seen: JsonObject): boolean {
  return identities.some((key) => sent[key] !== undefined && equal(sent[key], seen[key]));
}

function resolved(text: string, { meaning }: Look): Json {
  return evaluateText(text, meaning);
}

function isSecret(value: Json): boolean {
  if (typeof value !== "string") return Object.values(value ?? {}).some((each) => isSecret(each as Json));
  if (!value.includes("${env:")) return false;
  return parseText(value).some((part) => isExpression(part) && part.scheme === "env");
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

// Services keep numbers with less precision, and texts without the white space at their ends.
const precision = 1e-6;
const masks = /^(?:[*•]{3,}|[<[(](?:redacted|masked|hidden|secret)[>\])])$/i;

function isSame(sent: Json, seen: Json): boolean {
  if (isEmpty(sent) && isEmpty(seen)) return true;
  if (typeof sent === "number" && typeof seen === "number") {
    return Math.abs(sent - seen) <= precision * Math.max(1, Math.abs(sent));
  }
  if (typeof sent === "string" && typeof seen === "string") {
    return masks.test(seen) || normal(sent) === normal(seen);
  }
  return equal(sent, seen);
}

function normal(text: string): string {
  return text.replaceAll("\r\n", "\n").trimEnd().normalize("NFC");
}
