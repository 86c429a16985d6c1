import { describe, expect, test } from "vitest";
import { editKey } from "../../../src/core/review/edit-key.js";
import type { Change } from "../../../src/generated/plan.js";
import type { Json } from "../../../src/json/json.js";
import { examples, fc } from "../../harness/property.js";

const text = (before: string, after: string): Change => ({ path: "system_prompt", before, after });
const list = (before: Json[], after: Json[]): Change => ({ path: "tools", before, after });

describe("equal are", () => {
  test.each<[string, Change, Change]>([
    ["texts that lose the same line", text("a\nX\nb", "a\nb"), text("c\nd\nX\n", "c\nd\n")],
    ["texts that gain the same line at an end", text("a", "a\nX"), text("b\nc", "b\nX\nc")],
    ["one-line texts that are the same", text("a b", "a c"), text("a b", "a c")],
    [
      "the same edited line in other texts",
      text("a\nmost 10\nb", "a\nmost 20\nb"),
      text("most 10", "most 20"),
    ],
    ["two changed lines far from each other", text("X\na\nb\nY", "a\nb\nZ"), text("c\nX\nY", "c\nZ")],
    ["one of two equal lines that goes", text("X\na\nX", "X\na"), text("b\nX\nX", "b\nX")],
    ["a line that goes from CRLF and from LF", text("a\r\nX\r\nb", "a\r\nb"), text("a\nX\nb", "a\nb")],
    ["an empty line that goes", text("a\n\nb", "a\nb"), text("c\n\nd", "c\nd")],
    ["lists with the same items added", list(["a"], ["a", "x", "y"]), list([1, "b"], ["y", 1, "b", "x"])],
    ["lists that lose one of two items", list(["x", "a", "x"], ["a", "x"]), list(["x", "x"], ["x"])],
    [
      "values with other keys first",
      { path: "p", after: { a: 1, b: 2 } },
      { path: "p", after: { b: 2, a: 1 } },
    ],
    [
      "edits beside other references that move",
      { ...list(["${toolset:a}"], ["${toolset:a}", "x"]), references: ["toolset:a"] },
      list(["b"], ["b", "x"]),
    ],
  ])("%s", (_, one, other) => {
    expect(editKey(one)).toBe(editKey(other));
  });
});

describe("not equal are", () => {
  test.each<[string, Change, Change]>([
    ["other paths", { ...text("a", "b"), path: "name" }, text("a", "b")],
    ["an edit and its reverse", text("a\nX", "a"), text("a", "a\nX")],
    ["a shared edit and one with a line more", text("a\nX\nN", "a"), text("a\nX", "a")],
    ["the same words in other lines", text("pay 10", "pay 20"), text("wait 10", "wait 20")],
    ["one line that goes and two equal ones", text("X\nX\na", "X\na"), text("X\nX\na", "a")],
    ["a removed line and the same one moved", text("X\na\nb", "a\nb"), text("X\na\nb", "a\nb\nX")],
    ["an edit alone and one with lines that moved", text("a\nb\nX", "a\nb"), text("a\nb\nX", "b\na")],
    ["lines that moved in other ways", text("a\nb\nc", "b\na\nc"), text("a\nb\nc", "a\nc\nb")],
    ["line ends that change", text("a\nb\n", "a\r\nb\r\n"), text("a\r\nb\r\n", "a\nb\n")],
    [
      "a line that is edited with and without its end",
      text("a\r\nX\r\n", "a\r\nY\r\n"),
      text("a\r\nX\r\n", "a\nY\n"),
    ],
    ["a last line end that goes", text("a\n", "a"), text("a\n", "")],
    [
      "an item added, and added while others move",
      list(["a", "b"], ["a", "b", "x"]),
      list(["a", "b"], ["b", "a", "x"]),
    ],
    ["a text and a number", { path: "p", after: "1" }, { path: "p", after: 1 }],
    ["null and nothing", { path: "p", before: 1, after: null }, { path: "p", before: 1 }],
    ["an outline and a value", { path: "p", after: "a", outline: true }, { path: "p", after: "a" }],
    ["an item that is new and one that is a text", list([], ["x"]), list([], [["x"]])],
    ["a list and a text", { path: "p", before: ["a"], after: ["b"] }, { path: "p", before: "a", after: "b" }],
  ])("%s", (_, one, other) => {
    expect(editKey(one)).not.toBe(editKey(other));
  });
});

const lines = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { minLength: 1, maxLength: 8 });

test("what both texts have beside the lines of a key is the same", () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const key = JSON.parse(editKey(text(before.join("\n"), after.join("\n")))) as unknown[];
      const [removed, added] = key.slice(-2) as [string[], string[]];
      expect(without(before, removed)).toEqual(without(after, added));
    }),
    { numRuns: examples(1000) },
  );
});

function without(lines: readonly string[], taken: readonly string[]): string[] {
  const rest = [...lines];
  for (const each of taken) rest.splice(rest.indexOf(each), 1);
  return rest.toSorted();
}

test("lines around an edit make no difference to it", () => {
  const around = fc.array(fc.constantFrom("p", "q", "r"), { maxLength: 4 });
  fc.assert(
    fc.property(lines, lines, around, around, (before, after, head, tail) => {
      fc.pre(before.join("\n") !== after.join("\n"));
      const keyWithin = (first: string[], last: string[]) =>
        editKey(text([...first, ...before, ...last].join("\n"), [...first, ...after, ...last].join("\n")));
      expect(keyWithin(head, tail)).toBe(keyWithin(["x"], ["y"]));
    }),
    { numRuns: examples(1000) },
  );
});
