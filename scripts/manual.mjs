/** Makes the pages of the manual from the help of the command line. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadCommandLine } from "./command-line.mjs";
import { pageName, renderManPage } from "./man-page.mjs";

/** Renders every page of the manual, by its name. */
export async function renderManual() {
  const pages = await readPages();
  const [program, ...others] = pages;
  const date = releaseDate();
  return new Map(
    pages.map((page) => {
      const related = page === program ? others : [program];
      return [`${pageName(page.name)}.${page.section}`, renderManPage(page, page.section, related, date)];
    }),
  );
}

/** The pages of the help, each with its section of the manual, the program's first. */
async function readPages() {
  const { commands, commandPage, programPage, topics, topicPage } = await loadCommandLine();
  const pagesOf = async (entries, words) => {
    const pages = [];
    for (const entry of entries) {
      const path = [...words, entry.name];
      pages.push(await commandPage(path, entry));
      if ("commands" in entry) pages.push(...(await pagesOf(entry.commands, path)));
    }
    return pages;
  };
  const ofCommands = [programPage(commands), ...(await pagesOf(commands, []))];
  const ofTopics = topics.map(topicPage);
  return [
    ...ofCommands.map((page) => ({ ...page, section: 1 })),
    ...ofTopics.map((page) => ({ ...page, name: `agentform ${page.name}`, section: 7 })),
  ];
}

/** Gives the date of the release, as CHANGELOG.md has it; empty before there is one. */
function releaseDate() {
  const read = (file) => readFileSync(join(import.meta.dirname, "..", file), "utf8");
  const { version } = JSON.parse(read("package.json"));
  const heading = read("CHANGELOG.md")
    .split("\n")
    .find((line) => line.startsWith(`## [${version}] - `));
  return heading?.split(" - ")[1] ?? "";
}
