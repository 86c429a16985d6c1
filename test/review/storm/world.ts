import { posix } from "node:path";
import type { Includes } from "../../../src/core/expression/included-data.js";
import type { Fleet } from "../../../src/core/resources/fleet.js";
import { buildSettings, parseManifest } from "../../../src/core/resources/manifest.js";
import type { Lock } from "../../../src/core/state/lock.js";
import type { JsonObject } from "../../../src/json/json.js";
import { buildFleet } from "../../harness/build-fleet.js";
import { within } from "../draft.js";

/** The files of a workspace, in a form that is easy to edit. */
export interface World {
  /** Manifest, documents, patches and the data that they include, by path. */
  readonly data: Map<string, JsonObject>;
  /** Prompts, by path. */
  readonly texts: Map<string, string>;
  /** What is written above the data of a file. */
  readonly comments: Map<string, string>;
  /** The edits of the lock that the same change makes by hand. */
  readonly lockEdits: ((lock: Lock) => Lock)[];
}

/** The environment that is planned. */
export const environment = "production";

/** Copies a world, so that the copy can be edited alone. */
export function copyOf({ data, texts, comments, lockEdits }: World): World {
  return {
    data: structuredClone(data),
    texts: new Map(texts),
    comments: new Map(comments),
    lockEdits: [...lockEdits],
  };
}

/** Gives the object at some keys of a file with data, which must be there. */
export function dataAt({ data }: World, file: string, ...keys: readonly string[]): JsonObject {
  const content = data.get(file);
  if (!content) throw new Error(`the world has no ${file}`);
  return within(content, ...keys);
}

/** Gives the text of a prompt, which must be there. */
export function textAt({ texts }: World, file: string): string {
  const text = texts.get(file);
  if (text === undefined) throw new Error(`the world has no ${file}`);
  return text;
}

/** Replaces a part of a prompt, which must hold it. */
export function rewrite(world: World, file: string, before: string | RegExp, after: string): void {
  const text = textAt(world, file);
  const isThere = typeof before === "string" ? text.includes(before) : before.test(text);
  if (!isThere) throw new Error(`${file} has no ${before}`);
  world.texts.set(
    file,
    text.replace(before, () => after),
  );
}

/** Removes an item from a list, which must hold it. */
export function dropItem(object: JsonObject, key: string, item: string): void {
  const list = object[key];
  if (!Array.isArray(list) || !list.includes(item)) throw new Error(`${key} has no ${item}`);
  object[key] = list.filter((each) => each !== item);
}

/** Adds an item to a list, which is made if need be. */
export function addItem(object: JsonObject, key: string, item: JsonObject[string]): void {
  const list = object[key];
  object[key] = [...(Array.isArray(list) ? list : []), item];
}

/** Reads a world as the workspace of a folder is read. */
export function fleetOf(world: World): Fleet {
  const parsed = parseManifest(JSON.stringify(dataAt(world, "agentform.yaml")));
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join("\n"));
  const built = buildSettings(parsed, environment, new Map());
  if (!built.ok) throw new Error(built.problems.map(({ message }) => message).join("\n"));
  const written = (file: string) =>
    `${world.comments.get(file) ?? ""}${JSON.stringify(dataAt(world, file), null, 1)}\n`;
  const patches = `environments/${environment}/`;
  const sources = [...world.data.keys()]
    .filter((file) => /^(?:policies|toolsets|credentials|agents)\//.test(file) || file.startsWith(patches))
    .toSorted()
    .map((file) => ({ file, text: written(file), isPatch: file.startsWith(patches) }));
  const includes: Includes = {
    read(from, path) {
      const file = posix.join(posix.dirname(from), path);
      const text = world.data.has(file) ? written(file) : world.texts.get(file);
      if (text === undefined) return { ok: false, code: "file-missing", message: `there is no ${file}` };
      return { ok: true, file, text };
    },
  };
  return buildFleet(built.settings, sources, includes);
}
