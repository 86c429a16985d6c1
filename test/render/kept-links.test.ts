import { expect, test } from "vitest";
import { linkedCode } from "../../src/render/diagnostics/diagnostics-text.js";
import { deadText, linksTo } from "../../src/render/words/log-text.js";

const page = "file://host/a.b/diagnostics.html";
const links = linksTo(page);

test("a link of a code stays, and its visible text is the code", () => {
  const text = linkedCode("yaml-syntax", page);
  expect(deadText(text, links)).toBe(text);
  expect(deadText(text)).toContain("\\x1b]8;;");
});

test("only codes of the table are links", () => {
  expect(linkedCode("constructor", page)).toBe("constructor");
  expect(linkedCode("a\u001b]8;;x", page)).toBe("a\\x1b]8;;x");
});

test.each([
  "\u001b]8;;https://example.net\u001b\\",
  `\u001b]8;;${page}\u001b\\`,
  `\u001b]8;;${page.replace("a.b", "axb")}#yaml-syntax\u001b\\`,
  `\u001b]8;;${page}#yaml-syntax\u0007`,
  `\u001b]8;;${page}#yaml-syntax/../x\u001b\\`,
  `\u001b]8;id=1;${page}#yaml-syntax\u001b\\`,
])("no other link stays: %j", (text) => {
  expect(deadText(text, links)).not.toContain("\u001b");
});
