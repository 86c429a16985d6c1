import { expect, test } from "vitest";
import { renderCommandReference, renderCommandTable } from "./command-reference.js";
import { markedPart } from "./marked-part.js";

const begin =
  "<!-- begin: the command line's own words, written by UPDATE_GOLDEN=1 npx vitest run test/docs -->";

test("docs/reference/cli.md has every command and option as the command line itself describes them", async () => {
  const current = await renderCommandReference();
  expect(current).toContain("`--detailed-exitcode`");
  expect(markedPart("docs/reference/cli.md", begin, current)).toBe(current);
});

test("the README lists the commands that there are", () => {
  const current = renderCommandTable();
  expect(current).toContain("| `apply` |");
  expect(markedPart("README.md", begin, current)).toBe(current);
});
