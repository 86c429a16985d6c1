import { isMap, isPair, isScalar, isSeq, parseDocument, type Document } from "yaml";
import { yamlHazard } from "../../core/document/yaml-hazard.js";
import { equal, isObject, type Json } from "../../json/json.js";

/** Applies the difference of two renderings to jobs, and leaves out where a person wrote; undefined if no YAML. */
export function mergeJobs(
  present: string,
  before: string,
  after: string,
): { readonly text: string; readonly changes: readonly string[] } | undefined {
  if (yamlHazard(present)) return undefined;
  const document = parseDocument(present);
  const [from, to] = [parseDocument(before), parseDocument(after)];
  if (document.errors.length > 0) return undefined;
  const changes: string[] = [];
  mergeNodes(document.contents, from.contents, to.contents, "", changes);
  if (changes.length === 0) return { text: present, changes };
  // A file that nobody has edited is the one that is written today, down to its comments.
  return { text: present === before ? after : textOf(document), changes };
}

// In the form that the templates have.
function textOf(document: Document): string {
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function mergeNodes(mine: unknown, from: unknown, to: unknown, at: string, changes: string[]): void {
  if (equal(valueOf(from), valueOf(to))) return;
  if (isMap(mine) && isMap(from) && isMap(to)) mergeItems(mine.items, from.items, to.items, at, changes);
  if (isSeq(mine) && isSeq(from) && isSeq(to)) mergeItems(mine.items, from.items, to.items, at, changes);
}

// Of a mapping its pairs, of a list its items.
function mergeItems(
  mine: unknown[],
  from: readonly unknown[],
  to: readonly unknown[],
  at: string,
  changes: string[],
): void {
  const named = (items: readonly unknown[], name: string) => items.find((each) => nameOf(each) === name);
  for (const [index, item] of to.entries()) {
    const name = nameOf(item);
    const there = at === "" ? name : `${at}.${name}`;
    const [own, earlier] = [named(mine, name), named(from, name)];
    if (own === undefined && earlier === undefined) {
      mine.splice(placeAfter(mine, to.slice(0, index)), 0, item);
      changes.push(isPair(item) ? `${there}: + ${shown(item.value)}` : `${at}: + ${name}`);
    } else if (isPair(own) && isScalar(own.value) && earlier !== undefined && isSame(own, earlier)) {
      if (isSame(earlier, item)) continue;
      own.value = contentOf(item);
      changes.push(`${there}: ${shown(contentOf(earlier))} → ${shown(own.value)}`);
    } else mergeNodes(contentOf(own), contentOf(earlier), contentOf(item), there, changes);
  }
  for (const item of from) {
    const name = nameOf(item);
    const own = named(mine, name);
    if (named(to, name) !== undefined || own === undefined || !isSame(own, item)) continue;
    mine.splice(mine.indexOf(own), 1);
    changes.push(`${at}: - ${name}`);
  }
}

/** Gives the place behind the last of some items that is there too, by their names; the end where none is. */
function placeAfter(items: readonly unknown[], earlier: readonly unknown[]): number {
  for (const item of earlier.toReversed()) {
    const found = items.findIndex((each) => nameOf(each) === nameOf(item));
    if (found >= 0) return found + 1;
  }
  return earlier.length === 0 ? 0 : items.length;
}

// A step is known by what it is called, also after a person has changed it.
function nameOf(item: unknown): string {
  if (isPair(item)) return String(isScalar(item.key) ? item.key.value : item.key);
  const value = valueOf(item);
  if (!isObject(value)) return String(value);
  const { id, name, uses, local } = value;
  const known = [id, name, uses, local].find((each) => typeof each === "string");
  return String(known ?? Object.keys(value)[0]).replace(/@.*/, "");
}

function contentOf(item: unknown): unknown {
  return isPair(item) ? item.value : item;
}

function isSame(one: unknown, other: unknown): boolean {
  return equal(valueOf(contentOf(one)), valueOf(contentOf(other)));
}

function valueOf(node: unknown): Json {
  const isNode = isMap(node) || isSeq(node) || isScalar(node);
  return (isNode ? (node.toJSON() as Json | undefined) : undefined) ?? null;
}

function shown(node: unknown): string {
  const value = valueOf(node);
  return typeof value === "string" ? value : JSON.stringify(value);
}
