import { createHash, randomBytes } from "node:crypto";
import {
  damaged,
  isNumber,
  openFolder,
  StorageError,
  type Folder,
  type FolderPlace,
  type EmulatedObject,
  type KeptFile,
  type Times,
} from "./folder.js";
import type { KindName } from "../generated/kinds.js";
import { isObject, type Json, type JsonObject } from "../json/json.js";
import type { RoutedOperation } from "./openapi.js";
import type { EmulatedOperations } from "./world.js";

/** A tool: the operation that it was made from, and in `body` the later updates. */
export interface KeptTool extends EmulatedObject, RoutedOperation {
  toolSet: string;
}

/** A tool set: its body, with the prefixed name, and the IDs of its tools in document order. */
export interface KeptToolSet extends EmulatedObject {
  tools: string[];
}

/** The folders of the kinds whose objects are no more than an ID and a body. */
const plainFolders = {
  policy: "policies",
  credential: "credentials",
  agent: "agents",
} as const satisfies Record<Exclude<KindName, "toolset">, string>;

/** The kinds whose objects are no more than an ID and a body, by folder. */
export type PlainKind = (typeof plainFolders)[keyof typeof plainFolders];

/** Everything that the emulator stores, each list in order of creation; bodies have no secrets. */
export interface StoredObjects extends Record<PlainKind, EmulatedObject[]> {
  tools: KeptTool[];
  toolSets: KeptToolSet[];
}

function forEachFolder<Value>(make: (folder: PlainKind) => Value): Record<PlainKind, Value> {
  const entries = Object.values(plainFolders).map((folder) => [folder, make(folder)] as const);
  return Object.fromEntries(entries) as Record<PlainKind, Value>;
}

/** The emulator's objects, changed on disk before memory; `at` is a change's time, which only a full service keeps. */
export class Storage {
  readonly #folder: Folder;
  readonly #seed: string;
  readonly #operations: EmulatedOperations;
  readonly #plain: Record<PlainKind, Map<string, EmulatedObject>>;
  readonly #toolSets: KeptToolSet[] = [];
  readonly #tools = new Map<string, KeptTool>();
  #last = 0;

  /** Reads the content of the folder; throws StorageError if it is damaged or of a service with other operations. */
  constructor(data: FolderPlace | undefined, seed: string | undefined, operations: EmulatedOperations) {
    this.#folder = openFolder(data, operations, [...Object.values(plainFolders), "toolSets", "tools"]);
    this.#operations = operations;
    this.#seed = seed ?? randomBytes(16).toString("hex");
    this.#plain = forEachFolder((folder) => this.#readPlain(folder));
    for (const kept of this.#folder.read("toolSets")) this.#readToolSet(kept);
    for (const { id, body, file, deleted, times } of this.#folder.read("tools")) {
      const tool = this.#tools.get(id);
      if (tool === undefined) throw new StorageError(`${file} belongs to a tool without a tool set`);
      if (deleted) this.#tools.delete(id);
      else this.#tools.set(id, { ...tool, body, ...(times && { times }) });
    }
  }

  /** Stores a new object that is no more than an ID and a body under a new ID. */
  create(kind: PlainKind, body: JsonObject, at: string): EmulatedObject {
    const kept = { ...this.#issue(), body, ...this.#timed(at) };
    this.#folder.write(kind, kept);
    this.#plain[kind].set(kept.id, kept);
    return kept;
  }

  /** Stores a new tool set and a tool for each operation; `nameTool` may change the opaque ID of a tool. */
  createToolSet(
    body: JsonObject,
    operations: readonly RoutedOperation[],
    nameTool: (id: string, operation: RoutedOperation) => string,
    at: string,
  ): KeptTool[] {
    const times = this.#timed(at);
    const set = { ...this.#issue(), body, ...times };
    const tools = operations.map((operation): KeptTool => {
      const { number, id } = this.#issue();
      return { number, id: nameTool(id, operation), toolSet: set.id, ...operation, body: {}, ...times };
    });
    const entries = tools.map(({ toolSet: _set, body: _body, times: _times, ...tool }) => tool);
    const onDisk = { ...set, tools: entries };
    this.#folder.write("toolSets", onDisk);
    this.#toolSets.push({ ...set, tools: tools.map(({ id }) => id) });
    for (const tool of tools) this.#tools.set(tool.id, tool);
    return tools;
  }

  replace(kind: PlainKind, id: string, body: JsonObject, at: string): void {
    const kept = this.#plain[kind].get(id);
    if (kept === undefined) return;
    const changed = { ...kept, body, ...this.#timed(at, kept.times) };
    this.#folder.write(kind, changed);
    this.#plain[kind].set(id, changed);
  }

  /** Sets fields of a tool and keeps the others; false if the ID is unknown. */
  changeTool(id: string, changes: JsonObject, at: string): boolean {
    const tool = this.#tools.get(id);
    if (tool === undefined) return false;
    const body = { ...tool.body, ...changes };
    const times = this.#timed(at, tool.times);
    this.#folder.write("tools", { number: tool.number, id, body, ...times });
    this.#tools.set(id, { ...tool, body, ...times });
    return true;
  }

  /** Deletes an object, whose ID is never given again; false if the ID is unknown. */
  remove(kind: PlainKind | "tools", id: string): boolean {
    const objects = this.#objectsOf(kind);
    const kept = objects.get(id);
    if (kept === undefined) return false;
    this.#folder.write(kind, { number: kept.number, id, deleted: true });
    return objects.delete(id);
  }

  has(kind: PlainKind | "tools", id: string): boolean {
    return this.#objectsOf(kind).has(id);
  }

  /** Lists the objects of a kind in order of creation. */
  list(kind: PlainKind): EmulatedObject[] {
    return [...this.#plain[kind].values()];
  }

  find(kind: PlainKind, id: string): EmulatedObject | undefined {
    return this.#plain[kind].get(id);
  }

  /** Lists the tools in order of creation; their bodies are those of their sets with their own fields over them. */
  listTools(): KeptTool[] {
    return [...this.#tools.values()].map((tool) => this.#withSet(tool));
  }

  /** Gives a tool by its ID, as `listTools` does. */
  findTool(id: string): KeptTool | undefined {
    const tool = this.#tools.get(id);
    return tool && this.#withSet(tool);
  }

  /** Gives a copy of everything that is stored. */
  objects(): StoredObjects {
    return structuredClone({
      ...forEachFolder((folder) => [...this.#plain[folder].values()]),
      tools: [...this.#tools.values()],
      toolSets: this.#toolSets.map((set) => ({
        ...set,
        tools: set.tools.filter((id) => this.#tools.has(id)),
      })),
    });
  }

  #objectsOf(kind: PlainKind | "tools"): Map<string, EmulatedObject> {
    return kind === "tools" ? this.#tools : this.#plain[kind];
  }

  #withSet(tool: KeptTool): KeptTool {
    const set = this.#toolSets.find(({ id }) => id === tool.toolSet);
    return { ...tool, body: { ...set?.body, ...tool.body } };
  }

  #timed(at: string, before?: Times): { times?: Times } {
    if (this.#operations === "documented") return {};
    return { times: { created_at: before?.created_at ?? at, updated_at: at } };
  }

  #issue(): { number: number; id: string } {
    this.#last += 1;
    const digest = createHash("sha256").update(`${this.#seed}:${this.#last}`).digest("hex");
    return { number: this.#last, id: digest.slice(0, 24) };
  }

  #readPlain(kind: PlainKind): Map<string, EmulatedObject> {
    const found = this.#folder.read(kind);
    for (const { number } of found) this.#last = Math.max(this.#last, number);
    return new Map(found.filter(({ deleted }) => !deleted).map((file) => [file.id, keptOf(file)]));
  }

  #readToolSet(found: KeptFile): void {
    const { number, id, content, file, times } = found;
    const entries = content["tools"];
    if (!Array.isArray(entries)) return damaged(file);
    const tools = entries.map((entry) => parseTool(entry, id, file));
    this.#toolSets.push({ ...keptOf(found), tools: tools.map((tool) => tool.id) });
    this.#last = Math.max(this.#last, number);
    for (const tool of tools) {
      this.#tools.set(tool.id, { ...tool, ...(times && { times }) });
      this.#last = Math.max(this.#last, tool.number);
    }
  }
}

function keptOf({ number, id, body, times }: KeptFile): EmulatedObject {
  return { number, id, body, ...(times && { times }) };
}

function parseTool(entry: Json, toolSet: string, file: string): KeptTool {
  if (isObject(entry)) {
    const { number, id, method, path, operationId } = entry;
    const placed = isNumber(number) && typeof id === "string";
    if (placed && typeof method === "string" && typeof path === "string") {
      const named = typeof operationId === "string" ? { operationId } : {};
      return { number, id, toolSet, method, path, ...named, body: {} };
    }
  }
  return damaged(file);
}
