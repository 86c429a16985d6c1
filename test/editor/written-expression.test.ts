import { expect, test } from "vitest";
import { expressionsIn, openExpressionAt } from "../../src/core/position/written-expression.js";
import { WrittenText } from "../../src/core/position/written-text.js";
import { fc } from "../harness/property.js";

test.each([
  ["a: ${policy:x}", ["${policy:x}"]],
  ["# ${policy:x}\na: 1", []],
  ["a: b # ${policy:x}", []],
  ["a: |\n  # ${policy:x}\n", ["${policy:x}"]],
  ['a: "${policy:x} # ${var:y}"', ["${policy:x}", "${var:y}"]],
  ["a: $${policy:x}", []],
  ["a: [${policy:x}]", []],
  ["\uFEFFa: ${policy:x}\r\nb: ${var:y}\r\n", ["${policy:x}", "${var:y}"]],
  ['a: [\n  b: "${policy:x}"\n', ["${policy:x}"]],
  ["a: 1\n---\nb: ${policy:x}\n...\n", ["${policy:x}"]],
])("the expressions of %j", (text, sources) => {
  const found = expressionsIn(text, true);
  expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(sources);
  expect(found.map(({ source }) => source)).toEqual(sources);
});

test("a text has more expressions than a call can have arguments", () => {
  expect(expressionsIn(`a: "${"${var:x}".repeat(200_000)}"`, true)).toHaveLength(200_000);
});

test.each([
  "${toolset:de|sk/GET /tickets/{id}}",
  "${toolset:desk/G|ET /tickets/{id}}",
  "${toolset:desk/GET /tickets/{i|d}}",
  "${toolset:desk/GET |/tickets}",
  "${policy:st|rict-${each:key}}",
  "${policy:|strict}",
])("the expression around the cursor ends at its own brace: %s", (written) => {
  const offset = written.indexOf("|");
  const text = written.replace("|", "");
  expect(openExpressionAt(`"${text}" }`, offset + 1)).toMatchObject({ end: text.length, isClosed: true });
});

test.each(["${policy:|", "${policy:st| and /more", "${policy:|, {a: b}", '${policy:|"', "${file:a |b"])(
  "an expression that is not closed yet ends with its word: %s",
  (written) => {
    const offset = written.indexOf("|");
    const open = openExpressionAt(written.replace("|", ""), offset);
    expect(open).toMatchObject({ isClosed: false });
    expect(written.replace("|", "").slice(offset, open?.end)).not.toMatch(/[ ,"]/);
  },
);

test("whatever is written, each expression is at its range, and every place has at most one answer", () => {
  const piece = fc.constantFrom(
    "a",
    ": ",
    "\n",
    "  ",
    "- ",
    "${policy:x}",
    "${",
    "}",
    '"',
    "'",
    "#",
    "[",
    "{",
    ",",
    "|\n",
    "---\n",
    "&a ",
    "*a",
    "\r\n",
    "😀",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join("");
      for (const { start, end, source } of expressionsIn(text, true))
        expect(text.slice(start, end)).toBe(source);
      const written = new WrittenText(text);
      written.heads();
      for (let offset = 0; offset <= text.length; offset++) {
        const spot = written.spotAt(offset);
        if (spot) expect(spot.range.start <= offset && offset <= spot.range.end).toBe(true);
        const open = openExpressionAt(text, offset);
        if (open) expect(open.start <= offset && offset <= open.end).toBe(true);
      }
    }),
  );
});
