import { parseJson } from "../json/parse-json.js";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LinkError, refuseLinks } from "../disk/refuse-links.js";
import { isObject, isShallow, type JsonObject } from "../json/json.js";

/** A data folder that cannot be used: the message names the file and never quotes its content. */
export class StorageError extends Error {
  override readonly name = "StorageError";
}

/** A stored object: its place in the order of creation, its ID and its body. */
export interface Kept {
  number: number;
  id: string;
  body: JsonObject;
}

/** A folder of JSON files, one for each stored object, named by kind and number. */
export interface Folder {
  write: (kind: string, kept: Kept) => void;
  /** Lists the files of a kind in order of creation; throws StorageError for a file that the emulator did not write. */
  read: (kind: string) => KeptFile[];
}

/** A stored object as found on disk, with everything in its file. */
export interface KeptFile extends Kept {
  file: string;
  content: JsonObject;
}

/** Where a data folder is. */
export interface FolderPlace {
  readonly path: string;
  /** Folders whose content others may have written; no link below them is followed. */
  readonly below: readonly string[];
}

const depthLimit = 500;

/** Opens a data folder, made if missing; without a path, nothing is stored on disk. */
export function openFolder(place: FolderPlace | undefined): Folder {
  if (place === undefined) return { write: () => {}, read: () => [] };
  const { path } = place;
  using(path, () => makeFolder(path, place.below));
  const below = [...place.below, path];
  return {
    write: (kind, kept) => writeKept(join(path, kind, `${kept.number}.json`), kept, below),
    read: (kind) => using(path, () => readKept(join(path, kind), below)),
  };
}

function makeFolder(folder: string, below: readonly string[]): void {
  refuseLinks(join(folder, "any"), below);
  mkdirSync(folder, { recursive: true });
}

function writeKept(file: string, kept: Kept, below: readonly string[]): void {
  const draft = `${file}.tmp`;
  makeFolder(dirname(file), below);
  refuseLinks(file, below);
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(kept, null, 2)}\n`, { flag: "wx" });
  renameSync(draft, file);
}

function readKept(folder: string, below: readonly string[]): KeptFile[] {
  makeFolder(folder, below);
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
    const { number, id, body } = content;
    if (isNumber(number) && typeof id === "string" && isObject(body)) {
      return { number, id, body, file, content };
    }
  }
  return damaged(file);
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
