import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderCommandReference, renderCommandTable } from "./command-reference.js";

const begin =
  "<!-- begin: the command line's own words, written by UPDATE_GOLDEN=1 npx vitest run test/docs -->";
const end = "<!-- end -->";

/** Gives the part between the marks, after putting another in its place where goldens are to be updated. */
function marked(file: string, current: string): string {
  const text = readFileSync(file, "utf8");
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  expect(from, `${file} has the marks`).toBeGreaterThan(begin.length - 1);
  expect(to).toBeGreaterThan(from);
  if (process.env.UPDATE_GOLDEN === "1") {
    writeFileSync(file, `${text.slice(0, from)}\n\n${current}\n\n${text.slice(to)}`);
    return current;
  }
  return text.slice(from, to).trim();
}

test("docs/cli.md has every command and option as the command line itself describes them", async () => {
  const current = await renderCommandReference();
  expect(current).toContain("`--detailed-exitcode`");
  expect(marked("docs/cli.md", current)).toBe(current);
});

test("the README lists the commands that there are", () => {
  const current = renderCommandTable();
  expect(current).toContain("| `apply` |");
  expect(marked("README.md", current)).toBe(current);
});
