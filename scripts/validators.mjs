/**
 * Compiles `schemas/` to validators where a bundler asks for one, by the name that its declaration has in
 * `src/generated`. So they are made of the schemas as they are now, and are no files.
 */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";
import { build, transform } from "esbuild";
import { annotations, expression, mapSchema, readSchema } from "./schemas.mjs";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const imported = /(?:[\\/]generated[\\/]|^)validate-([\w-]+)\.js$/;
// What they share is made once, a third of both.
const together = ["lock", "journal"];

/** For esbuild: answers the imports of validators. */
export function validatorsForEsbuild() {
  return {
    name: "validators",
    setup(bundle) {
      bundle.onResolve({ filter: imported }, ({ path }) => ({ path: nameIn(path), namespace: "validator" }));
      bundle.onLoad({ filter: /.*/, namespace: "validator" }, async ({ path }) => ({
        contents: together.includes(path)
          ? `export { ${path} as validate } from "validate-${together.join("-")}.js";`
          : await compile(path === together.join("-") ? together : [path]),
        resolveDir: home,
      }));
      // Ajv's runtime contains its own source form as text, a `require(…)` that is never run.
      bundle.onLoad({ filter: /ajv[\\/]dist[\\/]runtime[\\/]\w+\.js$/ }, async ({ path }) => ({
        contents: (await readFile(path, "utf8")).replace(/^\w+\.code = .*$/m, ""),
      }));
    },
  };
}

/** For Vite: answers the imports of validators. */
export function validatorsForVite() {
  const texts = new Map();
  return {
    name: "validators",
    enforce: "pre",
    resolveId: (id) => (imported.test(id) ? `\0validator:${nameIn(id)}` : undefined),
    load(id) {
      if (!id.startsWith("\0validator:")) return undefined;
      const name = id.slice("\0validator:".length);
      if (!texts.has(name)) texts.set(name, bundleOne(name));
      return texts.get(name);
    },
  };
}

const nameIn = (path) => imported.exec(path)[1];

/** Compiles schemas to a module: one to its `validate`, several to a validator each, by name. */
async function compile(names) {
  const ajv = new Ajv({
    allErrors: true,
    messages: false,
    strict: true,
    discriminator: true,
    allowUnionTypes: true,
    // A definition is a function once, and not a copy at each use: a tenth less to load.
    inlineRefs: false,
    code: { source: true, esm: true, lines: true },
  });
  const schemas = await Promise.all(names.map((name) => readSchema(join(home, "schemas"), name)));
  const [first, ...others] = schemas.map(forValidator);
  const text = withShortErrors(
    others.length === 0
      ? standalone.default(ajv, ajv.compile(first))
      : standalone.default(ajv, addAll(ajv, names, [first, ...others])),
  );
  // Short names make a quarter less to load of what nobody reads.
  const { code } = await transform(text, { format: "esm", minify: true });
  return code;
}

/** Adds schemas by name; each definition that all of them have alike is a schema of its own, which Ajv compiles once. */
function addAll(ajv, names, schemas) {
  const [first] = schemas;
  const isShared = (name) =>
    schemas.every(({ definitions }) => isDeepStrictEqual(definitions[name], first.definitions[name]));
  const shared = new Set(Object.keys(first.definitions).filter(isShared));
  const add = (schema, $id) => {
    const pointed = mapSchema(schema, (part) => {
      const name = part.$ref?.split("/").at(-1);
      return shared.has(name) ? { ...part, $ref: `shared-${name}` } : part;
    });
    ajv.addSchema({ ...pointed, $id });
  };
  for (const name of shared) add(first.definitions[name], `shared-${name}`);
  for (const [index, name] of names.entries()) add(schemas[index], name);
  return Object.fromEntries(names.map((name) => [name, name]));
}

// Ajv writes this out at each of some thousand places, which was two fifths of the text.
const addition =
  /const (err\d+) = \{instancePath(?::(.*))?,schemaPath:".*",keyword:"([\w ]+)",params:(\{.*?\})(?:,propertyName:.*)?\};\nif\(vErrors === null\)\{\nvErrors = \[\1\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}\nerrors\+\+;/g;

// What is around a value, which only keywords need that no schema has.
const around = /,\s*parentData\b.*?,\s*rootData(?:=data)?(?=\})/g;

/** Makes each addition of an error a call; `if` adds none, for it only repeats that a branch failed, which the branch's own errors say. */
function withShortErrors(text) {
  const short = text
    .replaceAll(around, "")
    .replaceAll(/(\w+)\.replace\(\/~\/g, "~0"\)\.replace\(\/\\\/\/g, "~1"\)/g, "spelt($1)")
    .replaceAll(addition, (_all, _name, path = "instancePath", keyword, params) =>
      keyword === "if" ? "" : `vErrors = withError(vErrors, ${path}, "${keyword}", ${params});errors++;`,
    );
  if (short.includes("schemaPath:")) throw new Error("Ajv adds errors in a way that is not known here");
  return `${short}
function spelt(key) {
  return /[~/]/.test(key) ? key.replace(/~/g, "~0").replace(/\\//g, "~1") : key;
}
function withError(errors, instancePath, keyword, params) {
  const error = { instancePath, keyword, params };
  if (errors === null) return [error];
  errors.push(error);
  return errors;
}`;
}

/**
 * The schema without annotations; for `X or expression`, a value that is neither only gives the errors of X, and of
 * alternatives only the one with the value's `type` is tried.
 */
function forValidator(schema) {
  return mapSchema(schema, (part) => {
    const bare = Object.fromEntries(Object.entries(part).filter(([keyword]) => !annotations.has(keyword)));
    if (bare.oneOf) return { ...bare, type: "object", discriminator: { propertyName: "type" } };
    const { anyOf, ...rest } = bare;
    const others = anyOf?.filter((branch) => branch.$ref !== expression);
    if (anyOf?.length !== 2 || others.length !== 1) return bare;
    return { ...rest, if: { $ref: expression }, else: others[0] };
  });
}

/** One self-contained module, for Vite leaves the `require` in Ajv's code as it is. */
async function bundleOne(name) {
  const { outputFiles } = await build({
    stdin: { contents: `export { validate } from "./generated/validate-${name}.js";`, resolveDir: home },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20.19",
    plugins: [validatorsForEsbuild()],
  });
  return outputFiles[0].text;
}
