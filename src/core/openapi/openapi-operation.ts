import { countEach } from "../../json/groups.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import type { Pointers } from "./openapi-pointer.js";

/** One operation of a document: its method in upper case, its path as written, and its operationId if it has one. */
export interface Operation {
  method: string;
  path: string;
  operationId?: string;
}

/** An operation together with what the document says about it and about its path. */
export interface OperationSource {
  operation: Operation;
  pathItem: JsonObject;
  content: JsonObject;
}

/** The keys of a path item that are operations, in lower case. */
export const METHODS: ReadonlySet<string> = new Set([
  "get",
  "put",
  "post",
  "delete",
  "options",
  "head",
  "patch",
  "trace",
]);

function operationsOfPath(path: string, pathItem: JsonObject, pointers: Pointers): OperationSource[] {
  return Object.entries(pathItem).flatMap(([method, written]) => {
    if (!METHODS.has(method) || !isObject(written)) return [];
    // OpenAPI knows no `$ref` here, but clients that resolve all of them do.
    const content = pointers.follow(written) ?? written;
    const operation: Operation = { method: method.toUpperCase(), path };
    const { operationId } = content;
    if (typeof operationId === "string" && operationId !== "") operation.operationId = operationId;
    return [{ operation, pathItem, content }];
  });
}

/** Finds the operations of any JSON value under `paths`, in document order, with what is said about them. */
export function operationSources(document: Json, pointers: Pointers): OperationSource[] {
  if (!isObject(document) || !isObject(document.paths)) return [];
  return Object.entries(document.paths).flatMap(([path, item]) => {
    if (path.startsWith("x-") || !isObject(item)) return [];
    return operationsOfPath(path, pointers.follow(item) ?? item, pointers);
  });
}

/** The name that every operation has: `METHOD /path`. */
export function routeOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** Gives each operation's unique key: its operationId if it is no other's name, too, else `METHOD /path`. */
export function operationKeys(operations: readonly Operation[]): string[] {
  const uses = countEach(
    operations.flatMap((operation) => [...new Set([operation.operationId ?? "", routeOf(operation)])]),
  );
  return operations.map((operation) => {
    const { operationId } = operation;
    return operationId !== undefined && uses.get(operationId) === 1 ? operationId : routeOf(operation);
  });
}

/** The operations of a document, prepared for many look-ups. */
export interface OperationIndex {
  readonly keys: readonly string[];
  /** By an operationId that only one has, or `METHOD /path` with the method in any case; undefined if there is none. */
  readonly find: (locator: string) => number | undefined;
}

/** Indexes operations by their names. */
export function indexOperations(operations: readonly Operation[]): OperationIndex {
  const keys = operationKeys(operations);
  const byKey = firstPlaces(keys);
  const byRoute = firstPlaces(operations.map(routeOf));
  return {
    keys,
    find(locator) {
      const [method = "", ...path] = locator.split(" ");
      return byKey.get(locator) ?? byRoute.get(`${method.toUpperCase()} ${path.join(" ")}`);
    },
  };
}

function firstPlaces(names: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [index, name] of names.entries()) if (!places.has(name)) places.set(name, index);
  return places;
}
