import { addTo } from "../../json/groups.js";
import { type Json, isObject, type JsonObject } from "../../json/json.js";
import { operationKeys, routeOf, type Operation } from "../openapi/openapi-operation.js";
import { asId, isId } from "./id.js";
import { atPointer } from "../../json/json-pointer.js";

/** The IDs that a create of a tool set answered, and which operation's key each belongs to where that is sure. */
export interface ToolMap {
  ids?: string[];
  tools?: Record<string, string>;
  /** What was answered in the place of IDs, where it is not sure which member is the ID. */
  candidates?: ToolCandidate[];
}

/** Gives the ends of an ID that may be an operationId, the longest first; no numbers, for services count with them. */
function endingsOf(id: string): string[] {
  const ends = [id, ...[...id.matchAll(/[-_]/g)].map(({ index }) => id.slice(index + 1))];
  return ends.filter((end) => !/^\d*$/.test(end));
}

/** Whether IDs are the same but for their digits, so that the service may have counted. */
function areCounted(ids: readonly string[]): boolean {
  return ids.length > 1 && new Set(ids.map((id) => id.replaceAll(/\d+/g, "0"))).size === 1;
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

/** The likeliest first: where every ID ends in its operationId, the longest ends either clash or are right. */
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
  const isCounted = areCounted(entries.flatMap(({ id, route }) => (route === undefined ? [id] : [])));
  const chosen = candidates.map(([first]) => first);
  if (isUniform && !isCounted && isOneToOne(chosen, operations.length)) return chosen;
  // What an answer says of itself is not overruled by the order that the deployment promises, in doubt neither.
  const agrees = candidates.every((own, index) =>
    own.length === 0 ? isOfMethod(entries[index], operations[index]) : own.includes(index),
  );
  return documentOrder && agrees && entries.length === operations.length ? [...entries.keys()] : undefined;
}

// A path may have more in an answer than in the document, such as the base of its server, but a method is one.
function isOfMethod(entry: ToolEntry | undefined, operation: Operation | undefined): boolean {
  return entry?.route === undefined || entry.route.startsWith(`${operation?.method ?? ""} `);
}

/** Finds which operation has which ID; at a doubt `tools` is absent, and undefined means no ID, or one twice. */
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

/** One answered ID, with the route that it names if it came as an object. */
export interface ToolEntry {
  readonly id: string;
  readonly route?: string;
}

/** The members that can be the ID of a tool; deployments are known that call it any of these. */
const idMembers = ["tool_id", "_id", "id", "name"];

/** The members of an answered object that can be its ID, with its method and path. */
export type ToolCandidate = Record<string, string>;

type ReadId = (entry: JsonObject) => string | undefined;

/** Reads IDs, or objects with one where a pointer says or in the one member that can be it; else all that can. */
function readEntries(
  list: readonly Json[],
  pointer: string | undefined,
): { readonly entries?: readonly ToolEntry[] | undefined; readonly candidates?: ToolCandidate[] } {
  const objects = list.filter(isObject);
  if (pointer !== undefined || objects.length === 0) {
    return { entries: withIds(list, (entry) => asId(atPointer(entry, pointer ?? ""))) };
  }
  const readers = idMembers
    .map(
      (member): ReadId =>
        (entry) =>
          idIn(entry, member),
    )
    .filter((read) => objects.every((entry) => read(entry) !== undefined));
  const unique = readers.filter((read) => new Set(objects.map(read)).size === objects.length);
  const [read = readers[0], ...others] = unique;
  if (!read) return {};
  const isSure = others.every((other) => objects.every((entry) => other(entry) === read(entry)));
  if (isSure) return { entries: withIds(list, read) };
  const areAll = objects.length === list.length && objects.every(hasRoute);
  return areAll ? { candidates: objects.map(candidateOf) } : {};
}

/** The members of kept candidates that a pointer could name. */
export function memberPointers([candidate = {}]: readonly ToolCandidate[]): string[] {
  return idMembers.filter((member) => candidate[member] !== undefined).map((member) => `/${member}`);
}

function withIds(list: readonly Json[], read: ReadId): ToolEntry[] | undefined {
  const entries = list.map((entry) => withId(entry, read));
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

function withId(entry: Json, read: ReadId): ToolEntry | undefined {
  if (typeof entry === "string") return isId(entry) ? { id: entry } : undefined;
  const id = isObject(entry) && hasRoute(entry) ? read(entry) : undefined;
  if (id === undefined || !isObject(entry)) return undefined;
  return { id, route: `${String(entry.method).toUpperCase()} ${String(entry.path)}` };
}

function hasRoute({ method, path }: JsonObject): boolean {
  return typeof method === "string" && typeof path === "string";
}

// A name is a text, while IDs are numbers in some deployments.
function idIn(entry: JsonObject, member: string): string | undefined {
  const value = Object.hasOwn(entry, member) ? entry[member] : undefined;
  return member === "name" && typeof value !== "string" ? undefined : asId(value);
}

function candidateOf(entry: JsonObject): ToolCandidate {
  const kept = idMembers.flatMap((member) => {
    const id = idIn(entry, member);
    return id === undefined ? [] : [[member, id] as const];
  });
  return { method: String(entry.method), path: String(entry.path), ...Object.fromEntries(kept) };
}
