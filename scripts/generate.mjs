/**
 * Makes `src/generated` from `schemas/*.schema.json`: types, validators and the table of known fields.
 * `node scripts/generate.mjs [--check] [--root DIR]`; with `--check` nothing is written, and stale files
 * are named and give exit code 1.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";
import { build } from "esbuild";
import { compile } from "json-schema-to-typescript";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const suffix = ".schema.json";
const width = 110;
const expression = "#/definitions/expression";

/** Keywords that constrain nothing: formats are for editors, the rest is text or marks. */
const annotations = new Set(
  "$schema $id $comment title description examples default format readOnly writeOnly".split(" "),
);
const keywordsOfOne = new Set(
  "items additionalItems additionalProperties propertyNames contains not if then else".split(" "),
);
const keywordsOfMany = new Set(["anyOf", "allOf", "oneOf"]);
const keywordsOfNamed = new Set(["properties", "patternProperties", "definitions"]);

const banner = (source) => `Generated from ${source}; do not edit.`;

/** Rebuilds a schema with `change` applied to each of its subschemas, innermost first. */
function mapSchema(schema, change) {
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

/** The schema without annotations, where `X or expression` gives a value that is neither the errors of X alone. */
function forValidator(schema) {
  return mapSchema(schema, (part) => {
    const bare = Object.fromEntries(Object.entries(part).filter(([keyword]) => !annotations.has(keyword)));
    const { anyOf, ...rest } = bare;
    const others = anyOf?.filter((branch) => branch.$ref !== expression);
    if (anyOf?.length !== 2 || others.length !== 1) return bare;
    return { ...rest, if: { $ref: expression }, else: others[0] };
  });
}

/** What the validator exports: `if` only repeats that a branch failed, which the branch's own errors say. */
const validatorEntry = `
import { validate as check } from "compiled";
export function validate(value) {
  const valid = check(value);
  validate.errors = valid ? null : check.errors.filter((error) => error.keyword !== "if");
  return valid;
}`;

/** One self-contained module: Ajv's generated code still asks for Ajv's runtime, so esbuild takes it in. */
async function renderValidator(name, source, schema) {
  const ajv = new Ajv({
    allErrors: true,
    messages: false,
    strict: true,
    allowUnionTypes: true,
    code: { source: true, esm: true, lines: true },
  });
  const contents = standalone.default(ajv, ajv.compile(forValidator(schema)));
  const compiled = {
    name: "compiled",
    setup(bundle) {
      bundle.onResolve({ filter: /^compiled$/ }, () => ({ path: name, namespace: "compiled" }));
      bundle.onLoad({ filter: /.*/, namespace: "compiled" }, () => ({ contents, resolveDir: home }));
      // Ajv's runtime carries its own source form as text, a `require(…)` that nothing runs.
      bundle.onLoad({ filter: /ajv[\\/]dist[\\/]runtime[\\/]\w+\.js$/ }, async ({ path }) => ({
        contents: (await readFile(path, "utf8")).replace(/^\w+\.code = .*$/m, ""),
      }));
    },
  };
  const result = await build({
    stdin: { contents: validatorEntry, resolveDir: home },
    absWorkingDir: home,
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["main"],
    target: "node20",
    legalComments: "none",
    plugins: [compiled],
  });
  // What esbuild writes names the files that it read, which depends on where node_modules is; its wrapper
  // has a name that looks like a call of `require`.
  const text = result.outputFiles[0].text
    .replace(/^[ \t]*\/\/ .*\n/gm, "")
    .replace(/^( *)"[^"\n]*node_modules\//gm, '$1"')
    .replaceAll("__require", "__run");
  return `// ${banner(source)}\n${text}`;
}

const renderDeclaration = (name, source, { title }) => `// ${banner(source)}

import type { Validate } from "../json/validate.js";
import type { ${title} } from "./${name}.js";

export declare const validate: Validate<${title}>;
`;

/** What the table of known fields says of one schema; several shapes of a value are taken together. */
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

/** Source text of a plain value, on one line where it fits. */
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
 * What is known of a value in a document: its fields, the items of a list, the values of a mapping; under
 * \`open\` further names are as good as known ones, \`readOnly\` is the service's to set, \`writeOnly\` is secret.
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

async function readSchemas(folder) {
  const files = (await readdir(folder)).filter((file) => file.endsWith(suffix)).toSorted();
  return Promise.all(
    files.map(async (file) => ({
      name: file.slice(0, -suffix.length),
      source: `schemas/${file}`,
      schema: JSON.parse(await readFile(join(folder, file), "utf8")),
    })),
  );
}

/** Every generated file by its name. */
async function renderAll(schemas) {
  const files = schemas.map(async ({ name, source, schema }) => [
    [`${name}.ts`, await renderTypes(name, source, schema)],
    [`validate-${name}.js`, await renderValidator(name, source, schema)],
    [`validate-${name}.d.ts`, renderDeclaration(name, source, schema)],
  ]);
  return new Map([
    ...(await Promise.all(files)).flat(),
    ["fields.ts", renderFields(schemas)],
    ["kinds.ts", renderKinds(schemas)],
    ["schemas.ts", renderSchemaList(schemas)],
  ]);
}

const { values: options } = parseArgs({
  options: { check: { type: "boolean", default: false }, root: { type: "string", default: home } },
});
const folder = join(options.root, "src", "generated");
const wanted = await renderAll(await readSchemas(join(options.root, "schemas")));
await mkdir(folder, { recursive: true });
const present = new Map();
for (const file of await readdir(folder)) present.set(file, await readFile(join(folder, file), "utf8"));
const changed = [...wanted.keys()].filter((file) => present.get(file) !== wanted.get(file));
const left = [...present.keys()].filter(
  (file) => !wanted.has(file) && present.get(file).startsWith("// Generated from schemas/"),
);

if (options.check) {
  for (const file of [...changed, ...left]) console.error(`stale: src/generated/${file}`);
  if (changed.length + left.length > 0) {
    console.error("run `node scripts/generate.mjs`");
    process.exitCode = 1;
  }
} else {
  for (const file of changed) await writeFile(join(folder, file), wanted.get(file));
  for (const file of left) await rm(join(folder, file));
}
