/**
 * Makes the pages of the manual in `man` from the help of the command line, and their list in `package.json`.
 * `node scripts/generate-man.mjs [--check]`; with `--check` nothing is written, and stale files are listed and
 * give exit code 1.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { pageForEsbuild } from "./build-page.mjs";
import { documentsAddress } from "./documents-address.mjs";
import { pageName, renderManPage } from "./man-page.mjs";
import { validatorsForEsbuild } from "./validators.mjs";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(home, "man");

const readFields = async () => JSON.parse(await readFile(join(home, "package.json"), "utf8"));
const wanted = renderAll(await readPages());
const { values: options } = parseArgs({ options: { check: { type: "boolean", default: false } } });
await mkdir(folder, { recursive: true });
const present = new Map();
for (const name of await readdir(folder)) {
  present.set(`man/${name}`, await readFile(join(folder, name), "utf8"));
}
const listed = [...wanted.keys()].toSorted().map((path) => `./${path}`);
present.set("package.json", await readFile(join(home, "package.json"), "utf8"));
wanted.set("package.json", `${JSON.stringify({ ...(await readFields()), man: listed }, null, 2)}\n`);
const changed = [...wanted.keys()].filter((path) => present.get(path) !== wanted.get(path));
const left = [...present.keys()].filter((path) => !wanted.has(path));

if (options.check) {
  for (const path of [...changed, ...left]) console.error(`stale: ${path}`);
  if (changed.length + left.length > 0) {
    console.error("run `npm run generate`");
    process.exitCode = 1;
  }
} else {
  for (const path of changed) await writeFile(join(home, path), wanted.get(path));
  for (const path of left) await rm(join(home, path));
}

/** Every page of the manual, by its path. */
function renderAll(pages) {
  const [program, ...others] = pages;
  return new Map(
    pages.map((page) => {
      const related = page === program ? others : [program];
      return [`man/${pageName(page.name)}.${page.section}`, renderManPage(page, page.section, related)];
    }),
  );
}

/** The pages of the help, each with its section of the manual, the program's first. */
async function readPages() {
  const { commands, commandPage, topics, topicPage } = await loadHelp();
  const pagesOf = async (entries, words) => {
    const pages = [];
    for (const entry of entries) {
      const path = [...words, entry.name];
      pages.push(await commandPage(path, entry));
      if ("commands" in entry) pages.push(...(await pagesOf(entry.commands, path)));
    }
    return pages;
  };
  const ofCommands = [await commandPage([], undefined), ...(await pagesOf(commands, []))];
  const ofTopics = await Promise.all(topics.map(topicPage));
  return [
    ...ofCommands.map((page) => ({ ...page, section: 1 })),
    ...ofTopics.map((page) => ({ ...page, name: `agentform ${page.name}`, section: 7 })),
  ];
}

/** The command line's own words, from its sources. */
async function loadHelp() {
  // Packages are found from there.
  const file = join(home, "node_modules", `.agentform-help-${process.pid}.mjs`);
  await build({
    absWorkingDir: home,
    stdin: {
      contents: [
        `export { commands } from "./src/cli/commands.js";`,
        `export { commandPage } from "./src/cli/help/command-page.js";`,
        `export { topicPage, topics } from "./src/cli/help/topics.js";`,
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
    define: { AGENTFORM_DOCUMENTS: String(JSON.stringify(documentsAddress(await readFields()))) },
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
