import { describe, expect, test } from "vitest";
import { parseData, parseDocuments } from "../../../src/core/document/document.js";
import { refusedKeys } from "../../../src/core/document/inspection.js";
import { readSubset } from "../../../src/core/document/subset-reader.js";
import { scanJson } from "../../../src/json/json-scan.js";
import { evaluate } from "../../../src/core/expression/resolution.js";
import { filterMembers, type Json, type JsonObject } from "../../../src/json/json.js";
import { layOver } from "../../../src/json/merge-patch.js";
import { effort } from "../../harness/effort.js";
import { agrees } from "../../fuzz/subset-sweep.js";
import { runs } from "../../harness/tier.js";

const read = (text: string) => readSubset(text, Infinity, refusedKeys.document);

describe("what is read without the library", () => {
  test("block and flow collections, scalars of all styles, comments and several documents", () => {
    const text = String.raw`# A comment.
---
name: Support desk # and one here
"quoted key": 'it''s quoted'
escaped: "a\tb \U0001F4DA\x41 \
  joined"
list:
- 1
- -0.5
- - nested
  - a: 1
    b:
- {a: [1, "2",], 'b': {}, "c":null, d: e f}
literal: |
  # No comment

    deeper
  end

folded: >-
  one
  line

  two
plain: a text
  over lines
---
`;
    const [first, second, ...more] = read(text) ?? [];
    expect(first).toEqual({
      name: "Support desk",
      "quoted key": "it's quoted",
      escaped: "a\tb \u{1F4DA}A joined",
      list: [1, -0.5, ["nested", { a: 1, b: null }], { a: [1, "2"], b: {}, c: null, d: "e f" }],
      literal: "# No comment\n\n  deeper\nend\n",
      folded: "one line\ntwo",
      plain: "a text over lines",
    });
    expect(second).toBeNull();
    expect(more).toEqual([]);
    expect(agrees(text)).toBe(true);
  });

  test.each([
    ["an empty text", ""],
    ["comments alone", "# a\n\n# b\n"],
    ["spaces that do not break at the ends of a scalar", "a: \u00a0b\u00a0\n"],
    ["a mapping with the names of what objects inherit", "toString: 1\nvalueOf: {hasOwnProperty: 2}\n"],
    ["numbers in all usual notations", "[0, -0, 007, +1, 1., .5, -.5e3, 1e3, 9007199254740991]\n"],
    ["texts that look like numbers", "[1_000, 12:30, 2001-01-01, 1.2.3, +, -a, e3, 0b1, 1e, .e1]\n"],
    ["words that are values, and those that are not", "[~, null, Null, nULL, True, tRUE, yes, on, FALSE]\n"],
    ["keys that look like values", "null: 1\n1.0: 2\n1: 3\ntrue: 4\n~: 5\n0o17: 6\n"],
    ["blank lines around and in a literal", "a: |\n\n\n  b\n\n\n  c\n\n\nd: 1\n"],
    ["a literal at the end of the text", "a: |\n  b"],
    ["items in the column of their key", "a:\n- b\n- c:\n  - d\ne: f\n"],
    ["a bracket that closes in the column of its key", "a: [\n  b\n]\nc: {\n}\n"],
    ["comments between keys, further left", "a:\n  b: 1\n# c\n  d: 2\n"],
    ["a quoted text on several lines", "a: \"b  \n\n\n  c\\n \\\n  d\"\ne: 'f\n\n  g'\n"],
    ["ends of lines as on Windows", 'a: |\r\n  b\r\n\r\nc: "d\r\n  e\\\r\n  f"\r\n'],
    ["a text in JSON", '{\n  "a": [1, 2.5, -3e-2],\n  "b": {"c": "\\ud83d\\ude00\\/"}\n}\n'],
  ])("%s", (_, text) => {
    expect(agrees(text)).toBe(true);
  });
});

describe("what is left to the library", () => {
  test.each([
    ["anchors and aliases", "a: &b 1\nc: *b\n"],
    ["tags", "a: !!str 1\n"],
    ["directives", "%YAML 1.2\n---\na: 1\n"],
    ["explicit keys", "? a\n: b\n"],
    ["a key without a name", ": a\n"],
    ["a duplicate key", "a: 1\n'a': 2\n"],
    ["a duplicate key in a flow mapping", "{a: 1, a: 2}\n"],
    ["the key of the prototype", "__proto__: {a: 1}\n"],
    ["tabs", "a:\tb\n"],
    ["carriage returns within a line", "a: b\rc\n"],
    ["a carriage return at the end of the text", "a: b\r"],
    ["a byte order mark", "a: \ufeffb\n"],
    ["a separator of lines that only some know", "a: b\u2028c\n"],
    ["control characters", "a: b\u0007\n"],
    ["a document that is a scalar", "hello\n"],
    ["an indented document", "  a: 1\n"],
    ["the end of a document", "a: 1\n...\n"],
    ["a value on the line of a marker", "--- {a: 1}\n"],
    ["indicators of an indentation", "a: |2\n    b\n"],
    ["literals that keep all ends of lines", "a: |+\n  b\n\n"],
    ["an empty literal", "a: |\nb: 1\n"],
    ["a literal with a line of spaces", "a: |\n  b\n   \n  c\n"],
    ["a folded text with deeper lines", "a: >\n  b\n    c\n"],
    ["integers with more digits than a number has", "a: 9007199254740993\n"],
    ["numbers that are infinite", "a: [1e400]\n"],
    ["keys that a document must not have", "a: {constructor: 1}\n"],
    ["rare notations of numbers", "a: 0x1F\n"],
    ["infinity", "a: -.inf\n"],
    ["a mapping on the line of its key", "a: b: c\n"],
    ["a key over 1,000 characters", `${"a".repeat(1001)}: 1\n`],
    ["a key without a value in a flow mapping", "{a, b: 1}\n"],
    ["a pair in a flow sequence", "[a: 1]\n"],
    ["a comment without a space", 'a: "b"#c\n'],
    ["a scalar on its own line after a comment", "a:\n# b\n  c\n"],
    ["unknown escapes", 'a: "\\q"\n'],
    ["a character that there is not", 'a: "\\U00110000"\n'],
    ["an unclosed quote", "a: 'b\n"],
    ["an unclosed bracket", "a: [b\n"],
    ["an indentation that fits nothing", "a:\n    b: 1\n  c: 2\n"],
    ["a dash in a mapping", "a: 1\n- b\n"],
  ])("%s", (_, text) => {
    expect(read(text)).toBeUndefined();
  });

  test("more values than a text may have", () => {
    expect(readSubset("[1, 2, 3]\n", 3, refusedKeys.document)).toEqual([[1, 2, 3]]);
    expect(readSubset("[1, 2, 3]\n", 2, refusedKeys.document)).toBeUndefined();
  });

  test("what is wrong with a value, as only the library knows the places", () => {
    const { findings } = parseDocuments("a.yaml", "a: 1\nconstructor: 2\nb: 1e999\n");
    expect(findings.map(({ code }) => code)).toEqual(["forbidden-key", "number-not-finite"]);
  });
});

test("a text of any depth is read as deep as the library reads it, or left to it", () => {
  const shapes = [
    (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}\n`,
    (depth: number) => `${"{a: ".repeat(depth)}1${"}".repeat(depth)}\n`,
    (depth: number) => `${"- ".repeat(depth)}a\n`,
    (depth: number) => Array.from({ length: depth }, (_, level) => `${" ".repeat(level)}a:\n`).join(""),
    (depth: number) =>
      Array.from(
        { length: depth },
        (_, level) => `${" ".repeat(level)}# b\n${" ".repeat(level)}a: # c\n`,
      ).join("") + Array.from({ length: depth }, (_, level) => `${" ".repeat(level + depth)}# d\n`).join(""),
  ];
  for (const shape of shapes) {
    const taken = Array.from({ length: 130 }, (_, depth) => agrees(shape(depth + 1)));
    expect(taken.filter(Boolean).length).toBeGreaterThan(20);
  }
  expect(read("[".repeat(1_000_000))).toBeUndefined();
});

test("a long text takes no more than its share of time", () => {
  const shapes = [
    (size: number) => `a: ${"b ".repeat(size)}\n`,
    (size: number) => `a: ${" ".repeat(size)}b\n`,
    (size: number) => `a: "${" ".repeat(size)}b"\n`,
    (size: number) => `a: '${"\n ".repeat(size)}b'\n`,
    (size: number) => `a: "${"\\\\".repeat(size)}"\n`,
    (size: number) => `a: b${"\n c".repeat(size)}\n`,
    (size: number) => `a: >\n  b${"\n\n\n  c".repeat(size)}\n`,
    (size: number) => "- a\n".repeat(size),
    (size: number) => Array.from({ length: size }, (_, key) => `a${key}: 1\n`).join(""),
    (size: number) => `[${"a, ".repeat(size)}]\n`,
  ];
  const size = runs("items of a short text", 5000, 20_000);
  for (const shape of shapes) {
    expect(read(shape(1000))).toBeDefined();
    const [short, long] = [shape(size), shape(8 * size)].map((text) => effort(() => read(text)));
    expect(long ?? 0).toBeLessThan(40 * Math.max(short ?? 0, 5));
  }
});

describe("a member whose name is a number", () => {
  test("is as any other", () => {
    const text = `{"999": a, 04: b, x: c, "1.5": d}\n`;
    expect(agrees(text)).toBe(true);
    const [members = {}] = read(text) ?? [];
    const asAny = { writable: true, enumerable: true, configurable: true };
    expect(Object.getOwnPropertyDescriptor(members, "999")).toEqual({ ...asAny, value: "a" });
    expect(Object.keys(layOver({ b: 1, "7": 1 }, { a: 1, "999": 1 }) as object)).toEqual([
      "7",
      "999",
      "a",
      "b",
    ]);
  });

  const made: [string, (key: string) => Json][] = [
    ["read without the library", (key) => read(`{"${key}": 1}\n`)?.[0] ?? null],
    ["read with it", (key) => parseData("a.yaml", `{"${key}": !!int 1}\n`).value],
    [
      "with an expression filled in",
      (key) => evaluate(JSON.parse(`{"${key}": "a"}`) as Json, () => undefined),
    ],
    ["without another", (key) => filterMembers({ [key]: 1, other: 2 }, (each) => each === key)],
    ["laid over another", (key) => layOver({ other: 1 }, { [key]: 1, other: null })],
  ];
  test.each(made)("%s takes as much to go through", (_, make) => {
    const [numbered = 0, named = 0] = ["999", "a"].map((key) => {
      const objects = Array.from({ length: 4000 }, () => make(key) as JsonObject);
      return effort(() => {
        for (let round = 0; round < 10; round++) for (const each of objects) Object.keys(each);
      });
    });
    expect(numbered).toBeLessThan(10 * Math.max(named, 5));
  });
});

describe("JSON files", () => {
  test.each([
    '{"a": [1, -0, 1e3, "b", null, true], "c": {}}',
    '{"a": 1, "a": 2}',
    '{"a": {"__proto__": 1}}',
    '{"a": 12345678901234567890}',
    '{"a": -9223372036854776000}',
    '{"a": 1e400}',
    '{"a": "b:c", "d\\"": "e"}',
    '{"<<": 1, "constructor": 2}',
    `${"[".repeat(101)}${"]".repeat(101)}`,
    "[1,]",
    "",
    '"a"',
  ])("%s is refused or read as by a scan of its whole text", (text) => {
    const problem = scanJson(text);
    const { value, findings } = parseData("a.json", text);
    expect(findings.map(({ code }) => code)).toEqual(problem ? [problem.code] : []);
    expect(value).toEqual(problem ? null : JSON.parse(text));
  });
});
