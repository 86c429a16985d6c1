import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../../../src/json/json.js";
import { openPack, type Pack } from "../../../src/workspace/cache/pack.js";

/** Gives a key of a pack. */
export function keyOf(name: string | number): string {
  return createHash("sha256").update(String(name)).digest("hex");
}

/** Something to keep: a head and texts. */
export interface Value {
  readonly head: Json;
  readonly texts: readonly string[];
}

/** Does something with a pack of the folder, and saves and closes it. */
export function run(folder: string, work: (pack: Pack) => void, name = "workspace", version = "1"): void {
  const pack = openPack(folder, name, version);
  work(pack);
  pack.save();
  pack.close();
}

/** Keeps values in a run of their own. */
export function keepAll(folder: string, values: Readonly<Record<string, Value>>): void {
  run(folder, (pack) => {
    for (const [name, { head, texts }] of Object.entries(values)) pack.keep(keyOf(name), head, texts);
  });
}

/** Gives the names of the keys that a new run still knows, of those given. */
export function known(folder: string, names: readonly (string | number)[], version = "1"): string[] {
  const pack = openPack(folder, "workspace", version);
  const found = names.filter((name) => pack.get(keyOf(name)) !== undefined);
  pack.close();
  return found.map(String);
}

/** Gives the paths of all files in a cache folder. */
export function filesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Gives the path of the only file in a cache folder. */
export function onlyFile(folder: string): string {
  const [file, ...others] = filesOf(folder);
  if (file === undefined || others.length > 0) throw new Error(`there are ${others.length} files too many`);
  return file;
}
