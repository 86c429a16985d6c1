import { expect, test } from "vitest";
import type { FieldsByKind } from "../../src/core/kind/extra-fields.js";
import type { ParsedFile } from "../../src/core/resources/parsed-file.js";
import { ParsedOnce } from "../../src/workspace/parsed-once.js";

test("of hundreds of environments, what only one has is kept for the last of them alone", () => {
  const parsed = new ParsedOnce();
  const kindFields = {} as FieldsByKind;
  const names = Array.from({ length: 200 }, (_, index) => `e${index}`);
  for (const name of names) {
    const there = parsed.in(name, kindFields);
    there.keep(name, {} as ParsedFile);
    there.settle();
  }
  const last = parsed.in("e199", kindFields);
  const found = names.filter((name) => last.get(name, () => true) !== undefined);
  expect(found).toContain("e199");
  expect(found).toContain("e190");
  expect(found.length).toBeLessThan(50);
});
