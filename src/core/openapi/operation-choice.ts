import { addTo, groupBy } from "../../json/groups.js";
import type { OperationPick } from "../../generated/toolset.js";
import type { Budget } from "../../json/budget.js";
import { hasPieces } from "../../json/texts.js";
import { routeOf, type OperationSource, METHODS } from "./openapi-operation.js";
import { pointerOf } from "../../json/json-pointer.js";
import { measure } from "../../json/extent.js";
import { filterMembers, isObject, mapMembers, type Json, type JsonObject } from "../../json/json.js";
import { isKnownBesideOperations } from "./unknown-keys.js";
import type { Pointers } from "./openapi-pointer.js";
import { OpenApiReach } from "./openapi-reach.js";

/** Finds picked and other operations in document order, and picks of nothing, up to the limit of work. */
export function chooseOperations(
  sources: readonly OperationSource[],
  picks: readonly OperationPick[],
  budget: Budget,
) {
  const find = buildFinder(sources, budget);
  const chosen = new Set<OperationSource>();
  const unmatched: number[] = [];
  for (const [index, pick] of picks.entries()) {
    const found = find(pick);
    // What many picks choose is gone through for each, and beyond the limit even asking is too much.
    if (!budget.spend(found.length)) break;
    if (found.length === 0) unmatched.push(index);
    for (const source of found) chosen.add(source);
  }
  return {
    chosen: sources.filter((source) => chosen.has(source)),
    others: sources.filter((source) => !chosen.has(source)),
    unmatched,
  };
}

/** The names of the tags of an operation. */
export function tagsOf({ content }: OperationSource): string[] {
  const { tags } = content;
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [];
}

/** Splits a `METHOD /path` at its first space, the method in upper case; undefined for any other text. */
export function splitRoute(text: string): { readonly method: string; readonly path: string } | undefined {
  const [, method, path] = /^(\S+) +(\S.*)$/.exec(text) ?? [];
  return method === undefined || path === undefined ? undefined : { method: method.toUpperCase(), path };
}

type Finder = (pick: OperationPick) => readonly OperationSource[];

function buildFinder(sources: readonly OperationSource[], budget: Budget): Finder {
  const byId = groupByNames(sources, ({ operation }) => operation.operationId ?? []);
  const byRoute = groupBy(sources, ({ operation }) => routeOf(operation));
  const byTag = groupByNames(sources, tagsOf);
  const matching = (pattern: string): OperationSource[] => {
    const pieces = pattern.split("*");
    return sources.filter(({ operation }) => {
      const route = routeOf(operation);
      return budget.spend(pieces.length + route.length) && hasPieces(route, pieces);
    });
  };
  return (pick) => {
    if (typeof pick !== "string") return byTag.get(pick.tag) ?? [];
    const split = splitRoute(pick);
    if (split === undefined) return byId.get(pick) ?? [];
    const route = `${split.method} ${split.path}`;
    const routes = route.includes("*") ? matching(route) : (byRoute.get(route) ?? []);
    return [...(byId.get(pick) ?? []), ...routes];
  };
}

function groupByNames(
  sources: readonly OperationSource[],
  namesOf: (source: OperationSource) => string | readonly string[],
): Map<string, OperationSource[]> {
  const groups = new Map<string, OperationSource[]>();
  for (const source of sources) {
    for (const name of [namesOf(source)].flat()) addTo(groups, name, source);
  }
  return groups;
}

/** Gives the part of a document with some operations; what they use of other paths moves below `x-unpicked`. */
export function pickOperations(
  document: JsonObject,
  chosen: readonly OperationSource[],
  pointers: Pointers,
  budget: Budget,
): JsonObject {
  const items = pickItems(document, chosen, budget);
  const reach = new OpenApiReach(document, items, pointers);
  const { kept, moved, tags, renamed } = reach;
  const whole: JsonObject = { ...document, paths: Object.fromEntries(items) };
  kept.add(["paths"]);
  if (tags.size > 0 && Array.isArray(document.tags) && kept.add(["tags"])) {
    whole.tags = document.tags.filter((tag) => tags.has(tag));
  }
  const picked = kept.prune(whole) as JsonObject;
  if (!moved.isEmpty) picked[reach.elsewhere] = moved.prune(document);
  return renamed.size > 0 ? (rename(picked, renamed, budget) as JsonObject) : picked;
}

/** Gives the path items of some operations without all other operations; a path item behind a `$ref` is written out. */
function pickItems(
  { paths }: JsonObject,
  chosen: readonly OperationSource[],
  budget: Budget,
): ReadonlyMap<string, JsonObject> {
  const byPath = groupBy(chosen, ({ operation }) => operation.path);
  const items = new Map<string, JsonObject>();
  for (const [path, written] of isObject(paths) ? Object.entries(paths) : []) {
    const sources = byPath.get(path);
    if (!sources?.[0]) continue;
    const item = withoutOthers(sources[0].pathItem, sources);
    const isShared = isObject(written) && written.$ref !== undefined;
    if (isShared && !budget.isSpent) budget.spend(measure(item).size);
    if (!budget.isSpent) items.set(path, item);
  }
  return items;
}

function withoutOthers(pathItem: JsonObject, sources: readonly OperationSource[]): JsonObject {
  const methods = new Set(sources.map(({ operation }) => operation.method.toLowerCase()));
  // What is not known here may be an operation for the service.
  const isKept = (key: string): boolean =>
    METHODS.has(key) ? methods.has(key) : isKnownBesideOperations(key);
  return Object.keys(pathItem).every(isKept) ? pathItem : filterMembers(pathItem, isKept);
}

/** Gives a value in which some `$ref`s lead to other paths. */
function rename(value: Json, renamed: ReadonlyMap<string, readonly string[]>, budget: Budget): Json {
  if (Array.isArray(value)) return value.map((item) => rename(item, renamed, budget));
  if (!isObject(value)) return value;
  return mapMembers(value, (member, key) => {
    const path = key === "$ref" && typeof member === "string" ? renamed.get(member) : undefined;
    return path ? pointerTo(path, budget) : rename(member, renamed, budget);
  });
}

function pointerTo(path: readonly string[], budget: Budget): string {
  const length = path.reduce((sum, key) => sum + key.length, path.length);
  return budget.spend(length) ? `#${pointerOf(path)}` : "";
}
