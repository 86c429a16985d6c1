/** Bundles the extension into dist/, with the licences of the packages that are in the bundle. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { renderLicenses } from "../../scripts/bundled-licenses.mjs";

const home = import.meta.dirname;
const { metafile } = await build({
  absWorkingDir: home,
  entryPoints: ["extension.js"],
  outfile: "dist/extension.js",
  bundle: true,
  platform: "node",
  format: "cjs",
  external: ["vscode"],
  minify: true,
  metafile: true,
});
await writeFile(join(home, "dist/THIRD-PARTY-LICENSES.txt"), renderLicenses(home, [metafile]));
