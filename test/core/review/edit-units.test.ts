import { expect, test } from "vitest";
import { changedLines } from "../../../src/core/review/edit-key.js";
import { together, unitsOf } from "../../../src/core/review/edit-units.js";
import type { Change } from "../../../src/generated/plan.js";
import { countEach } from "../../../src/json/groups.js";
import { examples, fc } from "../../harness/property.js";

const text = (before: string[], after: string[]): Change => ({
  path: "system_prompt",
  before: before.join("\n"),
  after: after.join("\n"),
});

/** What each edit removes and adds, and what it stands under. */
function hunksOf(change: Change) {
  return unitsOf(change).map(({ before, after, under }) => {
    const { removed, added } = changedLines(String(before), String(after));
    return { removed, added, ...(under !== undefined && { under }) };
  });
}

const head = ["# Desk", "You answer customers.", ""];
const never = ["## Never", "- promise a date", "- share an address"];
const allowed = ["Allowed without asking", "- look an order up", "- send a link"];

test("each hunk of a text is an edit, with the title that it stands under", () => {
  const change = text(
    [...head, ...never, "", ...allowed],
    ["# Desk", "You answer customers kindly.", "", ...never, "- pay out", "", ...allowed, "- wait"],
  );
  expect(hunksOf(change)).toEqual([
    { removed: ["You answer customers."], added: ["You answer customers kindly."], under: ["# Desk"] },
    { removed: [], added: ["- pay out"], under: ["# Desk", "## Never"] },
    { removed: [], added: ["- wait"], under: ["# Desk", "## Never", "Allowed without asking"] },
  ]);
  for (const { after } of unitsOf(change)) expect(after).toBe(change.after);
});

test("of some hunks, the others are there on both sides", () => {
  const change = text(["a 1", "-", "b 1", "-", "c 1"], ["a 2", "-", "b 2", "-", "c 2"]);
  const [first, , third] = unitsOf(change);
  expect(
    together(
      change,
      [first, third].flatMap((unit) => unit ?? []),
    ),
  ).toEqual({
    ...change,
    before: "a 1\n-\nb 2\n-\nc 1",
  });
  expect(together(change, unitsOf(change))).toBe(change);
});

test("a title does not stand above what comes after its list", () => {
  const change = text([...never, "", "Be brief."], [...never, "", "Be very brief."]);
  expect(hunksOf(change)).toEqual([
    { removed: ["Be brief."], added: ["Be very brief."], under: ["## Never"] },
  ]);
  const list = ["Never:", "- promise a date", "", "Be brief."];
  expect(hunksOf(text(list, [...list.slice(0, -1), "Be kind."]))).toEqual([
    { removed: ["Be brief."], added: ["Be kind."] },
  ]);
});

test("a line that moves is one edit with the place that it leaves", () => {
  expect(
    hunksOf(text([...never, "", ...allowed], [...never.slice(0, 2), "", ...allowed, "- share an address"])),
  ).toHaveLength(1);
});

test("empty lines are no edits of their own", () => {
  expect(hunksOf(text(["a", "b", "c", "d"], ["A", "b", "", "c", "d"]))).toHaveLength(1);
});

test("a new line is the same edit beside any of two equal ones", () => {
  const [one] = unitsOf(text(["a", "", "b"], ["a", "", "new", "", "b"]));
  const [other] = unitsOf(text(["a", "", "c", "d"], ["a", "", "new", "", "c", "d"]));
  expect(hunksOf(one ?? { path: "" })).toEqual(hunksOf(other ?? { path: "" }));
});

test("the items of a list are edits, and a new order is one", () => {
  const change: Change = { path: "tools", before: ["a", "b"], after: ["b", "c", "d"] };
  expect(unitsOf(change)).toEqual([
    { path: "tools", before: ["b", "c", "d", "a"], after: ["b", "c", "d"] },
    { path: "tools", before: ["b", "d"], after: ["b", "c", "d"] },
    { path: "tools", before: ["b", "c"], after: ["b", "c", "d"] },
  ]);
  const order: Change = { path: "tools", before: ["a", "b"], after: ["b", "a", "c"] };
  expect(unitsOf(order)).toEqual([order]);
});

const lines = fc.array(fc.constantFrom("a", "b", "c", "# d", "- e", ""), { minLength: 1, maxLength: 12 });

test("the edits of a text remove and add together what the text does", () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const change = text(before, after);
      const units = unitsOf(change);
      const surplus = (from: string, to: string) => {
        const counts = countEach(from.split("\n"));
        for (const line of to.split("\n")) counts.set(line, (counts.get(line) ?? 0) - 1);
        return counts;
      };
      const sum = new Map<string, number>();
      for (const unit of units)
        for (const [line, count] of surplus(String(unit.before), String(unit.after)))
          sum.set(line, (sum.get(line) ?? 0) + count);
      const nonzero = (counts: Map<string, number>) =>
        [...counts].filter(([, count]) => count !== 0).toSorted();
      expect(nonzero(sum)).toEqual(nonzero(surplus(String(change.before), String(change.after))));
    }),
    { numRuns: examples(1000) },
  );
});
