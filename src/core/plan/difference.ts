import { turnOf } from "../guardrails/note-parts.js";
import type { Change } from "../../generated/plan.js";
import { embeddedJson } from "./embedded-json.js";
import { stringEnd } from "../../json/json-text.js";
import { equal, isObject, type Json, type JsonObject, member } from "../../json/json.js";
import { itemSegment, pathSegment } from "../../json/path.js";
import { referencesIn, referencesInText, type Reference } from "../expression/reference.js";
import { comparing, evaluate, evaluateItem, evaluateText, type Lookup } from "../expression/resolution.js";
import { parseJson } from "../../json/parse-json.js";
import { hasText } from "../../json/texts.js";

export type { Change };

/** The IDs of references on both sides of a comparison. */
export interface Lookups {
  readonly before: Lookup;
  readonly after: Lookup;
}

/** Gives what differs by meaning: references by target, objects by identity, lists of texts as sets, JSON in texts. */
export function difference(
  before: JsonObject,
  after: JsonObject,
  lookups: Lookups = unresolved,
  outlined: readonly string[] = [],
): Change[] {
  const changes: Change[] = [];
  for (const key of keysOf(before, after)) {
    if (areAlike(before[key], after[key], lookups)) continue;
    const found: Change[] = [];
    const isOutline = outlined.includes(key);
    const context = { lookups, changes: found, isOutline };
    compare(pathSegment(key), member(before, key), member(after, key), context);
    for (const change of found) changes.push(isOutline ? { ...change, outline: true } : change);
  }
  return changes;
}

const unresolved: Lookups = { before: () => undefined, after: () => undefined };

// Whether two values are equal, and what they refer to is the same as before.
function areAlike(before: Json | undefined, after: Json | undefined, lookups: Lookups): boolean {
  if (after === undefined || !equal(before, after)) return false;
  if (lookups === unresolved || !hasText(after, mayRefer)) return true;
  return !referencesIn(after).some((reference) => hasMoved(reference, lookups));
}

function mayRefer(text: string): boolean {
  return text.includes("${");
}

interface DifferenceContext {
  readonly lookups: Lookups;
  readonly changes: Change[];
  readonly isOutline: boolean;
}

function compareObjects(
  path: string,
  before: JsonObject,
  after: JsonObject,
  comparison: DifferenceContext,
): void {
  for (const key of keysOf(before, after)) {
    compare(`${path}.${pathSegment(key)}`, member(before, key), member(after, key), comparison);
  }
}

function keysOf(before: JsonObject, after: JsonObject): string[] {
  const keys = Object.keys(after);
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) keys.push(key);
  return keys;
}

function compare(
  path: string,
  before: Json | undefined,
  after: Json | undefined,
  comparison: DifferenceContext,
): void {
  if (before === undefined || after === undefined) {
    comparison.changes.push({ path, ...turnOf(before, after) });
  } else if (typeof before === "string" && typeof after === "string") {
    compareTexts(path, before, after, comparison);
  } else if (Array.isArray(before) && Array.isArray(after)) {
    compareLists(path, before, after, comparison);
  } else if (isObject(before) && isObject(after)) {
    compareObjects(path, before, after, comparison);
  } else if (!equal(before, after)) {
    comparison.changes.push({ path, before, after });
  }
}

function compareTexts(path: string, before: string, after: string, comparison: DifferenceContext): void {
  const { lookups, changes } = comparison;
  if (before === after && !before.includes("${")) return;
  const [left, right] = [embeddedJson(before), embeddedJson(after)];
  if (left && right) return compare(`${path}{json}`, left, right, comparison);
  const [sent, wanted] = [comparing(lookups.before), comparing(lookups.after)];
  if (evaluateText(before, sent) === evaluateText(after, wanted)) return;
  changes.push({ path, before, after, ...movedReferences([before], [after], lookups) });
}

function compareLists(path: string, before: Json[], after: Json[], comparison: DifferenceContext): void {
  const { isOutline } = comparison;
  const nameOf = commonIdentity(before, after, isOutline ? outlineIdentities : identities);
  if (nameOf) return compareIdentified(path, before, after, nameOf, comparison);
  if (!before.some(isObject) && !after.some(isObject)) return compareScalars(path, before, after, comparison);
  compareByPlace(path, before, after, comparison);
}

// Items that say nothing of who they are: what is equal at both ends stays, so that one more is one entry.
function compareByPlace(path: string, before: Json[], after: Json[], comparison: DifferenceContext): void {
  const most = Math.min(before.length, after.length);
  const same = (left: Json | undefined, right: Json | undefined) => isSame(left, right, comparison);
  let head = 0;
  while (head < most && same(before[head], after[head])) head++;
  let tail = 0;
  while (tail < most - head && same(before.at(-1 - tail), after.at(-1 - tail))) tail++;
  const [left, right] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    compare(`${path}[${head + index}]`, left[index], right[index], comparison);
  }
}

// By text, for comparing by meaning at every depth would take exponential time.
function isSame(before: Json | undefined, after: Json | undefined, { lookups }: DifferenceContext): boolean {
  if (before === undefined || after === undefined) return before === after;
  return equal(evaluate(before, comparing(lookups.before)), evaluate(after, comparing(lookups.after)));
}

function compareScalars(
  path: string,
  before: Json[],
  after: Json[],
  { lookups, changes }: DifferenceContext,
): void {
  const left = before.flatMap((item) => evaluateItem(item, comparing(lookups.before)));
  const right = after.flatMap((item) => evaluateItem(item, comparing(lookups.after)));
  if (equal(left, right)) return;
  const sameSet = equal(sortedTexts(left), sortedTexts(right));
  changes.push({
    path,
    before,
    after,
    ...(sameSet && { order: true }),
    ...movedReferences(before, after, lookups),
  });
}

function compareIdentified(
  path: string,
  before: Json[],
  after: Json[],
  nameOf: (item: Json) => string | undefined,
  comparison: DifferenceContext,
): void {
  const left = new Map(before.map((item) => [nameOf(item) ?? "", item]));
  const right = new Map(after.map((item) => [nameOf(item) ?? "", item]));
  const kept = [...left.keys()].filter((name) => right.has(name));
  const order = [...right.keys()].filter((name) => left.has(name));
  // Operations and parameters come from mappings of an OpenAPI document, whose order says nothing.
  const ordered =
    !comparison.isOutline || !(commonIdentity(before, after, unorderedIdentities) !== undefined);
  if (ordered && !equal(kept, order)) {
    comparison.changes.push({ path, before: kept, after: order, order: true });
  }
  for (const name of new Set([...right.keys(), ...left.keys()])) {
    compare(`${path}${itemSegment(name)}`, left.get(name), right.get(name), comparison);
  }
}

// What names an item of a list, the most telling first.
const unorderedIdentities: readonly (readonly string[])[] = [
  ["method", "path"],
  ["in", "name"],
];
const identities: readonly (readonly string[])[] = [["type"], ["label"], ["name"], ["id"], ["url"]];
// A server that has another URL is the same one, which has moved.
const outlineIdentities = [...unorderedIdentities, ["name"]];

function commonIdentity(
  before: Json[],
  after: Json[],
  candidates: readonly (readonly string[])[],
): ((item: Json) => string | undefined) | undefined {
  if (before.length + after.length === 0) return undefined;
  for (const fields of candidates) {
    const nameOf = (item: Json): string | undefined => {
      if (!isObject(item)) return undefined;
      const names = fields.map((field) => item[field]);
      return names.every((name) => typeof name === "string" && name !== "") ? names.join(" ") : undefined;
    };
    if ([before, after].every((items) => areDistinct(items.map(nameOf)))) return nameOf;
  }
  return undefined;
}

function areDistinct(names: readonly (string | undefined)[]): boolean {
  return !names.includes(undefined) && new Set(names).size === names.length;
}

function movedReferences(before: Json[], after: Json[], lookups: Lookups): { references?: string[] } {
  if (!after.some((item) => typeof item === "string" && mayRefer(item))) return {};
  const known = new Set(before.filter((item) => typeof item === "string").flatMap(namesIn));
  const moved = after
    .filter((item) => typeof item === "string")
    .flatMap(referencesInText)
    .filter((reference) => known.has(reference.text))
    .filter((reference) => hasMoved(reference, lookups))
    .map(({ text }) => text);
  return moved.length > 0 ? { references: [...new Set(moved)] } : {};
}

/** Whether a reference stands for something else than before. */
export function hasMoved(reference: Reference, { before, after }: Lookups): boolean {
  return !equal(before(reference) as Json | undefined, after(reference) as Json | undefined);
}

function namesIn(text: string): string[] {
  return referencesInText(text).map((reference) => reference.text);
}

function sortedTexts(items: Json[]): string[] {
  return items.map((item) => JSON.stringify(item)).toSorted();
}

/** Gives the top-level field of a change. */
export function topField({ path }: Change): string {
  if (!path.startsWith('"')) return path.split(/[.[{]/, 1)[0] ?? path;
  // A plan that was read may have any path.
  const { value } = parseJson(path.slice(0, stringEnd(path, 0)));
  return typeof value === "string" ? value : path;
}

/** Whether a change only follows from another action: its text is the same, and what it refers to is not. */
export function isConsequence({ references = [], before, after }: Change): boolean {
  return references.length > 0 && before !== undefined && equal(before, after);
}
