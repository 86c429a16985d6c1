import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Shell } from "./shell.js";
import { takeTour } from "./tour.js";

// These begin where their readers are: a clone with an unknown outcome, or a service that can be asked.
const elsewhere = ["dead-runner", "drift", "import", "prune", "unknown-outcome"];

const pagesIn = (folder: string) => readdirSync(`docs/${folder}`).map((name) => `docs/${folder}/${name}`);
const pages = ["README.md", "docs/reference/edits.md", ...pagesIn("tutorial"), ...pagesIn("how-to")].filter(
  (page) =>
    readFileSync(page, "utf8").includes("```console\n") &&
    !elsewhere.some((name) => page === `docs/how-to/${name}.md`),
);

test("there are pages that begin with nothing", () => {
  expect(pages.filter((page) => page.includes("tutorial"))).toHaveLength(4);
  expect(pages.filter((page) => page.includes("how-to")).length).toBeGreaterThan(2);
});

test.each(pages)("the commands of %s print what it shows", async (page) => {
  const folder = mkdtempSync(join(tmpdir(), "agentform-tour-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(await takeTour(page, folder, new Shell(folder))).toBeGreaterThan(0);
});
