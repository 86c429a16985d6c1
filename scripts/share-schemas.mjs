/**
 * Copies the definitions in `schemas/shared` into the schemas that refer to them.
 * `node scripts/share-schemas.mjs [--check] [--root DIR]`; with `--check` nothing is written, and stale schemas
 * are listed and give exit code 1.
 */
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readSharedSchemas, renderSchema } from "./schemas.mjs";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const { values: options } = parseArgs({
  options: { check: { type: "boolean", default: false }, root: { type: "string", default: home } },
});

for (const { source, schema } of await readSharedSchemas(join(options.root, "schemas"))) {
  const path = join(options.root, source);
  const text = renderSchema(schema);
  if ((await readFile(path, "utf8")) === text) continue;
  if (options.check) {
    console.error(`stale: ${source}; run \`npm run generate\``);
    process.exitCode = 1;
  } else await writeFile(path, text);
}
