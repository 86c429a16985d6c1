import { createHash, randomBytes } from "node:crypto";
import {
  damaged,
  isNumber,
  openFolder,
  StorageError,
  type Folder,
  type FolderPlace,
  type Kept,
  type KeptFile,
} from "./folder.js";
import type { KindName } from "../generated/kinds.js";
import { isObject, type Json, type JsonObject } from "../json/json.js";
import type { Operation } from "./openapi.js";

/** A tool: the operation that it was made from, and in `body` the later updates. */
export interface KeptTool extends Kept, Operation {
  toolSet: string;
}

/** A tool set: its body, with the prefixed name, and the IDs of its tools in document order. */
export interface KeptToolSet extends Kept {
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
export interface StoredObjects extends Record<PlainKind, Kept[]> {
  tools: KeptTool[];
  toolSets: KeptToolSet[];
}

function forEachFolder<Value>(make: (folder: PlainKind) => Value): Record<PlainKind, Value> {
  const entries = Object.values(plainFolders).map((folder) => [folder, make(folder)] as const);
  return Object.fromEntries(entries) as Record<PlainKind, Value>;
}

/** The objects of the emulator; a change is first written to disk and then to memory. */
export class Storage {
  readonly #folder: Folder;
  readonly #seed: string;
  readonly #plain: Record<PlainKind, Map<string, Kept>>;
  readonly #toolSets: KeptToolSet[] = [];
  readonly #tools = new Map<string, KeptTool>();
  #last = 0;

  /** Reads the content of the folder; throws StorageError if it is damaged. */
  constructor(data: FolderPlace | undefined, seed: string | undefined) {
    this.#folder = openFolder(data);
    this.#seed = seed ?? randomBytes(16).toString("hex");
    this.#plain = forEachFolder((folder) => this.#readPlain(folder));
    for (const kept of this.#folder.read("toolSets")) this.#readToolSet(kept);
    for (const { id, body, file } of this.#folder.read("tools")) {
      const tool = this.#tools.get(id);
      if (tool === undefined) throw new StorageError(`${file} belongs to a tool without a tool set`);
      this.#tools.set(id, { ...tool, body });
    }
  }

  /** Stores a new policy, credential or agent under a new ID. */
  create(kind: PlainKind, body: JsonObject): Kept {
    const kept = { ...this.#issue(), body };
    this.#folder.write(kind, kept);
    this.#plain[kind].set(kept.id, kept);
    return kept;
  }

  /** Stores a new tool set and a tool for each operation; `nameTool` may change the opaque ID of a tool. */
  createToolSet(
    body: JsonObject,
    operations: readonly Operation[],
    nameTool: (id: string, operation: Operation) => string,
  ): KeptTool[] {
    const set = { ...this.#issue(), body };
    const tools = operations.map((operation): KeptTool => {
      const { number, id } = this.#issue();
      return { number, id: nameTool(id, operation), toolSet: set.id, ...operation, body: {} };
    });
    const onDisk = { ...set, tools: tools.map(({ toolSet: _set, body: _body, ...tool }) => tool) };
    this.#folder.write("toolSets", onDisk);
    this.#toolSets.push({ ...set, tools: tools.map(({ id }) => id) });
    for (const tool of tools) this.#tools.set(tool.id, tool);
    return tools;
  }

  /** Replaces the body of an object; false if the ID is unknown. */
  replace(kind: PlainKind, id: string, body: JsonObject): boolean {
    const kept = this.#plain[kind].get(id);
    if (kept === undefined) return false;
    this.#folder.write(kind, { ...kept, body });
    this.#plain[kind].set(id, { ...kept, body });
    return true;
  }

  /** Sets fields of a tool and keeps the others; false if the ID is unknown. */
  changeTool(id: string, changes: JsonObject): boolean {
    const tool = this.#tools.get(id);
    if (tool === undefined) return false;
    const body = { ...tool.body, ...changes };
    this.#folder.write("tools", { number: tool.number, id, body });
    this.#tools.set(id, { ...tool, body });
    return true;
  }

  /** Whether an object of this kind has this ID. */
  has(kind: PlainKind | "tools", id: string): boolean {
    return (kind === "tools" ? this.#tools : this.#plain[kind]).has(id);
  }

  /** Gives a copy of everything that is stored. */
  objects(): StoredObjects {
    return structuredClone({
      ...forEachFolder((folder) => [...this.#plain[folder].values()]),
      tools: [...this.#tools.values()],
      toolSets: this.#toolSets,
    });
  }

  #issue(): { number: number; id: string } {
    this.#last += 1;
    const digest = createHash("sha256").update(`${this.#seed}:${this.#last}`).digest("hex");
    return { number: this.#last, id: digest.slice(0, 24) };
  }

  #readPlain(kind: PlainKind): Map<string, Kept> {
    const found = this.#folder.read(kind).map(({ number, id, body }) => ({ number, id, body }));
    for (const { number } of found) this.#last = Math.max(this.#last, number);
    return new Map(found.map((kept) => [kept.id, kept]));
  }

  #readToolSet({ number, id, body, content, file }: KeptFile): void {
    const entries = content["tools"];
    if (!Array.isArray(entries)) return damaged(file);
    const tools = entries.map((entry) => parseTool(entry, id, file));
    this.#toolSets.push({ number, id, body, tools: tools.map((tool) => tool.id) });
    for (const tool of tools) this.#tools.set(tool.id, tool);
    this.#last = Math.max(this.#last, number, ...tools.map((tool) => tool.number));
  }
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
