import { expect, test } from "vitest";
import { markedSides } from "../../../src/core/state/conflict-sides.js";

const marked = (end: string, ...between: string[]) =>
  ["a", "<<<<<<< HEAD", "mine", ...between, "=======", "others", ">>>>>>> side", "z", ""].join(end);

test.each([
  ["", "\n", []],
  [", with the ends of lines of Windows", "\r\n", []],
  [", with what was there before", "\n", ["||||||| base", "before"]],
])("both sides are between git's marks%s", (_, end, between) => {
  const text = marked(end, ...between);
  const [ours, theirs] = ["mine", "others"].map((side) => ["a", side, "z", ""].join(end));
  const base = { lock: null, journal: null };
  expect(markedSides({ lock: text, journal: null })).toEqual({
    base,
    ours: { lock: ours, journal: null },
    theirs: { lock: theirs, journal: null },
  });
  expect(markedSides({ lock: "{}", journal: text })).toEqual({
    base,
    ours: { lock: "{}", journal: ours },
    theirs: { lock: "{}", journal: theirs },
  });
});

test("a side without a line of a journal has none, and without marks there are no sides", () => {
  const journal = "<<<<<<< HEAD\nmine\n=======\n>>>>>>> side\n";
  expect(markedSides({ lock: "{}", journal })?.theirs).toEqual({ lock: "{}", journal: null });
  expect(markedSides({ lock: "{}", journal: null })).toBeUndefined();
});
