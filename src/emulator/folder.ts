import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, type JsonObject } from "./json.js";

/** A data folder that cannot be read: the message names the file and never quotes what is in it. */
export class StorageError extends Error {
  override readonly name = "StorageError";
}

/** Something kept: its place in the order of creation, its ID and its body. */
export interface Kept {
  number: number;
  id: string;
  body: JsonObject;
}

/** A folder of JSON files, one for each kept thing, named by kind and number. */
export interface Folder {
  write: (kind: string, kept: Kept) => void;
  /** Lists the files of a kind in order of creation; throws StorageError for a file not of this making. */
  read: (kind: string) => KeptFile[];
}

/** A kept thing as it was found on disk, with all that its file holds. */
export interface KeptFile extends Kept {
  file: string;
  content: JsonObject;
}

/** Opens a data folder and makes it where it does not exist; without a path nothing is kept on disk. */
export function openFolder(path: string | undefined): Folder {
  if (path === undefined) return { write: () => {}, read: () => [] };
  mkdirSync(path, { recursive: true });
  return {
    write: (kind, kept) => writeKept(join(path, kind), kept),
    read: (kind) => readKept(join(path, kind)),
  };
}

function writeKept(folder: string, kept: Kept): void {
  const file = join(folder, `${kept.number}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.tmp`, `${JSON.stringify(kept, null, 2)}\n`);
  renameSync(`${file}.tmp`, file);
}

function readKept(folder: string): KeptFile[] {
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => parseKept(join(folder, name)))
    .toSorted((a, b) => a.number - b.number);
}

function parseKept(file: string): KeptFile {
  const content = parseJson(readFileSync(file, "utf8"));
  if (isObject(content)) {
    const { number, id, body } = content;
    if (typeof number === "number" && typeof id === "string" && isObject(body)) {
      return { number, id, body, file, content };
    }
  }
  throw new StorageError(`${file} was not written by the emulator, or is damaged`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
