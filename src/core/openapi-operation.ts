import { isObject, type Json, type JsonObject } from "./json.js";
import { follow } from "./openapi-pointer.js";

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

/** The keys of a path item that hold operations, in lower case. */
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

function operationsOfPath(path: string, pathItem: JsonObject): OperationSource[] {
  return Object.entries(pathItem).flatMap(([method, content]) => {
    if (!METHODS.has(method) || !isObject(content)) return [];
    const operation: Operation = { method: method.toUpperCase(), path };
    const { operationId } = content;
    if (typeof operationId === "string" && operationId !== "") operation.operationId = operationId;
    return [{ operation, pathItem, content }];
  });
}

/** Finds the operations of any JSON value under `paths`, in document order, with what is said about them. */
export function operationSources(document: Json): OperationSource[] {
  if (!isObject(document) || !isObject(document.paths)) return [];
  return Object.entries(document.paths).flatMap(([path, item]) => {
    if (path.startsWith("x-") || !isObject(item)) return [];
    return operationsOfPath(path, follow(document, item) ?? item);
  });
}

/** Lists the operations of an OpenAPI 3 or Swagger 2.0 document in document order; empty when it has none. */
export function operationsOf(document: Json): Operation[] {
  return operationSources(document).map(({ operation }) => operation);
}

/** The name that every operation has: `METHOD /path`. */
export function routeOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/**
 * Gives the key of each operation: its operationId if no other operation answers to it, else `METHOD /path`;
 * no two operations of a document have the same key.
 */
export function operationKeys(operations: readonly Operation[]): string[] {
  const uses = new Map<string, number>();
  for (const operation of operations) {
    for (const name of new Set([operation.operationId ?? "", routeOf(operation)])) {
      uses.set(name, (uses.get(name) ?? 0) + 1);
    }
  }
  return operations.map((operation) => {
    const { operationId } = operation;
    return operationId !== undefined && uses.get(operationId) === 1 ? operationId : routeOf(operation);
  });
}

/**
 * Gives the index of the operation that a locator names: an operationId that only one has, or `METHOD /path`
 * with the method in any case; undefined when there is none.
 */
export function findOperation(operations: readonly Operation[], locator: string): number | undefined {
  const byKey = operationKeys(operations).indexOf(locator);
  if (byKey >= 0) return byKey;
  const [method = "", ...path] = locator.split(" ");
  const route = `${method.toUpperCase()} ${path.join(" ")}`;
  const byRoute = operations.findIndex((operation) => routeOf(operation) === route);
  return byRoute >= 0 ? byRoute : undefined;
}
