import { Budget } from "../../../src/json/budget.js";
import type { JsonObject } from "../../../src/json/json.js";
import { operationSources, routeOf } from "../../../src/core/openapi/openapi-operation.js";
import { pickOperations } from "../../../src/core/openapi/operation-choice.js";
import { Pointers } from "../../../src/core/openapi/openapi-pointer.js";

/** The operations of a document, with its pointers. */
export function sourcesIn(document: JsonObject) {
  const pointers = new Pointers(document, new Budget(Number.MAX_SAFE_INTEGER));
  return { pointers, sources: operationSources(document, pointers) };
}

/** Picks operations by their place in the document. */
export function pickByIndex(document: JsonObject, isPicked: (index: number) => boolean): JsonObject {
  const { pointers, sources } = sourcesIn(document);
  const chosen = sources.filter((_, index) => isPicked(index));
  return pickOperations(document, chosen, pointers, new Budget(Number.MAX_SAFE_INTEGER));
}

/** Picks operations by `METHOD /path`. */
export function pickRoutes(document: JsonObject, ...routes: string[]): JsonObject {
  const all = sourcesIn(document).sources.map(({ operation }) => routeOf(operation));
  return pickByIndex(document, (index) => routes.includes(all[index] ?? ""));
}
