import { unlessFailing } from "../disk/unless-failing.js";
import { unescapeKey } from "../json/json-pointer.js";
import { isObject, type Json, type JsonObject } from "../json/json.js";
import { valueAt } from "../json/path.js";

/** One operation of an OpenAPI document; the method is in upper case. */
export interface RoutedOperation {
  method: string;
  path: string;
  operationId?: string;
}

const METHODS: readonly string[] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Lists the operations under `paths` of an OpenAPI 3.x or Swagger 2.0 document, in document order. */
export function listOperations(document: JsonObject): RoutedOperation[] {
  const paths = document["paths"];
  if (!isObject(paths)) return [];
  return Object.entries(paths)
    .filter(([path]) => !path.startsWith("x-"))
    .flatMap(([path, item]) => operationsOfItem(path, resolveItem(document, item)));
}

/** Gives the description of an operation, or else its summary. */
export function describeOperation(
  document: JsonObject,
  { method, path }: RoutedOperation,
): string | undefined {
  const paths = document["paths"];
  const item =
    isObject(paths) && Object.hasOwn(paths, path) ? resolveItem(document, paths[path] ?? null) : {};
  const operation = item[method.toLowerCase()];
  if (!isObject(operation)) return undefined;
  const texts = [operation["description"], operation["summary"]];
  return texts.find((text) => typeof text === "string");
}

function operationsOfItem(path: string, item: JsonObject): RoutedOperation[] {
  const operations: RoutedOperation[] = [];
  for (const [method, operation] of Object.entries(item)) {
    if (!METHODS.includes(method) || !isObject(operation)) continue;
    const { operationId } = operation;
    const named = typeof operationId === "string" && operationId !== "";
    operations.push({ method: method.toUpperCase(), path, ...(named ? { operationId } : {}) });
  }
  return operations;
}

function resolveItem(document: JsonObject, item: Json, seen: readonly string[] = []): JsonObject {
  if (!isObject(item)) return {};
  const reference = item["$ref"];
  if (typeof reference !== "string" || !reference.startsWith("#/") || seen.includes(reference)) return item;
  return { ...resolveItem(document, lookUp(document, reference), [...seen, reference]), ...item };
}

function lookUp(document: JsonObject, reference: string): Json {
  const keys = reference.slice(2).split("/");
  const path = keys.map((key) => unescapeKey(unlessFailing(() => decodeURIComponent(key)) ?? key));
  return valueAt(document, path) ?? null;
}
