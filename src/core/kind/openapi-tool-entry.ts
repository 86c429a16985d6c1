import { asId, isId } from "./id.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { atPointer } from "../../json/json-pointer.js";

/** One answered ID, with the route that it names if it came as an object. */
export interface ToolEntry {
  readonly id: string;
  readonly route?: string;
}

/** The members that can be the ID of a tool; deployments are known that call it any of these. */
const idMembers = ["tool_id", "_id", "id", "name"];

/** The members of an answered object that can be its ID, with its method and path. */
export type ToolCandidate = Record<string, string>;

/** The entries of a list of tools, or the candidates for their IDs; neither if an entry has no ID. */
interface ReadEntries {
  readonly entries?: readonly ToolEntry[] | undefined;
  readonly candidates?: ToolCandidate[];
}

type ReadId = (entry: JsonObject) => string | undefined;

/**
 * Reads the entries of an answer's list of tools: IDs, or objects in which a pointer says where the ID is, or else the
 * one member that can be it. Where several can, it gives all of them.
 */
export function readEntries(list: readonly Json[], pointer: string | undefined): ReadEntries {
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
