/**
 * `node scripts/man-list.mjs` lists the pages of the manual in `package.json`, where npm looks for them when it
 * installs a package; with `--remove` the list goes again.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const path = join(home, "package.json");
const { man: _, ...fields } = JSON.parse(await readFile(path, "utf8"));
if (!process.argv.includes("--remove")) {
  fields.man = (await readdir(join(home, "man"))).toSorted().map((name) => `./man/${name}`);
}
await writeFile(path, `${JSON.stringify(fields, null, 2)}\n`);
