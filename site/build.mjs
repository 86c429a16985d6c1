/**
 * `npm run site` builds the documents into `site/dist`, which any static host serves; `-- --base /PATH/` says that they
 * are not at its root. Beside each page is its Markdown, and `plan.html` is the plan of the README's change.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "vitepress";
import { home, pagesOf, parts, readPages, titleOf } from "./pages.mjs";

const site = join(home, "site");
const dist = join(site, "dist");
const { values } = parseArgs({ options: { base: { type: "string", default: "/" } } });
const pages = readPages();

const source = join(site, "pages");
rmSync(source, { recursive: true, force: true });
write(source, pages);
cpSync(join(home, "docs/images"), join(source, "images"), { recursive: true });
await build(site, { base: values.base });
write(dist, pages);
cpSync(join(home, "docs/images"), join(dist, "images"), { recursive: true });
write(dist, new Map([["llms.txt", listForModels()]]));
writePlan();

function write(folder, texts) {
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** The list of pages for language models, as llmstxt.org has it. */
function listForModels() {
  const lineOf = (place) => `- [${titleOf(pages.get(place))}](${place})\n`;
  const sections = Object.entries(parts).map(
    ([part, title]) => `\n## ${title}\n\n${pagesOf(pages, part).map(lineOf).join("")}`,
  );
  const [, summary] = pages.get("index.md").split("\n\n");
  const about = summary.split("\n")[0];
  return `# agentform\n\n> ${about}\n\nEach page is Markdown; each code of a diagnostic or a note has the page \`codes/CODE.md\`.\n${sections.join("")}`;
}

/** Makes the workspace of the README, and changes it as the README does. */
function writePlan() {
  const folder = mkdtempSync(join(tmpdir(), "agentform-site-"));
  const [, change] = /^```diff\n([^]*?)^```$/m.exec(pages.get("index.md"));
  const run = (...args) =>
    execFileSync(process.execPath, [join(home, "dist/cli.js"), ...args], { cwd: folder });
  try {
    run("init", "weather");
    run("apply", "-C", "weather", "--emulator", "--yes");
    execFileSync("git", ["apply", "--unidiff-zero", "-"], { cwd: folder, input: change });
    writeFileSync(join(dist, "plan.html"), run("plan", "-C", "weather", "--emulator", "--format", "html"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
