/** Gives scripts what the command line says of itself. */
import { readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { pageForEsbuild } from "./build-page.mjs";
import { documentsAddress } from "./documents-address.mjs";
import { validatorsForEsbuild } from "./validators.mjs";

const home = dirname(dirname(fileURLToPath(import.meta.url)));

/** Loads the commands, their help, and what can be typed, from the sources. */
export async function loadCommandLine() {
  const fields = JSON.parse(await readFile(join(home, "package.json"), "utf8"));
  // Packages are found from there.
  const file = join(home, "node_modules", `.agentform-commands-${process.pid}.mjs`);
  await build({
    absWorkingDir: home,
    stdin: {
      contents: [
        `export { commands } from "./src/cli/commands.js";`,
        `export { commandPage, programPage } from "./src/cli/help/command-page.js";`,
        `export { topicPage, topics } from "./src/cli/help/topics.js";`,
        `export { readCommands } from "./src/cli/completion/read-commands.js";`,
      ].join("\n"),
      resolveDir: home,
      loader: "ts",
    },
    outfile: file,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    packages: "external",
    define: {
      AGENTFORM_VERSION: JSON.stringify(fields.version),
      AGENTFORM_DOCUMENTS: String(JSON.stringify(documentsAddress(fields))),
    },
    banner: {
      js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);`,
    },
    plugins: [pageForEsbuild(), validatorsForEsbuild()],
  });
  try {
    return await import(pathToFileURL(file).href);
  } finally {
    await rm(file);
  }
}
