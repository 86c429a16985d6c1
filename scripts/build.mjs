/**
 * Builds `dist`: the command line and the library as one bundle in lazily loaded parts,
 * the library's declarations, the page of diagnostics, and the licences and the bill of materials of its packages;
 * and `man`, the pages of the manual.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildPage, pageForEsbuild } from "./build-page.mjs";
import { renderLicenses } from "./bundled-licenses.mjs";
import { renderSbom } from "./bundled-sbom.mjs";
import { loadCommandLine } from "./command-line.mjs";
import { documentsAddress } from "./documents-address.mjs";
import { renderDiagnosticsPage } from "./diagnostics-page.mjs";
import { generate } from "./generated.mjs";
import { joinedParts } from "./joined-parts.mjs";
import { renderManual } from "./manual.mjs";
import { validatorsForEsbuild } from "./validators.mjs";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(home, "dist");
await generate();
const fields = JSON.parse(await readFile(join(home, "package.json"), "utf8"));

const common = {
  absWorkingDir: home,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  define: {
    AGENTFORM_VERSION: JSON.stringify(fields.version),
    AGENTFORM_DOCUMENTS: String(JSON.stringify(documentsAddress(fields))),
    AGENTFORM_BUILD: JSON.stringify(await sourceDigest()),
  },
  // The yaml package's browser build is ESM, and a fifth faster than the one for Node.
  alias: { yaml: join(home, "node_modules/yaml/browser/index.js") },
  // The PostgreSQL driver would read password files with it, if it were not given a password.
  external: ["pgpass"],
  // Some indirect dependencies are CommonJS and load Node's modules with require.
  banner: { js: "const require = process.getBuiltinModule;" },
  plugins: [pageForEsbuild(), validatorsForEsbuild(), withoutHttp2(), withoutLists()],
};

await rm(dist, { recursive: true, force: true });
const { commands, readCommands } = await loadCommandLine();
// What the help alone tells of an option is not read with each word that is completed.
const ofHelp = ["placeholder", "required", "default"];
const ofCompletion = (key, value) => (ofHelp.includes(key) ? undefined : value);
const { metafile } = await build({
  ...common,
  entryPoints: {
    cli: "src/cli/bin.ts",
    index: "src/index.ts",
  },
  outdir: "dist",
  metafile: true,
  splitting: true,
  chunkNames: "parts/[name]-[hash]",
  minify: true,
  // Beside the package, for who measures or looks for a fault.
  sourcemap: "external",
  sourcesContent: false,
  legalComments: "none",
  define: {
    ...common.define,
    AGENTFORM_COMMANDS: JSON.stringify(JSON.stringify(await readCommands(commands), ofCompletion)),
  },
  plugins: [shebang(), joinedParts(home), ...common.plugins],
});
await chmod(join(dist, "cli.js"), 0o755);
const man = join(home, "man");
await rm(man, { recursive: true, force: true });
await mkdir(man);
for (const [name, text] of await renderManual()) await writeFile(join(man, name), text);
const page = await buildPage();
const metafiles = [metafile, page.metafile];
await writeFile(join(dist, "diagnostics.html"), renderDiagnosticsPage(home));
await writeFile(join(dist, "THIRD-PARTY-LICENSES.txt"), renderLicenses(home, metafiles));
await writeFile(join(dist, "sbom.cdx.json"), renderSbom(home, metafiles));
execFileSync(
  process.execPath,
  [join(home, "node_modules/typescript/bin/tsc"), "-p", join(home, "tsconfig.build.json")],
  { stdio: "inherit" },
);
await keepReached("index.d.ts");

/** Changes with all that decides what the command line makes of a document: its own sources, the schemas, and what parses and checks. */
async function sourceDigest() {
  const digest = createHash("sha256");
  const libraries = ["yaml", "ajv"].map((name) => join(home, "node_modules", name, "package.json"));
  const scripts = ["schemas.mjs", "validators.mjs"].map((name) => join(home, "scripts", name));
  const paths = [...libraries, ...scripts, ...(await filesIn("src")), ...(await filesIn("schemas"))];
  for (const path of paths.toSorted()) digest.update(relative(home, path)).update(await readFile(path));
  return digest.digest("hex");
}

/** Removes the declarations that nothing leads to from that of the library. */
async function keepReached(first) {
  const types = join(dist, "types");
  const reached = new Set([first]);
  for (const file of reached) {
    const text = await readFile(join(types, file), "utf8");
    for (const [, path] of text.matchAll(/(?:from|import) ?\(?"(\.[^"]*)\.js"/g)) {
      reached.add(join(dirname(file), `${path}.d.ts`));
    }
  }
  for (const file of await filesIn("dist/types")) {
    if (!reached.has(relative(types, file))) await rm(file);
  }
}

async function filesIn(folder) {
  const entries = await readdir(join(home, folder), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** got loads a client for HTTP/2, which is never asked for; an apply would begin 20 ms later, as that client reads all root certificates. */
function withoutHttp2() {
  return {
    name: "without-http2",
    setup(bundle) {
      bundle.onResolve({ filter: /^http2-wrapper$/ }, ({ path }) => ({ path, namespace: "empty" }));
      bundle.onLoad({ filter: /.*/, namespace: "empty" }, () => ({ contents: "export default {};" }));
    },
  };
}

/** got brings words for lists that only an error of its own callers has; the data of the language for them takes 3 % of an apply. */
function withoutLists() {
  return {
    name: "without-lists",
    setup(bundle) {
      bundle.onLoad({ filter: /@sindresorhus[\\/]is[\\/]distribution[\\/]index\.js$/ }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        const later = text.replaceAll(
          /new Intl\.ListFormat\(.*\)(?=;)/g,
          (made) => `{ format: (words) => ${made}.format(words) }`,
        );
        if (later === text) throw new Error(`${path} makes no list formats any more`);
        return { contents: later };
      });
    },
  };
}

function shebang() {
  return {
    name: "shebang",
    setup(bundle) {
      bundle.onLoad({ filter: /src[\\/]cli[\\/]bin\.ts$/ }, async ({ path }) => ({
        contents: `#!/usr/bin/env node\n${await readFile(path, "utf8")}`,
        loader: "ts",
      }));
    },
  };
}
