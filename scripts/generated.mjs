/**
 * Makes `src/generated`, which is not kept in git: types and the table of known fields from `schemas`, and the
 * texts of the command line. The validators beside them are made by the build and for tests, see validators.mjs.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { annotations, expression, mapSchema, readSharedSchemas, schemasOfKinds } from "./schemas.mjs";
import { renderTexts, textSources } from "./texts.mjs";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const width = 110;

// The compiler's configurations list it first, so that its name is what a missing folder is reported by.
const stamp = "made-by-npm-run-generate.d.ts";
const sources = ["schemas", ...textSources];
const makers = [
  "scripts/generated.mjs",
  "scripts/schemas.mjs",
  "scripts/texts.mjs",
  "node_modules/json-schema-to-typescript/package.json",
];

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
  // It takes half a second to load.
  const { compile } = await import("json-schema-to-typescript");
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
  if (schema.type === "string" && schema.examples) field.known = schema.examples;
  if (schema.readOnly) field.readOnly = true;
  if (schema.writeOnly) field.writeOnly = true;
  return field;
}

/** Source text of a plain value, on one line if it fits. */
function renderValue(value, depth = 0, used = 0) {
  if (typeof value !== "object" || Array.isArray(value)) return JSON.stringify(value);
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
  readonly known?: readonly string[];
  readonly readOnly?: true;
  readonly writeOnly?: true;
}

/** The known fields of a document, those of its \`spec\` among them. */
export interface DocumentField extends Field {
  readonly fields: Readonly<Record<string, Field>> & {
    readonly spec: Field & { readonly fields: Readonly<Record<string, Field>> };
  };
}
`;

/** An action of a plan as rules judge it, with what they see beside it; `body` depends on the kind. */
function changeFields({ properties, definitions }) {
  const of = (schema) => fieldOf(schema, definitions);
  const oneOf = (schema) => ({ known: schema.enum });
  const { body: _body, changes, ...fields } = of(definitions.action).fields;
  const { message: _message, ...note } = of(definitions.note).fields;
  const method = { known: ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"] };
  const operation = { toolset: {}, ...of(definitions.namedOperation).fields, method, writes: {} };
  const held = { fields: { operations: { items: { fields: operation } }, hosts: {}, features: {} } };
  const plan = { environment: {}, partial: {}, summary: of(properties.summary) };
  return {
    ...fields,
    action: oneOf(definitions.action.properties.action),
    kind: {},
    changes: { items: { fields: { ...changes.items.fields, delta: {} } } },
    notes: { items: { fields: { ...note, effect: oneOf(definitions.note.properties.effect) } } },
    gained: held,
    lost: held,
    plan: { fields: plan },
  };
}

/** What a plan without rules does not load. */
function renderChangeFields(schemas) {
  const { source, schema } = schemas.find(({ name }) => name === "plan");
  const description = "/** The known fields of a change, as rules judge it. */";
  return `// ${banner(source)}\n\nimport type { Field } from "./fields.js";\n\n${description}\nexport const changeFields: Readonly<Record<string, Field>> = ${renderValue(changeFields(schema))};\n`;
}

/** The table of known fields: one entry for each schema of a document, which is one with a `spec`. */
function renderFields(schemas) {
  const kinds = schemas.filter(({ schema }) => schema.properties?.spec);
  const type = kinds.map(({ name }) => `  readonly ${name}: DocumentField;\n`).join("");
  const table = Object.fromEntries(
    kinds.map(({ name, schema }) => [name, fieldOf(schema, schema.definitions ?? {})]),
  );
  const description =
    "/** The known fields of the documents of each kind, those of a `spec` from sections 2.1 to 2.4. */";
  return `${fieldsHead}\n${description}\nexport const fields: {\n${type}} = ${renderValue(table)};\n`;
}

/** The names of the kinds. */
function renderKinds(schemas) {
  const kinds = schemasOfKinds(schemas);
  const union = (texts) => texts.map((text) => JSON.stringify(text)).join(" | ");
  const document = ({ schema }) => schema.properties.kind.const;
  return `// ${banner("schemas/*.schema.json")}

/** The names of the kinds: the prefixes of addresses, and the schemes of references. */
export type KindName = ${union(kinds.map(({ name }) => name))};

/** The same as a list, for what does not need the kinds themselves. */
export const kindPrefixes: readonly KindName[] = ${JSON.stringify(kinds.map(({ name }) => name))};

/** The kinds as documents name them. */
export type DocumentKind = ${union(kinds.map(document))};
`;
}

/** How every schema is loaded, by its name. */
function renderSchemaList(schemas) {
  const lines = schemas.map(
    ({ name, source }) =>
      `  ${/^\w+$/.test(name) ? name : JSON.stringify(name)}: () => import("../../${source}", { with: { type: "json" } }),\n`,
  );
  return `// ${banner("schemas/*.schema.json")}\n\n/** Loads a schema by its name. */\nexport const schemas = {\n${lines.join("")}} as const;\n`;
}

/** Every generated file by its name. */
async function renderAll(schemas) {
  const files = schemas.map(async ({ name, source, schema }) => [
    [`${name}.ts`, await renderTypes(name, source, schema)],
    [`validate-${name}.d.ts`, renderDeclaration(name, source, schema)],
  ]);
  return new Map([
    ...(await Promise.all(files)).flat(),
    ["fields.ts", renderFields(schemas)],
    ["change-fields.ts", renderChangeFields(schemas)],
    ["kinds.ts", renderKinds(schemas)],
    ["schemas.ts", renderSchemaList(schemas)],
  ]);
}

/** Makes the folder in a copy of the repository, unless it was made from the same sources and is as it was then. */
export async function generate(root = home) {
  const folder = join(root, "src", "generated");
  await mkdir(folder, { recursive: true });
  const present = await textsIn(folder);
  const given = await sourcesIn(root);
  if (present.get(stamp) === stampOf(given, present)) return;
  const wanted = new Map([
    ...(await renderAll(await readSharedSchemas(join(root, "schemas")))),
    ...(await renderTexts(root)),
  ]);
  for (const [name, text] of wanted) {
    if (present.get(name) !== text) await writeFile(join(folder, name), text);
  }
  for (const name of present.keys()) if (!wanted.has(name)) await rm(join(folder, name));
  await writeFile(join(folder, stamp), stampOf(given, wanted));
}

function stampOf(...all) {
  const digest = createHash("sha256");
  for (const texts of all) {
    const others = [...texts].filter(([name]) => name !== stamp);
    digest.update(JSON.stringify(others.toSorted(([one], [other]) => (one < other ? -1 : 1))));
  }
  return `// ${digest.digest("hex")}\nexport {};\n`;
}

async function sourcesIn(root) {
  const made = makers.map(async (path) => [path, await readFile(join(home, path), "utf8")]);
  const texts = await Promise.all(sources.map((source) => textsIn(join(root, source))));
  return new Map([
    ...(await Promise.all(made)),
    ...texts.flatMap((each, index) => [...each].map(([name, text]) => [join(sources[index], name), text])),
  ]);
}

/** The texts of the files in a folder and in those below it, or of one file, by path. */
async function textsIn(path) {
  if (extname(path) !== "") return new Map([["", await readFile(path, "utf8")]]);
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const texts = files.map(async (file) => [relative(path, file), await readFile(file, "utf8")]);
  return new Map(await Promise.all(texts));
}
