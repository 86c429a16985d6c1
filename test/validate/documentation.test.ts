import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { renderCodeReference } from "../docs/code-reference.js";

const file = fileURLToPath(new URL("../../docs/diagnostics.md", import.meta.url));

test("docs/diagnostics.md has every code as it is explained; UPDATE_GOLDEN=1 writes it", () => {
  const reference = renderCodeReference();
  const text = readFileSync(file, "utf8");
  const expected = text.replace(
    /<!-- codes -->\n[^]*<!-- \/codes -->/,
    () => `<!-- codes -->\n${reference}\n<!-- /codes -->`,
  );
  if (process.env.UPDATE_GOLDEN === "1") writeFileSync(file, expected);
  else expect(text).toBe(expected);
  expect(expected).toContain(reference);
});
