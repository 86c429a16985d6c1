import { expect, test } from "vitest";
import { parseLongJson } from "../../../src/core/state/long-json.js";
import type { StateText } from "../../../src/core/state/state-text.js";
import { canonical, type JsonObject } from "../../../src/json/json.js";
import { canonicalPieces, jsonPieces } from "../../../src/json/json-pieces.js";
import { parseJson } from "../../../src/json/parse-json.js";
import { examples, fc } from "../../harness/property.js";

const values = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })) as fc.Arbitrary<JsonObject>;

const indented = (value: JsonObject) => `${[...jsonPieces(value)].join("")}\n`;

/** The same text, as if it were too long for a string. */
function onDisk(text: string): StateText {
  return {
    length: text.length,
    indexOf: (part, from) => text.indexOf(part, from),
    startsWith: (part, at) => text.startsWith(part, at),
    slice: (from, to) => text.slice(from, to),
  };
}

test("the pieces are those of the whole text", () => {
  fc.assert(
    fc.property(values, (value) => {
      expect(indented(value)).toBe(`${JSON.stringify(value, null, 2)}\n`);
      expect([...canonicalPieces(value)].join("")).toBe(canonical(value));
    }),
  );
});

test("no piece is longer than an entry", () => {
  const value = { all: Array.from({ length: 1000 }, () => "x".repeat(1000)), one: { a: "y", b: "z" } };
  for (const piece of [...jsonPieces(value), ...canonicalPieces(value)]) {
    expect(piece.length).toBeLessThan(1100);
  }
});

test("what was written in pieces is read in pieces", () => {
  fc.assert(
    fc.property(values, (value) => {
      const text = indented(value);
      fc.pre(Object.keys(value).length > 0);
      expect(parseLongJson(onDisk(text))?.value).toEqual(JSON.parse(text));
    }),
  );
});

test("a text that was changed is read as it is, or not at all", () => {
  const edits = fc.tuple(
    fc.nat(),
    fc.nat({ max: 3 }),
    fc.constantFrom("", ",", "\n", "{", "}", "[", "]", '"', ": ", "  ", "1"),
  );
  fc.assert(
    fc.property(values, edits, (value, [place, cut, added]) => {
      const text = indented(value);
      const at = place % text.length;
      const changed = text.slice(0, at) + added + text.slice(at + cut);
      const read = parseLongJson(onDisk(changed));
      if (read !== undefined) expect(read.value).toEqual(parseJson(changed).value);
    }),
    { numRuns: examples(2000) },
  );
});
