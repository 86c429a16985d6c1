/**
 * `node scripts/pack.mjs` makes what was built ready for a tarball: lists the pages of the manual in `package.json`,
 * where npm looks for them when it installs a package, takes out the script of an installed checkout, of
 * which npm would warn whoever installs the package, and gives all files the modes that they have in any tarball, whatever the
 * umask was; with `--done` the file is as it was.
 */
import { chmod, copyFile, constants, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const path = join(home, "package.json");
const whole = join(home, "package.json.whole");
if (process.argv.includes("--done")) await rename(whole, path);
else await prepare();

async function prepare() {
  // What a pack left that did not come to its end is the whole one.
  await copyFile(path, whole, constants.COPYFILE_EXCL).catch(() => undefined);
  const fields = JSON.parse(await readFile(whole, "utf8"));
  delete fields.scripts.prepare;
  fields.man = (await readdir(join(home, "man"))).toSorted().map((name) => `./man/${name}`);
  await writeFile(path, `${JSON.stringify(fields, null, 2)}\n`);
  await setModes(fields.files);
}

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
