import type { NamedOperation } from "../../generated/plan.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { kindOfAddress } from "../kind/kinds.js";
import { once } from "../../json/once.js";
import { childOf } from "../openapi/openapi-pointer.js";
import { unfollowedPaths } from "../openapi/outline-document.js";
import { isOutline, type OperationWords, wordsOf } from "../openapi/outline-shape.js";
import { textOf } from "../openapi/outline-value.js";
import { indexOperations, type Operation } from "../openapi/openapi.js";
import { routeOf } from "../openapi/openapi-operation.js";

const readingMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** One operation of a tool set, with what its outline says, which cuts long texts. */
export interface KnownOperation extends Readonly<OperationWords> {
  readonly named: NamedOperation;
  readonly writes: boolean;
  readonly operationId?: string;
}

/** By `METHOD /path`, whatever the name; operations of a path at another address are one, by the path and that. */
type Operations = ReadonlyMap<string, KnownOperation>;

interface OperationSet {
  readonly all: Operations;
  /** Gives the route of the operation that a reference names, or the name itself if there is no such operation. */
  readonly routeOf: (locator: string) => string;
}

/** Gives the operations of a tool set by its address; none if there is no such tool set. */
export type OperationsOf = (toolset: string) => OperationSet;

/** Makes a reader of tool sets that reads each set once, however many agents refer to it. */
export function readOperations(bodyOf: (toolset: string) => JsonObject | undefined): OperationsOf {
  return once((toolset) => {
    const body = bodyOf(toolset) ?? {};
    const operations = operationsIn(toolset, body);
    const { keys, find } = indexOperations(operations);
    const all = new Map([
      ...operations.map((operation, index) => [routeOf(operation), knownOf(operation, keys[index])] as const),
      ...unfollowedIn(body.openapi_schema),
    ]);
    return {
      all,
      routeOf(locator) {
        const operation = operations[find(locator) ?? -1];
        return operation ? routeOf(operation) : locator;
      },
    };
  });
}

/** Some operations, by whether they write. */
export interface SortedOperations {
  readonly reading: NamedOperation[];
  readonly writing: NamedOperation[];
}

/** Sorts operations into those that read and those that write. */
export function sortOperations(operations: Iterable<KnownOperation>): SortedOperations {
  const reading: NamedOperation[] = [];
  const writing: NamedOperation[] = [];
  for (const { named, writes } of operations) (writes ? writing : reading).push(named);
  return { reading, writing };
}

// Whatever operations are there, an agent with the whole set has them, and a service may follow the reference.
function unfollowedIn(outline: Json | undefined): (readonly [string, KnownOperation])[] {
  const paths = isOutline(outline) ? unfollowedPaths(outline.paths) : undefined;
  return Object.entries(paths ?? {}).map(([path, item]) => {
    const name = textOf(childOf(item, "$ref"));
    return [`${path} ${name}`, { named: { name, route: path }, writes: true }];
  });
}

type DescribedOperation = Operation & OperationWords;

// A lock may hold anything where operations should be.
function operationsIn(toolset: string, body: JsonObject): DescribedOperation[] {
  const operations: readonly unknown[] = kindOfAddress(toolset).operations?.(body) ?? [];
  return operations.filter(isObject).flatMap(({ method, path, operationId, ...words }) => {
    if (typeof method !== "string" || typeof path !== "string") return [];
    const named = typeof operationId === "string" && { operationId };
    return [{ method: method.toUpperCase(), path, ...named, ...wordsOf(words) }];
  });
}

function knownOf(operation: DescribedOperation, key: string | undefined): KnownOperation {
  const { method, path: _path, ...described } = operation;
  const route = routeOf(operation);
  const writes = !readingMethods.has(method);
  const hasName = key !== undefined && key.toUpperCase() !== route.toUpperCase();
  const named = { ...(hasName && { name: key }), route };
  return { named, writes, ...described };
}
