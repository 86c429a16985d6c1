import { expect, test } from "vitest";
import { didYouMean, nearest } from "../../../src/core/finding/nearest.js";

test.each([
  ["lables", "labels"],
  ["nam", "name"],
  ["namee", "name"],
  ["nome", "name"],
  ["tempature", "temperature"],
  ["prioriy", "priority"],
])("%s is nearly %s", (word, candidate) => {
  expect(nearest(word, ["other", candidate])).toBe(candidate);
});

test.each([
  ["nm", "name"],
  ["labes_", "labels"],
  ["temptr", "temperature"],
  ["tool", "tools_of"],
])("%s is not nearly %s", (word, candidate) => {
  expect(nearest(word, [candidate])).toBeUndefined();
});

test("a word that is a candidate itself is nobody else", () => {
  expect(nearest("tool", ["tools", "tool"])).toBeUndefined();
});

test("the closest candidate wins", () => {
  expect(nearest("conference", ["conferenzes", "conferences"])).toBe("conferences");
});

test("the hint names the candidate", () => {
  expect(didYouMean("modle", ["model"])?.text).toBe("did you mean `model`?");
  expect(didYouMean("x", ["model"])).toBeUndefined();
});
