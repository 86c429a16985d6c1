import { expect, test } from "vitest";
import { inCode } from "../../src/core/finding/quotation.js";
import { codeParts } from "../../src/render/words/code-parts.js";
import { prose } from "../../src/render/markdown/markdown-text.js";
import { fc } from "../harness/property.js";
import { htmlOf } from "./markdown-html.js";

const value = fc
  .array(fc.constantFrom("`", "``", "```", " ", "a", "b", ". ", ", ", "("), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join(""));

test("a value in backticks is one piece of code, whatever it holds", () => {
  fc.assert(
    fc.property(value, value, (before, after) => {
      const sentence = `changes from ${inCode(before)} to ${inCode(after)}, which may weaken it`;
      const quoted = codeParts(sentence).filter(({ isCode }) => isCode);
      expect(quoted.map(({ text }) => text)).toEqual([before, after]);
      const words = htmlOf(prose(sentence)).replace(/<code>.*?<\/code>/gs, "…");
      expect(words).toBe("<p>changes from … to …, which may weaken it</p>");
    }),
  );
});

test("a backtick without a partner is an ordinary character", () => {
  expect(codeParts("a ` b").map(({ text }) => text)).toEqual(["a ` b"]);
  expect(codeParts("a `` b ` c").map(({ text }) => text)).toEqual(["a `` b ` c"]);
});
