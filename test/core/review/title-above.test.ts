import { expect, test } from "vitest";
import { titlesAbove } from "../../../src/core/review/title-above.js";

test.each<[string, string, readonly string[]]>([
  ["a heading", "# Never\n\n- x", ["# Never"]],
  ["a heading with its parents", "# Desk\n## Never\n### Calls\n- x", ["# Desk", "## Never", "### Calls"]],
  ["an underlined heading above a list", "Never\n=====\n\n- a\n- x", ["Never"]],
  ["two underlined headings", "Never\n-----\n- a\n\nAllowed\n-------\n- x", ["Allowed"]],
  ["a rule below a title", "Never do this\n\n***\n- x", ["Never do this"]],
  ["a number above points", "1. Never\n- a\n2. Allowed\n- x", ["2. Allowed"]],
  ["a point above others", "- Never:\n  - a\n- Allowed:\n  - x", ["- Allowed:"]],
  ["a fence below a title", "Allowed\n```\n- x", ["Allowed"]],
  ["a part in bold", "# Desk\n**Never**\nx", ["# Desk", "**Never**"]],
  ["a tag", "<never>\nx", ["<never>"]],
  ["a tag with attributes", '<rules kind="never">\na\nx', ['<rules kind="never">']],
  ["a heading of HTML", "<h2>Never</h2>\na\nx", ["<h2>Never</h2>"]],
  ["a title in square brackets", "[NEVER]\na\nx", ["[NEVER]"]],
  ["what goes on below an item", "- Never:\n  a\n- Allowed:\n  a\n  x", ["- Allowed:"]],
  ["a list with other signs", "NEVER\n✗ a\n✗ x", ["NEVER"]],
  ["a list with dashes", "NEVER\n– a\n– x", ["NEVER"]],
  ["a list with letters", "NEVER\na) a\nb) x", ["NEVER"]],
  ["a heading of signs alone", "# ✅\n- a\n# ❌\n- x", ["# ❌"]],
  ["a tag that ends above", "# Desk\n<never>\n## Calls\n- a\n</never>\nx", ["# Desk", "## Calls"]],
  ["a tag around headings", "# Desk\n<never>\n# Calls\n## By day\nx", ["<never>", "# Calls", "## By day"]],
  ["a tag around a part in bold", "<never>\n**Calls**\nx", ["<never>", "**Calls**"]],
  ["a heading of HTML above another", "<h2>Never</h2>\n# Allowed\nx", ["# Allowed"]],
  ["a tag around one that ends", "<rules>\n<never>\n- a\n</never>\nx", ["<rules>"]],
  ["a tag that begins again", "<never>\na</never>\n<never>\nx", ["<never>"]],
  [
    "a long line above a list",
    `Hi:\n${"a ".repeat(600)}:\n- x`,
    [`${"a ".repeat(250)} … ${" a".repeat(249)} :`],
  ],
  ["no tag that ends, no link and no box", "</never>\n[a](b)\n- [ ] a\nx", []],
  ["nothing", "a\nb\nx", []],
])("of %s", (_, text, titles) => {
  const lines = text.split("\n");
  expect(titlesAbove(lines, lines.length - 1)).toEqual(titles);
});
