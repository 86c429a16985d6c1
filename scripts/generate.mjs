/**
 * Copies the definitions in `schemas/shared` into the schemas that refer to them, and makes `src/generated` from
 * `schemas/*.schema.json`: types and the table of known fields. The validators beside them are made by the build and
 * for tests, see validators.mjs.
 * `node scripts/generate.mjs [--check] [--root DIR]`; with `--check` nothing is written, and stale files
 * are listed and give exit code 1.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { compile } from "json-schema-to-typescript";
import {
  annotations,
  expression,
  mapSchema,
  readSchemas,
  readShared,
  renderSchema,
  withShared,
} from "./schemas.mjs";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const width = 110;

const banner = (source) => `Generated from ${source}; do not edit.`;

const saysNothing = (schema) => Object.keys(schema).every((keyword) => annotations.has(keyword));

/** The types of one schema, the root interface named by its title. */
async function renderTypes(name, source, schema) {
  const typed = mapSchema(schema, (part) => {
    if (saysNothing(part)) return { ...part, tsType: "Json" };
    const shapeless =
      part.type === "object" && !part.properties && typeof part.additionalProperties !== "object";
    return shapeless && part.additionalProperties !== false ? { ...part, tsType: "JsonObject" } : part;
  });
  const types = await compile(typed, name, {
    additionalProperties: false,
    bannerComment: "",
    cwd: home,
    style: { printWidth: width },
  });
  const used = ["Json", "JsonObject"].filter((type) => new RegExp(`\\b${type}\\b`).test(types));
  const imports = used.length > 0 ? `import type { ${used.join(", ")} } from "../json/json.js";\n\n` : "";
  return `// ${banner(source)}\n\n${imports}${types.trimStart()}`;
}

const renderDeclaration = (name, source, { title }) => `// ${banner(source)}

import type { Validate } from "../json/validate.js";
import type { ${title} } from "./${name}.js";

export declare const validate: Validate<${title}>;
`;

/** The entries of one schema in the table of known fields; alternatives of a value are merged. */
function fieldOf(schema, definitions) {
  if (schema.$ref !== undefined) {
    return schema.$ref === expression ? {} : fieldOf(definitions[schema.$ref.split("/").at(-1)], definitions);
  }
  const field = {};
  for (const branch of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) {
    const { fields, ...rest } = fieldOf(branch, definitions);
    Object.assign(field, rest, fields && { fields: { ...field.fields, ...fields } });
  }
  const inside = (part) => {
    const found = fieldOf(part, definitions);
    return Object.keys(found).length > 0 ? found : undefined;
  };
  if (schema.properties) {
    const known = Object.entries(schema.properties).map(([name, part]) => [name, fieldOf(part, definitions)]);
    field.fields = { ...field.fields, ...Object.fromEntries(known) };
  }
  const items = schema.items && inside(schema.items);
  if (items) field.items = items;
  const others = schema.additionalProperties;
  const values = typeof others === "object" ? inside(others) : undefined;
  if (values) field.values = values;
  if (saysNothing(schema) || (others !== undefined && others !== false)) field.open = true;
  if (schema.readOnly) field.readOnly = true;
  if (schema.writeOnly) field.writeOnly = true;
  return field;
}

/** Source text of a plain value, on one line if it fits. */
function renderValue(value, depth = 0, used = 0) {
  if (typeof value !== "object") return JSON.stringify(value);
  const parts = Object.entries(value).map(([name, part]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${key}: ${renderValue(part, depth + 1, key.length + 3)}`;
  });
  const line = parts.length > 0 ? `{ ${parts.join(", ")} }` : "{}";
  if (!line.includes("\n") && depth * 2 + used + line.length <= width) return line;
  const indent = "  ".repeat(depth);
  return `{\n${parts.map((part) => `${indent}  ${part},\n`).join("")}${indent}}`;
}

const fieldsHead = `// ${banner("schemas/*.schema.json")}

/**
 * The known structure of a value in a document: its fields, the items of a list, the values of a mapping; under
 * \`open\` any further name is allowed, \`readOnly\` is set only by the service, \`writeOnly\` is secret.
 */
export interface Field {
  readonly fields?: Readonly<Record<string, Field>>;
  readonly items?: Field;
  readonly values?: Field;
  readonly open?: true;
  readonly readOnly?: true;
  readonly writeOnly?: true;
}
`;

/** The table of known fields: one entry for each schema of a document, which is one with a `spec`. */
function renderFields(schemas) {
  const kinds = schemas.filter(({ schema }) => schema.properties?.spec);
  const type = kinds.map(({ name }) => `  readonly ${name}: Field;\n`).join("");
  const table = Object.fromEntries(
    kinds.map(({ name, schema }) => [name, fieldOf(schema, schema.definitions ?? {})]),
  );
  const description =
    "/** The known fields of the documents of each kind, those of a `spec` from sections 2.1 to 2.4. */";
  return `${fieldsHead}\n${description}\nexport const fields: {\n${type}} = ${renderValue(table)};\n`;
}

/** The kinds: one for each schema of a document with a `spec`, but for the manifest's. */
function renderKinds(schemas) {
  const kinds = schemas.filter(({ name, schema }) => schema.properties?.spec && name !== "workspace");
  const union = (texts) => texts.map((text) => JSON.stringify(text)).join(" | ");
  const document = ({ schema }) => schema.properties.kind.const;
  return `// ${banner("schemas/*.schema.json")}

/** The names of the kinds: the prefixes of addresses, and the schemes of references. */
export type KindName = ${union(kinds.map(({ name }) => name))};

/** The kinds as documents name them. */
export type DocumentKind = ${union(kinds.map(document))};
`;
}

/** How every schema is loaded, by its name. */
function renderSchemaList(schemas) {
  const lines = schemas.map(
    ({ name, source }) => `  ${name}: () => import("../../${source}", { with: { type: "json" } }),\n`,
  );
  return `// ${banner("schemas/*.schema.json")}\n\n/** Loads a schema by its name. */\nexport const schemas = {\n${lines.join("")}} as const;\n`;
}

/** Every generated file by its path. */
async function renderAll(schemas) {
  const files = schemas.map(async ({ name, source, schema }) => [
    [source, renderSchema(schema)],
    [`src/generated/${name}.ts`, await renderTypes(name, source, schema)],
    [`src/generated/validate-${name}.d.ts`, renderDeclaration(name, source, schema)],
  ]);
  return new Map([
    ...(await Promise.all(files)).flat(),
    ["src/generated/fields.ts", renderFields(schemas)],
    ["src/generated/kinds.ts", renderKinds(schemas)],
    ["src/generated/schemas.ts", renderSchemaList(schemas)],
  ]);
}

const { values: options } = parseArgs({
  options: { check: { type: "boolean", default: false }, root: { type: "string", default: home } },
});
const { root } = options;
const shared = await readShared(join(root, "schemas"));
const schemas = (await readSchemas(join(root, "schemas"))).map(({ schema, ...rest }) => ({
  ...rest,
  schema: withShared(schema, shared),
}));
const wanted = await renderAll(schemas);
await mkdir(join(root, "src", "generated"), { recursive: true });
const present = new Map();
for (const folder of ["schemas", "src/generated"]) {
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isFile()) present.set(path, await readFile(join(root, path), "utf8"));
  }
}
const changed = [...wanted.keys()].filter((path) => present.get(path) !== wanted.get(path));
const left = [...present.keys()].filter(
  (path) => !wanted.has(path) && present.get(path).startsWith("// Generated from schemas/"),
);

if (options.check) {
  for (const path of [...changed, ...left]) console.error(`stale: ${path}`);
  if (changed.length + left.length > 0) {
    console.error("run `node scripts/generate.mjs`");
    process.exitCode = 1;
  }
} else {
  for (const path of changed) await writeFile(join(root, path), wanted.get(path));
  for (const path of left) await rm(join(root, path));
}
