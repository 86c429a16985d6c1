import { describe, expect, test } from "vitest";
import { parseData, parseDocuments } from "../../../src/core/document/document.js";

function found(text: string) {
  return parseDocuments("a.yaml", text).findings.map(({ code, place }) => [
    code,
    place?.offset ?? place?.path,
  ]);
}

describe("documents", () => {
  test("a file gives its documents with their indexes, empty ones left out", () => {
    expect(parseDocuments("a.yaml", "a: 1\n---\n---\n# nothing\n---\nb: 2\n").value).toEqual([
      { file: "a.yaml", index: 0, value: { a: 1 } },
      { file: "a.yaml", index: 3, value: { b: 2 } },
    ]);
    expect(parseDocuments("a.yaml", "").value).toEqual([]);
  });

  test.each(["", "---\n"])("a file has 10,000 documents at most, with %j before the first", (head) => {
    const documents = (count: number) => head + Array.from({ length: count }, () => "a: 1\n").join("---\n");
    expect(parseDocuments("a.yaml", documents(10_000)).value).toHaveLength(10_000);
    const { value, findings } = parseDocuments("a.yaml", documents(10_001));
    expect(value).toEqual([]);
    expect(findings.map(({ code }) => code)).toEqual(["too-many-documents"]);
  });

  test("a broken document leaves the others, and its text for whom it may concern", () => {
    const { value, broken } = parseDocuments("a.yaml", "a: 1\n---\nname: [\n---\nc: 3\n");
    expect(value.map(({ index }) => index)).toEqual([0, 2]);
    expect(broken.join()).toContain("name: [");
  });

  test("the core schema of YAML 1.2 is read, whatever the file says", () => {
    for (const head of ["", "%YAML 1.1\n---\n"]) {
      expect(
        parseDocuments("a.yaml", `${head}[yes, no, on, true, ~, 0o17, 017, 1_000, 12:30, 2001-01-01]`).value,
      ).toMatchObject([{ value: ["yes", "no", "on", true, null, 15, 17, "1_000", "12:30", "2001-01-01"] }]);
    }
  });

  test("one break of the syntax is one finding, at the place where something is left open", () => {
    expect(found('a: "b\nc: [1, 2\nd: e')).toEqual([["yaml-syntax", 3]]);
    expect(found("a: [1, 2\nb: {c: [d\n")).toEqual([["yaml-syntax", 3]]);
  });

  test("keys that stand twice are each told, before a break of the syntax", () => {
    expect(found("a: 1\na: 2\nb: 1\nb: 2\n")).toEqual([
      ["yaml-duplicate-key", 5],
      ["yaml-duplicate-key", 15],
    ]);
    expect(found("a: 1\na: 2\nc: [\nd: 1\nd: 2")).toEqual([
      ["yaml-duplicate-key", 5],
      ["yaml-syntax", 13],
    ]);
  });

  test.each([
    "1e3",
    "1.0",
    "0x10",
    "010",
    "0o17",
    "-0",
    "+1",
    ".5",
    ".inf",
    "null",
    "~",
    "True",
    "200",
    "no",
  ])("the key %s is its text", (key) => {
    const value = { [key]: 1, "1": 2 };
    expect(parseDocuments("a.yaml", `${key}: 1\n1: 2\n`).value).toMatchObject([{ value }]);
    expect(parseData("a.yaml", `{? ${key} : 1, &a 1: 2}`).value).toEqual(value);
    expect(found(`${key}: 1\n${key}: 2\n`).map(([code]) => code)).toEqual(["yaml-duplicate-key"]);
    expect(found(`${key}: &a 12345678901234567\n`)).toEqual([["integer-too-large", [key]]]);
  });

  test("a key of which nothing is written is the empty text", () => {
    expect(parseDocuments("a.yaml", "{: 1, a: 2}").value).toMatchObject([{ value: { "": 1, a: 2 } }]);
    expect(parseDocuments("a.yaml", '!!str 1.0: 1\n"2.0": 2\n').value).toMatchObject([
      { value: { "1.0": 1, "2.0": 2 } },
    ]);
  });

  test("tags of other schemas are refused", () => {
    for (const tag of ["!!binary aGk=", "!!set {a}", "!!timestamp 2001-01-01", "!!omap [a: 1]", "!mine x"]) {
      expect(found(`a: ${tag}`)).toEqual([["yaml-tag", 3]]);
    }
    expect(parseDocuments("a.yaml", "a: !!str 5").value[0]?.value).toEqual({ a: "5" });
  });

  test("an alias inside its own value ends", () => {
    expect(found("a: &a [*a, {b: *a}]").map(([code]) => code)).toEqual([
      "yaml-alias-limit",
      "yaml-alias-limit",
    ]);
  });

  test("integers are refused where digits would be lost, and only there", () => {
    expect(found("[9007199254740991, 9007199254740993, 1e20, 9007199254740993.0]")).toEqual([
      ["integer-too-large", [1]],
    ]);
  });

  test.each(["9007199254740992", "-9223372036854776000", "+9223372036854776000", "0x20000000000000"])(
    "the integer %s is written back as it is, and accepted",
    (integer) => {
      expect(found(`[${integer}]`)).toEqual([]);
      expect(parseData("a.yaml", `maximum: ${integer}`).findings).toEqual([]);
    },
  );

  test.each(["-9223372036854775808", "9223372036854775807", "0x7fffffffffffffff", "1000000000000000000001"])(
    "the integer %s would be sent as another, and is refused with a hint that keeps its type",
    (integer) => {
      const { findings } = parseData("a.yaml", `maximum: ${integer}`);
      expect(findings.map(({ code }) => code)).toEqual(["integer-too-large"]);
      expect(findings[0]?.hint).not.toContain("quote it");
    },
  );

  test("only a key `<<` without quotes would merge", () => {
    const [parsed] = parseDocuments("a.yaml", "'<<': 1\na: {\"<<\": {b: <<}}\n").value;
    expect(parsed?.value).toEqual({ "<<": 1, a: { "<<": { b: "<<" } } });
    expect(found("a: {'<<': 1, b: {<<: 2}}\n").map(([code]) => code)).toEqual(["yaml-tag"]);
  });

  test("merge markers need all three kinds of line", () => {
    expect(found("a: |\n  x\n<<<<<<< HEAD\n=======\n>>>>>>> b\n")).toEqual([["merge-conflict", 9]]);
    expect(parseDocuments("a.yaml", "a: |\n  <<<<<<< HEAD\n  =======\n  >>>>>>> b\n").findings).toEqual([]);
  });
});

describe("included data", () => {
  test("JSON is read as JSON", () => {
    expect(parseData("a.json", '{\n\t"constructor": 1, "<<": 2, "n": 1e20}')).toEqual({
      value: { constructor: 1, "<<": 2, n: 1e20 },
      findings: [],
    });
  });

  test("an integer beyond 2^53 is accepted in JSON where it is written back digit for digit", () => {
    const text = '{"minimum":-9223372036854776000,"maximum":9223372036854776000}';
    const { value, findings } = parseData("a.json", text);
    expect(findings).toEqual([]);
    expect(JSON.stringify(value)).toBe(text);
  });

  test.each([
    ["{'a': 1}", "file-syntax", 1],
    ['{"a": 1,}', "file-syntax", 8],
    ["", "file-syntax", 0],
    ["[1] [2]", "file-syntax", 4],
    ['["a\nb"]', "file-syntax", 1],
    ['{"a": 01}', "file-syntax", 7],
    ['{"a": {"b": 1, "b": 2}}', "yaml-duplicate-key", 15],
    ['{"a": 1, "\\u0061": 2}', "yaml-duplicate-key", 9],
    ['{"__proto__": 1}', "forbidden-key", 1],
    ["[1, 12345678901234567890]", "integer-too-large", 4],
    ["[1e999]", "number-not-finite", 1],
    [`${"[".repeat(101)}${"]".repeat(101)}`, "too-deep", 100],
  ])("%s is refused at its place", (text, code, offset) => {
    const { findings } = parseData("a.json", text);
    expect(findings.map((finding) => [finding.code, finding.place?.offset])).toEqual([[code, offset]]);
  });

  test("no finding quotes what is in the file", () => {
    const texts = [
      "private: [",
      "private: 1\nprivate: 2",
      "private: !private 1",
      "{private: *private}",
      "private\n---\nprivate",
    ];
    for (const text of texts) {
      for (const file of ["a.yaml", "a.json"]) {
        const { findings } = parseData(file, text);
        expect(findings.length).toBeGreaterThan(0);
        expect(JSON.stringify(findings.map(({ message, hint }) => [message, hint]))).not.toContain("private");
      }
    }
  });
});
