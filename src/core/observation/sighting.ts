import { mapTexts } from "../../json/texts.js";
import type { Field } from "../../generated/fields.js";
import { escapeLiteral, parseText, isExpression } from "../expression/expression.js";
import { evaluate, evaluateItem, evaluateText, type ExpressionValue } from "../expression/resolution.js";
import { equal, isObject, type Json, type JsonObject } from "../../json/json.js";
import { escapeKey } from "../../json/json-pointer.js";
import { isEmpty, isMask, isSame } from "./sameness.js";
import { UnmatchedItems } from "./unmatched-items.js";

/** An object as the service has it, beside what it was last sent. */
export interface Sighting {
  /** What it was sent, symbolic, with what differs in the service in its place: equal if nothing does. */
  readonly body: JsonObject;
  /** What the service has beyond that, by JSON pointer; no secrets. */
  readonly own: ReadonlyMap<string, Json>;
  /** Where in `body` an item of a list is that was sent at another index, by its JSON pointer in what was sent. */
  readonly moved: ReadonlyMap<string, number>;
  /** The JSON pointers of what was sent and is not in the answer; `*` is any item of a list. */
  readonly missing: readonly string[];
  /** The JSON pointers, as in `missing`, of what was sent and is in the answer. */
  readonly shown: ReadonlySet<string>;
}

/** What a comparison depends on. */
export interface Sight {
  /** What references stood for when the body was sent. */
  readonly meaning: ExpressionValue;
  /** The fields of the kind's body, which say what is secret and what the service alone sets. */
  readonly fields: Field;
  /** The JSON pointers, as in `missing`, that the service is known not to show; `all` if that is not known. */
  readonly hidden: ReadonlySet<string> | "all";
}

// How many members and items are looked at to find which items of two lists belong together; what is left then differs.
const mostEffort = 4_000_000;

/** Compares sent with seen: order, own members, outer white space, rounding, masks and secrets are no difference. */
export function sightingOf(sent: JsonObject, seen: JsonObject, sight: Sight): Sighting {
  const found = newFound();
  const at = { pointer: "", pattern: "", field: sight.fields };
  const effort = { left: mostEffort };
  return { body: objectSeen(sent, seen, { ...sight, ...found, effort }, at), ...found };
}

interface RunningSight extends Sight {
  readonly own: Map<string, Json>;
  readonly moved: Map<string, number>;
  readonly missing: string[];
  readonly shown: Set<string>;
  readonly effort: { left: number };
}

function newFound(): Pick<RunningSight, "own" | "moved" | "missing" | "shown"> {
  return { own: new Map(), moved: new Map(), missing: [], shown: new Set() };
}

/** A place in a body: its JSON pointer, the same with `*` for the items of lists, and what is known of the field. */
interface At {
  readonly pointer: string;
  readonly pattern: string;
  readonly field: Field | undefined;
}

function inside({ pointer, pattern, field }: At, key: string): At {
  const step = `/${escapeKey(key)}`;
  const member = field?.fields?.[key] ?? field?.values;
  return { pointer: pointer + step, pattern: pattern + step, field: member };
}

function objectSeen(sent: JsonObject, seen: JsonObject, look: RunningSight, at: At): JsonObject {
  const body: [string, Json][] = [];
  const members = Object.entries(sent);
  look.effort.left -= members.length;
  for (const [key, value] of members) {
    const there = inside(at, key);
    const answered = Object.hasOwn(seen, key) ? seen[key] : undefined;
    if (answered !== undefined) look.shown.add(there.pattern);
    const result =
      answered === undefined ? absent(value, look, there) : valueSeen(value, answered, look, there);
    if (result !== undefined) body.push([key, result]);
  }
  keepOwn(sent, seen, look, at);
  return Object.fromEntries(body);
}

// What the service never shows cannot be told from what somebody removed.
function absent(sent: Json, look: RunningSight, { pattern, field }: At): Json | undefined {
  if (isEmpty(sent) || sent === false || field?.writeOnly || isSecret(sent)) return sent;
  look.missing.push(pattern);
  return look.hidden === "all" || look.hidden.has(pattern) ? sent : undefined;
}

// Of a secret, a mask in its place says that there is one now.
function keepOwn(sent: JsonObject, seen: JsonObject, { own }: RunningSight, at: At): void {
  for (const [key, value] of Object.entries(seen)) {
    const { pointer, field } = inside(at, key);
    if (!Object.hasOwn(sent, key) && !isEmpty(value) && !field?.readOnly) own.set(pointer, value);
  }
}

function valueSeen(sent: Json, seen: Json, look: RunningSight, at: At): Json {
  if (at.field?.writeOnly) {
    if (isObject(sent) && isObject(seen)) keepOwn(sent, seen, look, at);
    return sent;
  }
  if (isObject(sent) && isObject(seen)) return objectSeen(sent, seen, look, at);
  if (Array.isArray(sent) && Array.isArray(seen)) return listSeen(sent, seen, look, at);
  const resolved = typeof sent === "string" ? evaluateText(sent, look.meaning) : sent;
  return isSame(resolved, seen) || isSecret(sent) ? sent : literal(seen);
}

// What is the same is taken first, so that only what is left is compared with what is left.
function listSeen(sent: readonly Json[], seen: readonly Json[], look: RunningSight, at: At): Json[] {
  const left = new UnmatchedItems(seen, look.effort);
  const place = (index: number): At => {
    return { pointer: `${at.pointer}/${index}`, pattern: `${at.pattern}/*`, field: at.field?.items };
  };
  const results = new Map<number, readonly Json[]>();
  // An item that has all of a smaller one and more must not be taken for that one.
  const largestFirst = [...sent.entries()].toSorted(([, one], [, other]) => sizeOf(other) - sizeOf(one));
  const settle = (take: (item: Json, index: number) => readonly Json[] | undefined) => {
    for (const [index, item] of largestFirst) {
      const result = results.has(index) ? undefined : take(item, index);
      if (result) results.set(index, result);
    }
  };
  const partner = (item: JsonObject, index: number, isPartner: (other: JsonObject) => boolean) => {
    const taken = left.take((other) => isObject(other) && isPartner(other));
    return isObject(taken) ? [objectSeen(item, taken, look, place(index))] : undefined;
  };
  const takeSecret = (item: Json, isIt: (other: Json) => boolean) => {
    return isSecret(item) && !isObject(item) && left.take(isIt) !== undefined ? [item] : undefined;
  };
  settle((item) => takeSecret(item, isMask));
  settle((item, index) => {
    if (isObject(item)) return takeWhole(item, left, index, look, place(index)) ? [item] : undefined;
    if (isSecret(item)) return undefined;
    return left.takeAll(valuesOf(item, look)) ? [item] : undefined;
  });
  // Lists that are equal are found with less effort.
  settle((item, index) => {
    if (!Array.isArray(item) || isSecret(item)) return undefined;
    return takeWhole(item, left, index, look, place(index)) ? [item] : undefined;
  });
  const named = sent.map((item) => (isObject(item) ? identityOf(item) : []));
  for (let score = identities.length; score > 0; score--) {
    settle((item, index) => {
      const names = named[index] ?? [];
      if (!isObject(item) || names.length < score) return undefined;
      const resolved = evaluate(item, look.meaning) as JsonObject;
      return partner(item, index, (other) => shared(names, resolved, other) >= score);
    });
  }
  settle((item) => takeSecret(item, () => true));
  settle((item, index) => {
    if (!isObject(item) || named[index]?.length !== 0) return undefined;
    return partner(item, index, (other) => identityOf(other).length === 0);
  });
  // Of a whole tool set, some may be left.
  settle((item) =>
    valuesOf(item, look)
      .filter((value) => left.takeAll([value]))
      .map(literal),
  );
  const kept: Json[] = [];
  for (const index of sent.keys()) {
    const result = results.get(index) ?? [];
    if (result.length > 0 && kept.length !== index) look.moved.set(place(index).pointer, kept.length);
    for (const each of result) kept.push(each);
  }
  return [...kept, ...left.all().map(literal)];
}

/** Writes a part of an answer as a symbolic body has it, so that it is never read as an expression. */
export function literal(seen: Json): Json {
  return mapTexts(seen, (text) =>
    parseText(text).every((part) => part === text) ? text : escapeLiteral(text),
  );
}

// Without what a service may leave out, or show as anything.
function sizeOf(value: Json): number {
  if (isEmpty(value) || value === false || isSecret(value)) return 0;
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, member) => sum + sizeOf(member), 1);
}

function valuesOf(item: Json, { meaning }: RunningSight): readonly Json[] {
  return typeof item === "string" ? evaluateItem(item, meaning) : [item];
}

function takeWhole(
  sent: JsonObject | Json[],
  left: UnmatchedItems,
  index: number,
  look: RunningSight,
  at: At,
): boolean {
  const names = isObject(sent) ? identityOf(sent) : [];
  const resolved = isObject(sent) && names.length > 0 ? (evaluate(sent, look.meaning) as JsonObject) : {};
  const isIt = (other: Json): boolean => {
    if (isObject(sent) ? !isObject(other) : !Array.isArray(other)) return false;
    if (isObject(other) && shared(names, resolved, other) < names.length) return false;
    const trial = { ...look, ...newFound() };
    if (!equal(valueSeen(sent, other, trial, at), sent)) return false;
    for (const [pointer, value] of trial.own) look.own.set(pointer, value);
    for (const [pointer, moved] of trial.moved) look.moved.set(pointer, moved);
    for (const pattern of trial.shown) look.shown.add(pattern);
    for (const pattern of trial.missing) look.missing.push(pattern);
    return true;
  };
  return left.take(isIt, index) !== undefined;
}

// What names an item of a list; operations and parameters of an outline have two of these each.
const identities = ["id", "_id", "name", "type", "label", "key", "url", "method", "path", "in"];

function identityOf(item: JsonObject): string[] {
  return identities.filter((key) => {
    const name = item[key];
    return typeof name === "string" && name !== "" && !isSecret(name);
  });
}

function shared(names: readonly string[], sent: JsonObject, seen: JsonObject): number {
  return names.filter((key) => isSame(sent[key] ?? null, seen[key] ?? null)).length;
}

/** Whether a value is a text with a secret, or has nothing but such texts in it: its place in an answer says nothing. */
export function isSecret(value: Json): boolean {
  if (typeof value === "object") return !isEmpty(value) && Object.values(value ?? {}).every(isSecret);
  if (typeof value !== "string" || !value.includes("${env:")) return false;
  return parseText(value).some((part) => isExpression(part) && part.scheme === "env");
}
