import { groupBy } from "../../json/groups.js";
import { pointerOf } from "../../json/json-pointer.js";
import type { Budget } from "../../json/budget.js";
import { measure } from "../../json/extent.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { isKnownBesideOperations } from "./unknown-keys.js";
import { METHODS, type OperationSource } from "./openapi-operation.js";
import type { Pointers } from "./openapi-pointer.js";
import { OpenApiReach } from "./openapi-reach.js";

/**
 * Gives the part of a document that has some of its operations and no others: they, what they refer to, and what the
 * document says of all operations, each where it was and in document order. What they refer to inside other paths
 * moves below `x-unpicked`, because every operation under `paths` becomes a tool. Incomplete if the limit of work is
 * reached: what many paths share is written out for each of them.
 */
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
  const members = Object.entries(pathItem);
  // What is not known here may be an operation for the service.
  const kept = members.filter(([key]) =>
    METHODS.has(key) ? methods.has(key) : isKnownBesideOperations(key),
  );
  return kept.length === members.length ? pathItem : Object.fromEntries(kept);
}

/** Gives a value in which some `$ref`s lead to other paths. */
function rename(value: Json, renamed: ReadonlyMap<string, readonly string[]>, budget: Budget): Json {
  if (Array.isArray(value)) return value.map((item) => rename(item, renamed, budget));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => {
    const path = key === "$ref" && typeof member === "string" ? renamed.get(member) : undefined;
    return [key, path ? pointerTo(path, budget) : rename(member, renamed, budget)] as const;
  });
  return Object.fromEntries(members);
}

function pointerTo(path: readonly string[], budget: Budget): string {
  const length = path.reduce((sum, key) => sum + key.length, path.length);
  return budget.spend(length) ? `#${pointerOf(path)}` : "";
}
