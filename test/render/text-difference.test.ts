import { fc } from "../harness/property.js";
import { describe, expect, it } from "vitest";
import { renderLine } from "../../src/render/change/change-text.js";
import { paletteOf } from "../../src/render/words/palette.js";
import { differenceOfTexts, type DifferenceLine } from "../../src/render/difference/text-difference.js";
import { hiddenCharacter, hostileText } from "./hostile-text.js";
import { wholeTest } from "../harness/tier.js";

function rendered(lines: readonly DifferenceLine[], color = false): string[] {
  return lines.map((line, index) => renderLine(line, index, paletteOf(color)));
}

function shown(before: string, after: string): string[] {
  return rendered(differenceOfTexts(before, after).lines);
}

function changedWords(lines: readonly DifferenceLine[], kind: "removed" | "added"): string[] {
  return lines.flatMap((line) => {
    return line.kind === kind ? line.segments.filter(({ changed }) => changed).map(({ text }) => text) : [];
  });
}

const numbered = Array.from({ length: 40 }, (_, index) => `line ${index + 1} of the prompt`);
const prompt = `${numbered.join("\n")}\n`;

describe("differenceOfTexts", () => {
  it("shows two lines around each change, and where a hunk begins in the new text", () => {
    const after = prompt.replace("line 5 of", "line five of").replace("line 30 of the prompt\n", "");
    expect(shown(prompt, after)).toEqual([
      "@@ 3 @@",
      "  line 3 of the prompt",
      "  line 4 of the prompt",
      "- line 5 of the prompt",
      "+ line five of the prompt",
      "  line 6 of the prompt",
      "  line 7 of the prompt",
      "… @@ 28 @@",
      "  line 28 of the prompt",
      "  line 29 of the prompt",
      "- line 30 of the prompt",
      "  line 31 of the prompt",
      "  line 32 of the prompt",
    ]);
  });

  it("joins hunks between which at most one line would be left out", () => {
    const after = prompt.replace("line 5 of", "line five of").replace("line 11 of", "line eleven of");
    expect(shown(prompt, after).filter((line) => line.includes("@@"))).toEqual(
      ["@@ 3 @@", "… @@ 9 @@"].slice(0, 1),
    );
    const further = prompt.replace("line 5 of", "line five of").replace("line 12 of", "line twelve of");
    expect(shown(prompt, further).filter((line) => line.includes("@@"))).toEqual(["@@ 3 @@", "… @@ 10 @@"]);
  });

  it("marks the words that changed in the line that stands for another, not in one that is new", () => {
    const before = "Never promise a refund above 50 euros.\n";
    const after = "Say hello.\nNever promise a refund above 100 dollars.\n";
    const { lines } = differenceOfTexts(before, after);
    expect(changedWords(lines, "removed")).toEqual(["50", "euros"]);
    expect(changedWords(lines, "added")).toEqual(["100", "dollars"]);
  });

  it("pairs a line with the one that is likest, not with the first that is alike", () => {
    const { lines } = differenceOfTexts(
      "rule 30 of the desk\nrule 31 of the desk\n",
      "rule 31 of  the desk\n",
    );
    expect(changedWords(lines, "added")).toEqual(["··"]);
  });

  it.each([
    ["spaces and tabs", "a b\tc", "a  b c", ["- a·b→c", "+ a··b·c"]],
    ["indentation", "\tx\n", "    x\n", ["- →x", "+ ····x"]],
    ["spaces at the end", "foo\n", "foo  \n", ["- foo", "+ foo··"]],
    ["spaces at the end of a new line", "a\n", "a\nnew \t\n", ["  a", "+ new·→"]],
    ["a line of spaces", "a\nb\n", "a\n  \nb\n", ["  a", "+ ··", "  b"]],
    ["a space that does not break", "a b", "a\u00a0b", ["- a·b", "+ a\\u{a0}b"]],
    ["an empty line", "a\n", "a\n\n", ["  a", "+"]],
    ["a carriage return", "a\r\n", "a\n", ["- a\\r", "+ a"]],
  ])("shows a change of %s", (_what, before, after, lines) => {
    expect(shown(before, after)).toEqual(lines);
  });

  it("says when the last line end is gone or new, and nothing when neither text has one", () => {
    const note = "no newline at end";
    expect(shown("a\nb\n", "a\nb")).toEqual(["  a", "- b", "+ b", note]);
    expect(shown("b", "b\n")).toEqual(["- b", note, "+ b"]);
    expect(shown("a\nb", "a\nc")).toEqual(["  a", "- b", "+ c"]);
    expect(shown("", "a")).toEqual(["+ a"]);
  });

  it("shows a long line in which a word changes whole, for all of it is the edit", () => {
    const filler = "and so on ".repeat(60);
    const [removed, added] = shown(`${filler}old ending ${filler}end`, `${filler}new ending ${filler}end`);
    expect(removed).toBe(`- ${filler}old ending ${filler}end`);
    expect(added).toBe(`+ ${filler}new ending ${filler}end`);
  });

  it("shows a changed line whole, however long", () => {
    const long = "👋 Never tell a customer what another one ordered. ".repeat(2000);
    expect(shown("", `\n${long}end`)).toEqual(["+", `+ ${long}end`]);
    const [, added] = shown("Be kind.\n", `Be kind. ${long}end\n`);
    expect(added).toBe(`+ Be kind. ${long}end`);
  });

  wholeTest("shows all of texts that are too unlike to be compared", () => {
    const before = Array.from({ length: 20_000 }, (_, index) => `before ${index}`);
    const after = Array.from({ length: 19_000 }, (_, index) => `after ${index}`);
    const difference = differenceOfTexts(`same\n${before.join("\n")}`, `same\n${after.join("\n")}\n`);
    expect(difference.unlike).toBe(true);
    expect(rendered(difference.lines)).toEqual([
      "rewritten: 20000 lines removed, 19000 lines added",
      ...before.map((line) => `- ${line}`),
      ...after.map((line) => `+ ${line}`),
      "no newline at end of the old text",
    ]);
  });

  it("finds a small change in a very long text", () => {
    const text = "x\n".repeat(200_000);
    expect(shown(`${text}y\n${text}`, `${text}z\n${text}`)).toEqual([
      "@@ 199999 @@",
      "  x",
      "  x",
      "- y",
      "+ z",
      "  x",
      "  x",
    ]);
  });

  wholeTest("shows every line of a very long run of new lines", () => {
    expect(shown("a\n", `a\n${"b\n".repeat(200_000)}`)).toHaveLength(200_001);
  });

  it("holds every line of both texts when lines are few and short", () => {
    const line = fc.constantFrom("a", "b", "c d", "c e", "", "x y z", "x y  z");
    const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.map((each) => `${each}\n`).join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { lines } = differenceOfTexts(before, after);
        const count = (kind: string): number => lines.filter((each) => each.kind === kind).length;
        const [left, right] = [before.split("\n").length, after.split("\n").length];
        expect(count("added") - count("removed")).toBe(right - left);
        if (before === after) expect(lines).toEqual([]);
        else expect(count("added") + count("removed")).toBeGreaterThan(0);
      }),
    );
  });

  it("lets no hidden character through, whatever the texts", () => {
    fc.assert(
      fc.property(hostileText, hostileText, (before, after) => {
        expect(shown(before, after).join("\n")).not.toMatch(hiddenCharacter);
      }),
    );
  });
});

describe("lines that only change places", () => {
  const movedIn = (before: string, after: string) => differenceOfTexts(before, after).moved;

  it("are pointed out, and all the more where nothing else changes", () => {
    expect(movedIn("a\nb\nc\n", "b\nc\na\n")).toMatch(/^the same lines in a new order/);
    expect(movedIn("a\nb\nc\nold\n", "b\nc\na\nnew\n")).toMatch(/^1 line moved/);
    expect(movedIn("a\nb\nc\nd\ne\n", "c\nd\ne\nb\na\nx\n")).toMatch(/^2 lines moved/);
  });

  it("are those with words, and none where a line is edited or ends differently", () => {
    expect(movedIn("a\n---\nb\n", "---\na\nb\n")).not.toBeUndefined();
    expect(movedIn("---\na\nb\n", "a\nb\n---\n")).toBeUndefined();
    expect(movedIn("a\nb\n", "a\nc\n")).toBeUndefined();
    expect(movedIn("a\nb", "a\nb\n")).toBeUndefined();
  });
});

describe("renderLine", () => {
  it("colours whole lines and inverts the words that changed", () => {
    const lines = rendered(differenceOfTexts("a b c\nd\n", "a B c\nd\n").lines, true);
    expect(lines).toEqual([
      "\u001b[31m- a \u001b[7mb\u001b[27m c\u001b[39m",
      "\u001b[32m+ a \u001b[7mB\u001b[27m c\u001b[39m",
      // What stays is not dim, for it may be what matters where lines change places.
      "  d",
    ]);
  });

  it("shows a tab that did not change as four columns", () => {
    expect(shown("\ta\n", "\ta\nb\n")).toEqual(["      a", "+ b"]);
  });
});
