import { expect, test } from "vitest";
import { fits } from "../../src/editor/occurrence.js";
import { fc } from "../harness/property.js";

const part = fc.constantFrom("", "a", "b", "ab", "a-b");

test("a key fits a key with parameters if something can be put in the place of each", () => {
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 2, maxLength: 4 }),
      fc.stringMatching(/^[ab-]{0,8}$/),
      (parts, name) => {
        const pattern = new RegExp(`^${parts.join("[^]+")}$`);
        expect(fits(name, parts.join("${each:x}"))).toBe(pattern.test(name));
      },
    ),
  );
});

test("a key fits itself, with parameters too", () => {
  expect(fits("a", "a")).toBe(true);
  expect(fits("a", "b")).toBe(false);
  expect(fits("${each:x}", "${each:x}")).toBe(true);
});

test("a key with many parameters takes no longer than its length", () => {
  const form = `${"${each:key}".repeat(40)}z`;
  expect(fits("a".repeat(5000), form)).toBe(false);
  expect(fits(`${"a".repeat(5000)}z`, form)).toBe(true);
});
