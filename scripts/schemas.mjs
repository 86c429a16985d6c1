/**
 * Reads and writes the schemas, and takes them apart for what is made of them.
 */
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";

const suffix = ".schema.json";

/** Where the schemas of documents define what may stand in the place of a value. */
export const expression = "#/definitions/expression";

/** Keywords without constraints: formats are for editors, the rest is text or marks. */
export const annotations = new Set(
  "$schema $id $comment title description examples default format readOnly writeOnly".split(" "),
);
const keywordsOfOne = new Set(
  "items additionalItems additionalProperties propertyNames contains not if then else".split(" "),
);
const keywordsOfMany = new Set(["anyOf", "allOf", "oneOf"]);
const keywordsOfNamed = new Set(["properties", "patternProperties", "definitions"]);

/** Rebuilds a schema with `change` applied to each of its subschemas, innermost first. */
export function mapSchema(schema, change) {
  if (typeof schema !== "object") return schema;
  const each = (part) => mapSchema(part, change);
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (keywordsOfMany.has(keyword) || (keywordsOfOne.has(keyword) && Array.isArray(value))) {
      return [keyword, value.map(each)];
    }
    if (keywordsOfOne.has(keyword)) return [keyword, each(value)];
    if (keywordsOfNamed.has(keyword)) {
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, each(part)]))];
    }
    return [keyword, value];
  });
  return change(Object.fromEntries(entries));
}

/** Reads one schema of a folder. */
export async function readSchema(folder, name) {
  return JSON.parse(await readFile(join(folder, `${name}${suffix}`), "utf8"));
}

/** Reads all schemas of a folder. */
async function readSchemas(folder) {
  const files = (await readdir(folder)).filter((file) => file.endsWith(suffix)).toSorted();
  const names = files.map((file) => file.slice(0, -suffix.length));
  return Promise.all(
    names.map(async (name) => ({
      name,
      source: `schemas/${name}${suffix}`,
      schema: await readSchema(folder, name),
    })),
  );
}

// Documents that are no resources.
const others = new Set(["workspace", "rule"]);

/** The schemas of the kinds: one for each document with a `spec` that is a resource. */
export function schemasOfKinds(schemas) {
  return schemas.filter(({ name, schema }) => schema.properties?.spec && !others.has(name));
}

/**
 * Reads the definitions that several schemas share, by name: each is a file in `shared` of the folder, in which
 * `{kinds}` stands for the names of the kinds in a pattern.
 */
async function readShared(folder, kinds) {
  const names = kinds.map(({ name }) => name).join("|");
  const files = (await readdir(join(folder, "shared"))).filter((file) => file.endsWith(".json")).toSorted();
  const definitions = files.map(async (file) => [
    basename(file, ".json"),
    JSON.parse((await readFile(join(folder, "shared", file), "utf8")).replaceAll("{kinds}", names)),
  ]);
  return new Map(await Promise.all(definitions));
}

/** Gives a schema with its own definitions and a copy of each shared one that it refers to, directly or through others. */
function withShared(schema, shared) {
  const { definitions = {}, ...rest } = schema;
  const own = Object.fromEntries(Object.entries(definitions).filter(([name]) => !shared.has(name)));
  const used = new Set();
  const collect = (part) => {
    mapSchema(part, (inner) => {
      const name = inner.$ref?.split("/").at(-1);
      if (shared.has(name) && !used.has(name)) {
        used.add(name);
        collect(shared.get(name));
      }
      return inner;
    });
  };
  collect({ ...rest, definitions: own });
  const copies = [...used].toSorted().map((name) => [name, shared.get(name)]);
  const all = { ...own, ...Object.fromEntries(copies) };
  return Object.keys(all).length > 0 ? { ...rest, definitions: all } : rest;
}

/** Reads all schemas of a folder, with the shared definitions as they are now. */
export async function readSharedSchemas(folder) {
  const schemas = await readSchemas(folder);
  const shared = await readShared(folder, schemasOfKinds(schemas));
  return schemas.map(({ schema, ...rest }) => ({
    ...rest,
    schema: withShared(schema, shared),
  }));
}

const width = 110;

/** The text of a schema: a value is on one line if it fits. */
export function renderSchema(schema) {
  return `${renderJson(schema, 0, 0)}\n`;
}

function renderJson(value, depth, used) {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const [open, close, space] = Array.isArray(value) ? ["[", "]", ""] : ["{", "}", " "];
  const parts = Array.isArray(value)
    ? value.map((item) => renderJson(item, depth + 1, 0))
    : Object.entries(value).map(([name, part]) => {
        const key = JSON.stringify(name);
        return `${key}: ${renderJson(part, depth + 1, key.length + 2)}`;
      });
  if (parts.length === 0) return open + close;
  const line = `${open}${space}${parts.join(", ")}${space}${close}`;
  if (!line.includes("\n") && depth * 2 + used + line.length < width) return line;
  const indent = "  ".repeat(depth);
  return `${open}\n${parts.map((part) => `${indent}  ${part}`).join(",\n")}\n${indent}${close}`;
}
