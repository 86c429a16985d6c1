import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commands } from "../../../src/cli/commands.js";
import { commandPage, groupTitles, programPage } from "../../../src/cli/help/command-page.js";
import { renderPageText } from "../../../src/cli/help/page-text.js";
import type { Page } from "../../../src/cli/help/page.js";
import { topicPage, topics } from "../../../src/cli/help/topics.js";
import { fc } from "../../harness/property.js";
import { leafCommands } from "../../docs/command-reference.js";
import { runIn } from "../desk.js";

// Help needs neither a workspace nor a home: this folder does not exist, and the environment is empty.
const nowhere = "/nonexistent/folder";
const help = (...args: readonly string[]) => runIn(nowhere, args);

const leaves = leafCommands();
const parents = commands.filter((entry) => "commands" in entry);

describe("the help of the program", () => {
  test("has every command in its group, and every topic", async () => {
    const { code, out, err } = await help("--help");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const titles = out.split("\n").filter((line) => /^\S.*:$/.test(line));
    expect(titles).toEqual(
      [...Object.values(groupTitles), "Topics", "Options", "Learn more"].map((title) => `${title}:`),
    );
    for (const { name } of [...commands, ...topics]) expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
  });

  test("is the same by all ways, and without a command it ends with 64", async () => {
    const { out } = await help("--help");
    expect(await help("help")).toEqual({ code: 0, out, err: "" });
    expect(await help("-h")).toEqual({ code: 0, out, err: "" });
    expect(await help()).toEqual({ code: 64, out, err: "" });
  });

  test("has the commands of a group of the list beside each other", () => {
    const order = Object.keys(groupTitles);
    const groups = commands.map(({ group }) => order.indexOf(group));
    expect(groups).toEqual(groups.toSorted((a, b) => a - b));
  });
});

describe("the help of a command", () => {
  test.each(leaves)(
    "$path has what it does, its options, examples and documents",
    async ({ path, entry }) => {
      const { code, out, err } = await help(...path, "--help");
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(await help("help", ...path)).toEqual({ code: 0, out, err: "" });
      const { about, examples, documents } = await entry.load();
      expect(out.startsWith(`Usage: agentform ${path.join(" ")}`)).toBe(true);
      expect(about).toMatch(/^[A-Z`].*$/);
      expect(examples.length).toBeGreaterThanOrEqual(2);
      expect(examples.length).toBeLessThanOrEqual(3);
      for (const [line, does] of examples) {
        expect(out).toContain(`    # ${does}\n    ${line}\n`);
        expect(line).toContain("agentform ");
      }
      expect(documents.filter((file) => !existsSync(join("docs", file)))).toEqual([]);
      expect(documents.length).toBeGreaterThan(0);
      expect(out).toContain("\nOptions of every command:\n");
    },
  );

  test.each(parents)("$name lists the commands after it", async ({ name, commands }) => {
    const { code, out } = await help(name, "--help");
    expect(code).toBe(0);
    for (const { name } of commands) expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
    expect(await help("help", name)).toEqual({ code: 0, out, err: "" });
    expect(await help(name)).toEqual({ code: 64, out, err: "" });
  });

  test.each([
    [["plan", "--bogus", "--help"]],
    [["plan", "--format", "xml", "-h"]],
    [["plan", "--format", "--help"]],
    [["--help", "plan"]],
    [["-C", "somewhere", "plan", "--help"]],
    [["plan", "agent:support", "--help"]],
    [["help", "plan", "--help"]],
  ])("%j shows that of plan, whatever else is on the line", async (args) => {
    const { out } = await help("help", "plan");
    expect(await help(...args)).toEqual({ code: 0, out, err: "" });
  });

  test("of a command of two words is found by them in any form", async () => {
    const { out } = await help("help", "lock", "show");
    expect(out).toContain("Usage: agentform lock show ");
    expect(await help("lock", "help", "show")).toEqual({ code: 0, out, err: "" });
    expect(await help("lock", "show", "agent:support", "--help")).toEqual({ code: 0, out, err: "" });
  });

  test("is not asked for after `--`", async () => {
    expect(await help("plan", "--", "--help")).toMatchObject({ code: 64, out: "" });
  });
});

describe("a topic", () => {
  test.each(topics)("$name is a short text", async ({ name, summary }) => {
    const { code, out, err } = await help("help", name);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out.toLowerCase()).toContain(summary.toLowerCase());
    const lines = out.split("\n").length;
    expect(lines).toBeGreaterThanOrEqual(20);
    expect(lines).toBeLessThanOrEqual(60);
  });
});

describe("the width", () => {
  test("no line of any page is wider than 80 columns", async () => {
    for (const page of await allPages()) {
      const wide = renderPageText(page, 300)
        .split("\n")
        .filter((line) => line.length > 80);
      expect(wide, page.name).toEqual([]);
    }
  });

  test("a narrow terminal gets narrow lines, and the same words", async () => {
    const pages = await allPages();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 90 }), fc.constantFrom(...pages), (columns, page) => {
        const text = renderPageText(page, columns);
        expect(words(text)).toEqual(words(renderPageText(page)));
        const kept = new Set(page.sections.flatMap(({ blocks }) => blocks.flatMap(linesOf)));
        const wide = text
          .split("\n")
          .filter(
            (line) =>
              line.length > Math.max(30, columns) && !kept.has(line.trim()) && line.trim().includes(" "),
          );
        expect(wide).toEqual([]);
      }),
    );
  });
});

async function allPages(): Promise<Page[]> {
  return await Promise.all([
    programPage(commands),
    ...parents.map((entry) => commandPage([entry.name], entry)),
    ...leaves.map(({ path, entry }) => commandPage(path, entry)),
    ...topics.map(topicPage),
  ]);
}

function linesOf(block: Page["about"][number]): string[] {
  if (typeof block === "string") return [];
  const lines = "rows" in block ? block.rows.map(([term]) => term) : [...block.lines, `${block.file}:`];
  return lines.map((line) => line.trim());
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
