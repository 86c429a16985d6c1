import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, inject, test } from "vitest";
import { topics } from "../../src/cli/help/topics.js";
import { leafCommands } from "../docs/command-reference.js";

test("the package has every page that its help names, and none of the project's own", async () => {
  const { paths } = inject("packed");
  const ofCommands = await Promise.all(
    leafCommands().map(async ({ entry }) => (await entry.load()).documents),
  );
  const named = [...ofCommands.flat(), ...topics.flatMap(({ documents }) => documents)];
  expect(named).toContain("reference/documents.md");
  expect(named.filter((file) => !paths.includes(`docs/${file}`))).toEqual([]);
  expect(paths.filter((path) => path.startsWith("docs/project/"))).toEqual([]);
});

test("no link of a page in the package leads out of it", () => {
  const { paths } = inject("packed");
  const pages = paths.filter((path) => path.endsWith(".md"));
  const links = pages.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)].map(([, link = ""]) => ({
      page,
      link,
    })),
  );
  expect(links.length).toBeGreaterThan(100);
  const leads = ({ page, link }: { page: string; link: string }) =>
    /^https?:/.test(link) || paths.includes(posix.join(posix.dirname(page), link));
  expect(links.filter((each) => !leads(each))).toEqual([]);
});
