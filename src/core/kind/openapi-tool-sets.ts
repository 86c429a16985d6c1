import { operationsById } from "./identity.js";
import { groupBy } from "../../json/groups.js";
import { compareText } from "../../json/compare-text.js";
import { canonical, isObject, type JsonObject, filterMembers } from "../../json/json.js";
import { operationKeys, operationsOf, type Operation } from "../openapi/openapi.js";
import { routeOf } from "../openapi/openapi-operation.js";
import type { GatheredParts, ObjectPart } from "./kind.js";
import { mapTools } from "./openapi-tools.js";

/** Makes sets of tools with equal fields; a document that was sent several times gives several, the oldest first. */
export function gatherTools(
  parts: readonly ObjectPart[],
  isField: (name: string) => boolean,
): GatheredParts[] {
  const fieldsOf = ({ body }: ObjectPart): JsonObject => filterMembers(body, (name) => isField(name));
  const groups = groupBy(parts, (part) => canonical(fieldsOf(part)));
  return [...groups.values()].flatMap((group) => setsOf(group, group[0] ? fieldsOf(group[0]) : {}));
}

function setsOf(parts: readonly ObjectPart[], body: JsonObject): GatheredParts[] {
  const document = body.openapi_schema;
  if (!isObject(document)) {
    return [{ parts, body, problem: "the service does not give back its OpenAPI document" }];
  }
  const operations = operationsOf(document);
  const keys = operationKeys(operations);
  const places = placesOf(parts, operations, keys);
  if (!places) return [{ parts, body, problem: "which operations its tools are is not clear" }];
  const rounds: Map<number, ObjectPart>[] = [];
  const filled = new Map<number, number>();
  for (const part of parts.toSorted(byAge)) {
    const place = places.get(part) ?? 0;
    const at = filled.get(place) ?? 0;
    filled.set(place, at + 1);
    (rounds[at] ??= new Map<number, ObjectPart>()).set(place, part);
  }
  return rounds.map((round) => {
    const inOrder = [...round].toSorted(([left], [right]) => left - right);
    return {
      parts: inOrder.map(([, part]) => part),
      body,
      ...(inOrder.length < operations.length && { picks: inOrder.map(([place]) => keys[place] ?? "") }),
    };
  });
}

function placesOf(
  parts: readonly ObjectPart[],
  operations: readonly Operation[],
  keys: readonly string[],
): Map<ObjectPart, number> | undefined {
  const routes = firstPlaces(operations.map(routeOf));
  const named = firstPlaces(keys);
  const ids = parts.map(({ id }) => id);
  const byId = operationsById(mapTools(operations, ids, false) ?? {});
  const places = new Map<ObjectPart, number>();
  for (const part of parts) {
    const { method, path, name } = part.body;
    const hasRoute = typeof method === "string" && typeof path === "string";
    const place = hasRoute
      ? routes.get(`${method.toUpperCase()} ${path}`)
      : named.get(typeof name === "string" && named.has(name) ? name : (byId.get(part.id) ?? ""));
    if (place === undefined) return undefined;
    places.set(part, place);
  }
  return places;
}

function firstPlaces(texts: readonly string[]): ReadonlyMap<string, number> {
  return new Map([...texts.entries()].toReversed().map(([place, text]) => [text, place]));
}

function byAge(left: ObjectPart, right: ObjectPart): number {
  return compareText(ageOf(left), ageOf(right)) || compareText(left.id, right.id);
}

function ageOf({ body }: ObjectPart): string {
  return typeof body.created_at === "string" ? body.created_at : "";
}
