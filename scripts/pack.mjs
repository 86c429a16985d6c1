/**
 * `node scripts/pack.mjs` makes what was built ready for a tarball: lists the pages of the manual in `package.json`,
 * where npm looks for them when it installs a package, gives the script of an installed checkout a name that npm does
 * not know, for it would warn of it whoever installs the package, and gives all files the modes that they have in any
 * tarball, whatever the umask was; with `--done` the list goes again and the script has its name.
 */
import { chmod, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const path = join(home, "package.json");
const { man: _, ...fields } = JSON.parse(await readFile(path, "utf8"));
const isDone = process.argv.includes("--done");
const [from, to] = isDone ? ["prepare-checkout", "prepare"] : ["prepare", "prepare-checkout"];
// In its place, so that the file is as it was in the end.
fields.scripts = Object.fromEntries(
  Object.entries(fields.scripts).map(([name, script]) => [name === from ? to : name, script]),
);
if (!isDone) fields.man = (await readdir(join(home, "man"))).toSorted().map((name) => `./man/${name}`);
// Whole at any time: who runs the command meanwhile reads it.
await writeFile(`${path}.tmp`, `${JSON.stringify(fields, null, 2)}\n`);
await rename(`${path}.tmp`, path);
if (!isDone) await setModes(fields.files);

async function setModes(files) {
  const parts = ["package.json", ...files.filter((part) => !part.startsWith("!"))];
  for (const file of (await Promise.all(parts.map(filesIn))).flat()) {
    const { mode } = await stat(join(home, file));
    await chmod(join(home, file), mode & 0o100 ? 0o755 : 0o644);
  }
}

async function filesIn(part) {
  if ((await stat(join(home, part))).isFile()) return [part];
  const entries = await readdir(join(home, part), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(home.length + 1));
}
