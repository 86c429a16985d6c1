/**
 * Builds `dist`: the command line and the library as one bundle in lazily loaded parts, with source maps,
 * and the library's declarations.
 */
import { execFileSync } from "node:child_process";
import { chmod, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { pageForEsbuild } from "./build-page.mjs";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(home, "dist");
const { version } = JSON.parse(await readFile(join(home, "package.json"), "utf8"));

await rm(dist, { recursive: true, force: true });
await build({
  absWorkingDir: home,
  entryPoints: { cli: "src/cli/bin.ts", index: "src/index.ts" },
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  chunkNames: "parts/[name]-[hash]",
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: true,
  sourcesContent: false,
  legalComments: "none",
  define: { AGENTFORM_VERSION: JSON.stringify(version) },
  // The yaml package's build for browsers is ESM, and a fifth faster than the one for Node.
  alias: { yaml: join(home, "node_modules/yaml/browser/index.js") },
  // Some dependencies of dependencies are CommonJS and ask for Node's modules by require.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  plugins: [shebang(), pageForEsbuild()],
});
await chmod(join(dist, "cli.js"), 0o755);
execFileSync(
  process.execPath,
  [join(home, "node_modules/typescript/bin/tsc"), "-p", join(home, "tsconfig.build.json")],
  { stdio: "inherit" },
);

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
