import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { codes } from "../../src/core/finding/diagnostic.js";

const file = fileURLToPath(new URL("../../docs/diagnostics.md", import.meta.url));

test("docs/diagnostics.md has every code with its meaning; UPDATE_GOLDEN=1 writes it", () => {
  const rows = Object.entries(codes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  const table = ["| code | meaning |", "|---|---|", ...rows].join("\n");
  const text = readFileSync(file, "utf8");
  const expected = text.replace(
    /<!-- codes -->\n[^]*<!-- \/codes -->/,
    () => `<!-- codes -->\n${table}\n<!-- /codes -->`,
  );
  if (process.env.UPDATE_GOLDEN === "1") writeFileSync(file, expected);
  else expect(text).toBe(expected);
  expect(expected).toContain(table);
});
