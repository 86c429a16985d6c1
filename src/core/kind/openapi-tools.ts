import { addTo } from "../../json/groups.js";
import type { Json } from "../../json/json.js";
import { operationKeys, routeOf, type Operation } from "../openapi/openapi-operation.js";
import { readEntries, type ToolCandidate, type ToolEntry } from "./openapi-tool-entry.js";

/** The IDs that a create of a tool set answered, and which operation's key each belongs to where that is sure. */
export interface ToolMap {
  ids?: string[];
  tools?: Record<string, string>;
  /** What was answered in the place of IDs, where it is not sure which member is the ID. */
  candidates?: ToolCandidate[];
}

/** Gives the ends of an ID that could be an operationId, the longest (the whole ID) first. */
function endingsOf(id: string): string[] {
  return [id, ...[...id.matchAll(/[-_]/g)].map(({ index }) => id.slice(index + 1))];
}

/** The indexes of operations by one of their names. */
type Index = ReadonlyMap<string, readonly number[]>;

function indexBy(names: readonly (string | undefined)[]): Index {
  const indexes = new Map<string, number[]>();
  for (const [index, name] of names.entries()) {
    if (name !== undefined) addTo(indexes, name, index);
  }
  return indexes;
}

/**
 * Gives the operations that an entry may belong to by its own words, the likeliest first. If every ID does end
 * in its operationId, then taking each one's longest either gives two of them the same operation or is right.
 */
function candidatesOf({ id, route }: ToolEntry, byRoute: Index, byId: Index): number[] {
  return route === undefined
    ? endingsOf(id).flatMap((end) => byId.get(end) ?? [])
    : [...(byRoute.get(route) ?? [])];
}

function isOneToOne(indexes: readonly (number | undefined)[], count: number): indexes is readonly number[] {
  return indexes.length === count && !indexes.includes(undefined) && new Set(indexes).size === count;
}

/** Chooses for each entry the index of its operation; undefined when that is not sure for all of them. */
function matchEntries(
  entries: readonly ToolEntry[],
  operations: readonly Operation[],
  documentOrder: boolean,
): readonly number[] | undefined {
  const byRoute = indexBy(operations.map(routeOf));
  const byId = indexBy(operations.map(({ operationId }) => operationId));
  const candidates = entries.map((entry) => candidatesOf(entry, byRoute, byId));
  const isUniform = new Set(entries.map(({ route }) => route === undefined)).size <= 1;
  const chosen = candidates.map(([first]) => first);
  if (isUniform && isOneToOne(chosen, operations.length)) return chosen;
  // What an answer says of itself is not overruled by the order that the deployment promises.
  const agrees = candidates.every((own, index) => own.length === 0 || own.includes(index));
  return documentOrder && agrees && entries.length === operations.length ? [...entries.keys()] : undefined;
}

/**
 * Reads the `tool_ids` of an answer and finds out which operation has which ID (operationKeys gives the keys):
 * by method and path, by operationId at the end, or by position where the deployment answers in document order.
 * Where there is a doubt `tools` is absent; where it is not even sure which members are the IDs there are candidates
 * alone; undefined when an entry has no ID or two have the same.
 */
export function mapTools(
  operations: readonly Operation[],
  toolIds: readonly Json[],
  documentOrder: boolean,
  pointer?: string,
): ToolMap | undefined {
  const { entries, candidates } = readEntries(toolIds, pointer);
  if (!entries) return candidates && { candidates };
  const ids = entries.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) return undefined;
  const matched = matchEntries(entries, operations, documentOrder);
  if (matched === undefined) return { ids };
  const keys = operationKeys(operations);
  return { ids, tools: Object.fromEntries(ids.map((id, index) => [keys[matched[index] ?? 0] ?? "", id])) };
}
