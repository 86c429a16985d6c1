import { parseJson } from "../json/parse-json.js";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../disk/make-folder.js";
import { LinkError, refuseLinks } from "../disk/refuse-links.js";
import { isObject, isShallow, type Json, type JsonObject } from "../json/json.js";
import type { EmulatedOperations } from "./world.js";

/** A data folder that cannot be used: the message names the file and never quotes its content. */
export class StorageError extends Error {
  override readonly name = "StorageError";
}

/** A data folder with the objects of a service with other operations. */
export class OtherOperationsError extends StorageError {}

/** When an object was created and last changed, as date-times. */
export interface Times {
  created_at: string;
  updated_at: string;
}

/** A stored object: its place in the order of creation, its ID and its body; its times, if the service keeps them. */
export interface EmulatedObject {
  number: number;
  id: string;
  body: JsonObject;
  times?: Times;
}

/** What is left of a deleted object, so that neither its number nor its ID is given again. */
export interface EmulatedDeletion {
  number: number;
  id: string;
  deleted: true;
}

/** A folder of JSON files, one for each stored or deleted object, named by kind and number. */
export interface Folder {
  write: (kind: string, kept: EmulatedObject | EmulatedDeletion) => void;
  /** Lists the files of a kind in order of creation; throws StorageError for a file that the emulator did not write. */
  read: (kind: string) => KeptFile[];
}

/** An object as found on disk, with everything in its file; a deleted one has an empty body. */
export interface KeptFile extends EmulatedObject {
  file: string;
  content: JsonObject;
  deleted: boolean;
}

/** Where a data folder is. */
export interface FolderPlace {
  readonly path: string;
  /** Folders whose content others may have written; no link below them is followed. */
  readonly below: readonly string[];
}

const depthLimit = 500;

// In the folder of a full service; without it, the folder is one of the documented service.
const marker = "operations.json";

/** Opens a data folder, made if missing, in memory without a path; throws OtherOperationsError for other objects. */
export function openFolder(
  place: FolderPlace | undefined,
  operations: EmulatedOperations,
  kinds: readonly string[],
): Folder {
  if (place === undefined) return { write: () => {}, read: () => [] };
  const { path } = place;
  const below = [...place.below, path];
  using(path, () => {
    makeUnlinked(path, place.below);
    claimFolder(path, operations, kinds, below);
  });
  return {
    write: (kind, kept) => writeFile(join(path, kind, `${kept.number}.json`), kept, below),
    read: (kind) => using(path, () => readKept(join(path, kind), below)),
  };
}

function makeUnlinked(folder: string, below: readonly string[]): void {
  refuseLinks(join(folder, "any"), below);
  makeFolder(folder);
}

function claimFolder(
  path: string,
  operations: EmulatedOperations,
  kinds: readonly string[],
  below: readonly string[],
): void {
  const file = join(path, marker);
  refuseLinks(file, below);
  const isFull = existsSync(file);
  const isOther =
    operations === "documented" ? isFull : !isFull && kinds.some((kind) => hasFiles(join(path, kind), below));
  if (isOther) {
    const has = isFull ? "full" : "documented";
    throw new OtherOperationsError(
      `${path} has the objects of an emulator with operations \`${has}\`; use those, or a different folder`,
    );
  }
  if (operations === "full" && !isFull) writeFile(file, { operations }, below);
}

function hasFiles(folder: string, below: readonly string[]): boolean {
  refuseLinks(join(folder, "any"), below);
  return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith(".json"));
}

function writeFile(file: string, content: object, below: readonly string[]): void {
  const draft = `${file}.tmp`;
  makeUnlinked(dirname(file), below);
  refuseLinks(file, below);
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { flag: "wx" });
  renameSync(draft, file);
}

function readKept(folder: string, below: readonly string[]): KeptFile[] {
  makeUnlinked(folder, below);
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name.endsWith(".json"))
    .map((entry) => {
      const file = join(folder, entry.name);
      return entry.isFile() ? parseKept(file) : damaged(file);
    })
    .toSorted((a, b) => a.number - b.number);
}

function parseKept(file: string): KeptFile {
  const { value: content } = parseJson(readFileSync(file, "utf8"));
  if (isObject(content) && isShallow(content, depthLimit)) {
    const { number, id, body, times } = content;
    const deleted = content["deleted"] === true;
    if (isNumber(number) && typeof id === "string" && (deleted || isObject(body))) {
      const found = { number, id, body: isObject(body) ? body : {}, file, content, deleted };
      if (times === undefined) return found;
      if (areTimes(times)) return { ...found, times };
    }
  }
  return damaged(file);
}

function areTimes(value: Json): value is JsonObject & Times {
  return (
    isObject(value) && typeof value["created_at"] === "string" && typeof value["updated_at"] === "string"
  );
}

/** Whether a value can be the number of a stored object. */
export function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}

/** Throws StorageError for a file that was not written by the emulator. */
export function damaged(file: string): never {
  throw new StorageError(`${file} was not written by the emulator, or is damaged`);
}

function using<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    if (cause instanceof LinkError) throw new StorageError(`${path} cannot be used: ${cause.message}`);
    if (cause instanceof Error && "code" in cause) {
      throw new StorageError(`${path} cannot be used (${String(cause.code)})`);
    }
    throw cause;
  }
}
