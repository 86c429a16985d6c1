import { expect, test } from "vitest";
import { error, type Place } from "../../../src/core/finding/diagnostic.js";
import { locate } from "../../../src/core/position/position.js";

function at(text: string, place: Omit<Place, "file">): (number | undefined)[] {
  const [located] = locate([error("yaml-syntax", { file: "a.yaml", ...place }, "m")], () => ({
    text,
    quotable: false,
  }));
  return [located?.line, located?.column, located?.end_line, located?.end_column];
}

const text = `a: 1
b:
  - {c: "x"}
  - d: y
---
a: second
`;

test.each([
  [{ document: 0, path: ["a"] }, [1, 4, 1, 5]],
  [{ document: 0, path: ["a"], key: true }, [1, 1, 1, 2]],
  [{ document: 0, path: ["b"] }, [2, 1, 2, 2]],
  [{ document: 0, path: ["b", 0, "c"] }, [3, 9, 3, 12]],
  [{ document: 0, path: ["b", 1] }, [4, 5, undefined, undefined]],
  [{ document: 0, path: ["b", 1, "d", "deeper", 3] }, [4, 8, 4, 9]],
  [{ document: 1, path: ["a"] }, [6, 4, 6, 10]],
  [{ document: 0, path: [] }, [1, 1, undefined, undefined]],
  [{ offset: 5 }, [2, 1, undefined, undefined]],
  [{ offset: 5, expression: "b:" }, [2, 1, 2, 3]],
  [{ offset: 10_000 }, [7, 1, undefined, undefined]],
  [{ document: 7, path: ["a"] }, [undefined, undefined, undefined, undefined]],
])("%j is at %j", (place, expected) => {
  expect(at(text, place)).toEqual(expected);
});

test("an expression is found where it counts, and not where it is escaped", () => {
  const place = { document: 0, path: ["a"], expression: "${var:x}" };
  expect(at("a: $${var:x} ${var:x}", place)).toEqual([1, 14, 1, 22]);
  expect(at('a: "\\u0041 ${var:x}"', place)).toEqual([1, 12, 1, 20]);
  expect(at("a: |\n  one\n\n    two ${var:x}\n", place)).toEqual([4, 9, 4, 17]);
});

test("an expression whose source is spelt otherwise is found by its scheme", () => {
  const place = { document: 0, path: ["a"], expression: '${file:a"b}' };
  expect(at('a: "x ${file:a\\"b}"', place).slice(0, 2)).toEqual([1, 7]);
});

test("an expression of an alias is at its anchor, another problem at the alias", () => {
  const aliased = "a: &a x ${var:x}\nb: *a\n";
  expect(at(aliased, { document: 0, path: ["b"], expression: "${var:x}" })).toEqual([1, 9, 1, 17]);
  expect(at(aliased, { document: 0, path: ["b"] })).toEqual([2, 4, 2, 6]);
});

test("columns count UTF-16 code units", () => {
  expect(at("a: 🤖 ${var:x}", { document: 0, path: ["a"], expression: "${var:x}" })).toEqual([1, 7, 1, 15]);
});

test("diagnostics are sorted by file and place, and told once", () => {
  const places = [
    { file: "b", offset: 0 },
    { file: "a", offset: 9 },
    { file: "a", offset: 2 },
    { file: "a", offset: 2 },
  ];
  const located = locate(
    places.map((place) => error("yaml-syntax", place, "m")),
    () => ({ text: "0\n2\n4\n6\n8\n0", quotable: true }),
  );
  expect(located.map(({ file, line }) => [file, line])).toEqual([
    ["a", 2],
    ["a", 5],
    ["b", 1],
  ]);
});

test("a file that cannot be read still has its name", () => {
  const [located] = locate([error("file-missing", { file: "a", offset: 3 }, "m")], () => undefined);
  expect(located).toEqual({ code: "file-missing", severity: "error", message: "m", file: "a" });
});
