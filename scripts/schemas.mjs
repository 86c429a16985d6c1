/**
 * Reads the schemas, and takes them apart for what is made of them.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

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
export async function readSchemas(folder) {
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
