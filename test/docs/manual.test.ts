import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { documentsAddress } from "../../scripts/documents-address.mjs";
import { renderManual } from "../../scripts/manual.mjs";
import { pageName, renderManPage } from "../../scripts/man-page.mjs";
import { commands } from "../../src/cli/commands.js";
import type { HelpBlock } from "../../src/cli/help/page.js";
import { topics } from "../../src/cli/help/topics.js";
import { needProgram } from "../harness/need.js";
import { fc } from "../harness/property.js";
import { wholeTest } from "../harness/tier.js";
import { leafCommands } from "./command-reference.js";

const pages = await renderManual();

test("there is a page of every command and every topic", () => {
  const parents = commands.filter((entry) => "commands" in entry).map(({ name }) => [name]);
  const paths = [[], ...parents, ...leafCommands().map(({ path }) => path)];
  const wanted = [
    ...paths.map((path) => `${pageName(["agentform", ...path].join(" "))}.1`),
    ...topics.map(({ name }) => `agentform-${name}.7`),
  ];
  expect([...pages.keys()].toSorted()).toEqual(wanted.toSorted());
});

test("of a package with a homepage, the documents are on the site there, whatever else it names", () => {
  const repository = "https://github.com/owner/agentform";
  const address = "https://owner.github.io/agentform/PAGE.html";
  for (const homepage of ["https://owner.github.io/agentform", "https://owner.github.io/agentform/"])
    expect(documentsAddress({ homepage, repository })).toBe(address);
});

test.each([
  [undefined, undefined],
  ["github:owner/agentform", undefined],
  ["https://github.com/owner/agentform", "https://github.com/owner/agentform/blob/HEAD/docs/PAGE.md"],
  [
    { url: "git+https://github.com/owner/agentform.git" },
    "https://github.com/owner/agentform/blob/HEAD/docs/PAGE.md",
  ],
  [
    { url: "https://gitlab.example.com/group/tools/agentform.git" },
    "https://gitlab.example.com/group/tools/agentform/-/blob/HEAD/docs/PAGE.md",
  ],
])("of a package with the repository %j, the documents are at %s", (repository, address) => {
  expect(documentsAddress({ ...(repository !== undefined && { repository }) })).toBe(address);
});

const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(".SH X", "'br", "\\fBx", "a\\", "-x --yes", "`-x`", "`", "…", '"a" b', "~^'`", "x\n.SH Y"),
);
const line = text.map((each) => each.replaceAll(/[\0-\x1f\x7f-\x9f\u2028\u2029]/g, " "));
const block: fc.Arbitrary<HelpBlock> = fc.oneof(
  line,
  fc.record({ rows: fc.array(fc.tuple(line, line), { minLength: 1 }) }),
  fc.record({ lines: fc.array(line), file: line }),
);

test("no text of a page is a macro or an escape, whatever is in it", () => {
  fc.assert(
    fc.property(line, line, fc.array(block), (summary, usage, about) => {
      const page = renderManPage({ name: "agentform x", summary, usage, about, sections: [] }, 1, []);
      const macros = page.split("\n").filter((each) => /^[.']/.test(each));
      expect(
        macros.filter(
          (each) =>
            !/^\.(\\"|TH |SH (NAME|SYNOPSIS|DESCRIPTION|SEE ALSO)$|PP$|TP$|RS 4$|RE$|EX$|EE$)/.test(each),
        ),
      ).toEqual([]);
      expect(page).toMatch(/^[\n\x20-\x7e]*$/);
      expect(page.replaceAll(/\\(fB|fR|e|-|&|"|\((?:aq|ga|ha|ti)|\[u[\dA-F]{4,6}\])/g, "")).not.toContain(
        "\\",
      );
    }),
  );
});

wholeTest("a page is shown as it was meant, without a warning", () => {
  needProgram("mandoc", undefined, ["-T", "man"]);
  for (const text of pages.values()) {
    const warnings = mandoc(["-T", "lint", "-W", "warning"], text).split("\n");
    // A date would make other bytes of the same words.
    expect(warnings.filter((each) => each !== "" && !each.includes("missing date"))).toEqual([]);
  }
});

wholeTest("a page shows every example as it is typed", async () => {
  needProgram("mandoc", undefined, ["-T", "man"]);
  for (const { path, entry } of leafCommands()) {
    const page = pages.get(`${pageName(["agentform", ...path].join(" "))}.1`) ?? "";
    const shown = mandoc(["-T", "utf8", "-O", "width=200"], page).replaceAll(/.\u0008/g, "");
    for (const [example] of (await entry.load()).examples) expect(shown).toContain(example);
  }
});

/** Gives what mandoc says of the text of a page. */
function mandoc(options: readonly string[], text: string): string {
  return spawnSync("mandoc", options, { input: text, encoding: "utf8" }).stdout;
}
