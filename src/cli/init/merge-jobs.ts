import {
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  type Document,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { yamlHazard } from "../../core/document/yaml-hazard.js";
import { equal, isObject, type Json } from "../../json/json.js";

/**
 * Changes jobs as the difference between two renderings says: one of what the jobs themselves say about their
 * workspace, one of what is so now. What a person wrote stays, with all comments; where it is in the place of a
 * change, that change is left out. Each change is one line: where, and what. Undefined if the present text is no YAML.
 */
export function mergeJobs(
  present: string,
  before: string,
  after: string,
): { readonly text: string; readonly changes: readonly string[] } | undefined {
  if (yamlHazard(present)) return undefined;
  const document = parseDocument(present);
  const [from, to] = [parseDocument(before), parseDocument(after)];
  if (document.errors.length > 0) return undefined;
  const merge = new Merge();
  merge.nodes(document.contents, from.contents, to.contents, "");
  const { changes } = merge;
  if (changes.length === 0) return { text: present, changes };
  // A file that nobody has edited is the one that is written today, down to its comments.
  return { text: present === before ? after : textOf(document), changes };
}

// In the form that the templates have.
function textOf(document: Document): string {
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

class Merge {
  readonly changes: string[] = [];

  nodes(mine: unknown, from: unknown, to: unknown, at: string): void {
    if (equal(valueOf(from), valueOf(to))) return;
    if (isMap(mine) && isMap(from) && isMap(to)) this.#maps(mine, from, to, at);
    else if (isSeq(mine) && isSeq(from) && isSeq(to)) this.#lists(mine, from, to, at);
  }

  #maps(mine: YAMLMap, from: YAMLMap, to: YAMLMap, at: string): void {
    for (const [index, pair] of to.items.entries()) {
      const [key, own] = [keyOf(pair), pairOf(mine, keyOf(pair))];
      const there = at === "" ? key : `${at}.${key}`;
      const earlier = pairOf(from, key);
      if (!earlier && !own) {
        mine.items.splice(placeAfter(mine.items, to.items.slice(0, index), keyOf), 0, pair);
        this.changes.push(`${there}: + ${shown(pair.value)}`);
      } else if (earlier && own && isScalar(own.value) && equal(valueOf(own.value), valueOf(earlier.value))) {
        if (equal(valueOf(earlier.value), valueOf(pair.value))) continue;
        own.value = pair.value;
        this.changes.push(`${there}: ${shown(earlier.value)} → ${shown(pair.value)}`);
      } else if (earlier && own) this.nodes(own.value, earlier.value, pair.value, there);
    }
    for (const pair of from.items) {
      const [key, own] = [keyOf(pair), pairOf(mine, keyOf(pair))];
      if (pairOf(to, key) || !own || !equal(valueOf(own.value), valueOf(pair.value))) continue;
      mine.items.splice(mine.items.indexOf(own), 1);
      this.changes.push(`${at}: - ${key}`);
    }
  }

  #lists(mine: YAMLSeq, from: YAMLSeq, to: YAMLSeq, at: string): void {
    for (const item of from.items) {
      const name = nameOf(item);
      const own = mine.items.findIndex((each) => nameOf(each) === name);
      if (to.items.some((each) => nameOf(each) === name) || own < 0) continue;
      if (!equal(valueOf(mine.items[own]), valueOf(item))) continue;
      mine.items.splice(own, 1);
      this.changes.push(`${at}: - ${name}`);
    }
    for (const [index, item] of to.items.entries()) {
      const name = nameOf(item);
      const isNamed = (each: unknown) => nameOf(each) === name;
      const [own, earlier] = [mine.items.find(isNamed), from.items.find(isNamed)];
      if (earlier !== undefined) {
        this.nodes(own, earlier, item, `${at}.${name}`);
      } else if (own === undefined) {
        mine.items.splice(placeAfter(mine.items, to.items.slice(0, index), nameOf), 0, item);
        this.changes.push(`${at}: + ${name}`);
      }
    }
  }
}

/** Gives the place behind the last of some items that is there too, by their names; the end where none is. */
function placeAfter<Each>(
  items: readonly Each[],
  earlier: readonly Each[],
  of: (item: Each) => string,
): number {
  for (const item of earlier.toReversed()) {
    const found = items.findIndex((each) => of(each) === of(item));
    if (found >= 0) return found + 1;
  }
  return earlier.length === 0 ? 0 : items.length;
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => keyOf(pair) === key);
}

function keyOf({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key);
}

// A step is known by what it is called, also after a person has changed it.
function nameOf(item: unknown): string {
  const value = valueOf(item);
  if (!isObject(value)) return String(value);
  const { id, name, uses, local } = value;
  const known = [id, name, uses, local].find((each) => typeof each === "string");
  return String(known ?? Object.keys(value)[0]).replace(/@.*/, "");
}

function valueOf(node: unknown): Json {
  const isNode = isMap(node) || isSeq(node) || isScalar(node) || isPair(node);
  return (isNode ? (node.toJSON() as Json | undefined) : undefined) ?? null;
}

function shown(node: unknown): string {
  const value = valueOf(node);
  return typeof value === "string" ? value : JSON.stringify(value);
}
