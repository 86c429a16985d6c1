import { expect, test } from "vitest";
import { readExplanations } from "../../scripts/texts.mjs";
import { fillTemplate } from "../../src/cli/init/filled-template.js";

const whole = "### `code-a`\n\nIt is wrong.\n\nHere\nas there.\n\n**What to do:** Mend it.\n";

test("a code has its meaning, more about it, and what to do", () => {
  const { diagnostics, notes } = readExplanations(
    `${whole}\n## The notes of a plan\n\n### \`code-b\`\n\n(weakens) It is less.\n\n**What to do:** See.\n`,
  );
  expect(diagnostics).toEqual([
    {
      code: "code-a",
      meaning: "It is wrong.",
      about: "Here as there.",
      fix: "Mend it.",
      parts: [],
      marks: "",
    },
  ]);
  expect(notes).toEqual([
    { code: "code-b", effect: "weakens", meaning: "It is less.", fix: "See.", parts: [], marks: "" },
  ]);
});

test.each([
  ["### `code-a`\n\nIt is wrong.\n", "does not say what `code-a` means, or what to do"],
  ["### `code-a`\n\n**What to do:** Mend it.\n", "does not say what `code-a` means, or what to do"],
  [`${whole}\n${whole}`, "explains `code-a` twice"],
  [`${whole}\n\`\`\`yaml\nspec: {}\n\`\`\`\n`, "other than labelled files in the example of `code-a`"],
])("a page that lacks something is refused by the build: %j", (text, message) => {
  expect(() => readExplanations(text)).toThrow(message);
});

test("a template is filled with texts, lines and choices", () => {
  const template =
    "a: <<name>>\n<<if on>>\nb: 1\n<<end>>\n<<if off>>\nc: 1\n<<end>>\nd:\n  <<lines>>\n  <<none>>\ne: ${{ x }} <<EOF\n";
  const values = { name: "$& <<lines>>", on: true, off: false, lines: ["- 1", "- 2"], none: [] };
  expect(fillTemplate(template, values)).toBe("a: $& <<lines>>\nb: 1\nd:\n  - 1\n  - 2\ne: ${{ x }} <<EOF\n");
  expect(() => fillTemplate("<<other>>", values)).toThrow("a template asks for `other`");
});
