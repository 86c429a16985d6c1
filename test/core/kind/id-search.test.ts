import { expect, test } from "vitest";
import { IdSearch } from "../../../src/core/kind/id-search.js";
import type { Json } from "../../../src/json/json.js";
import { examples, fc } from "../../harness/property.js";

const found = (ids: readonly string[], value: Json) => [...new IdSearch(ids).in(value)];

test("an ID is found as a text, a key, or a part of a longer text", () => {
  const id = "66f1c09a4be0";
  for (const value of [id, [{ a: id }], { [id]: 1 }, `see https://x/${id}?y`, `${id}${id}`]) {
    expect(found([id, "other-id"], value)).toEqual([id]);
  }
  expect(found([id], { a: id.slice(1), b: id.toUpperCase() })).toEqual([]);
});

test("capitals mean nothing in a long hexadecimal ID, and only there", () => {
  const [hexadecimal, other] = ["66f1c09a4be066f1c09a4be0", "toolset-66f1c09a4be0"];
  for (const value of [
    "66F1C09A4BE066F1c09a4be0",
    { a: "x66F1C09A4BE066F1C09A4BE0Z" },
    { "66F1C09A4BE066F1C09A4BE0": 1 },
  ])
    expect(found([hexadecimal, other], value)).toEqual([hexadecimal]);
  expect(found([hexadecimal.toUpperCase()], `see ${hexadecimal}`)).toEqual([hexadecimal.toUpperCase()]);
  const both = [hexadecimal, hexadecimal.toUpperCase()];
  expect(found(both, `see ${hexadecimal}`)).toEqual(both);
  expect(found([hexadecimal, other], [other.toUpperCase(), `see ${other.toUpperCase()}`])).toEqual([]);
});

test("a number or a short text is an ID only where it is all of a value", () => {
  expect(found(["7", "ab"], { prompt: "7 of ab", priority: 7 })).toEqual([]);
  expect(found(["7", "ab"], { policy_id: 7, tools: ["ab"] }).toSorted()).toEqual(["7", "ab"]);
  expect(found(["1234567"], { prompt: "call 1234567", phone: 1234567 })).toEqual([]);
});

test("an ID is found however deep it is", () => {
  const value = JSON.parse(`${"[".repeat(100_000)}"66f1c09a4be0"${"]".repeat(100_000)}`) as Json;
  expect(found(["66f1c09a4be0"], value)).toEqual(["66f1c09a4be0"]);
});

test("it finds what a search for each alone would find", () => {
  const id = fc.stringMatching(/^[a-c]{6,8}$/);
  fc.assert(
    fc.property(fc.array(id, { maxLength: 5 }), fc.stringMatching(/^[a-d]{0,40}$/), (ids, text) => {
      expect(found(ids, { text }).toSorted()).toEqual(
        [...new Set(ids)].filter((each) => text.includes(each)).toSorted(),
      );
    }),
    { numRuns: examples(500) },
  );
});
