import { expect, test } from "vitest";
import { settled, unfold } from "./printed.js";

const printed = ["a", "b", "c", "d"];

test.each([
  [["a", "…", "d"]],
  [["…", "d"]],
  [["a", "b", "…"]],
  [["…", "b", "…"]],
  [["a", "…", "b", "c", "d"]],
])("%j stands for all four lines", (shown) => {
  expect(unfold(shown, printed)).toEqual(printed);
});

test.each([
  [["a", "d"]],
  [["…", "c"]],
  [["b", "…"]],
  [["a", "…", "x", "…"]],
  [["a", "…", "b"]],
  [["c", "…", "b", "…"]],
])("%j stands for something else", (shown) => {
  expect(unfold(shown, printed)).not.toEqual(printed);
});

test("IDs, digests and the order of progress say nothing", () => {
  const one =
    "b:x: created (0123456789abcdef01234567)\na:x: created (0123456789abcdef01234560)\n\nsha256:00ff";
  const other =
    "a:x: created (ffffffffffffffffffffffff)\nb:x: created (0123456789abcdef0123456a)\n\nsha256:1…\n";
  expect(settled(one)).toEqual(settled(other));
  expect(settled("a:x: created")).not.toEqual(settled("a:x: failed"));
});
