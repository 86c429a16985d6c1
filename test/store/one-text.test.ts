import { expect, test } from "vitest";
import { longestText } from "../../src/core/state/state-text.js";
import { asOneText, reserveText } from "../../src/store/network/one-text.js";

test("a lock that is too long for one text is refused, and a shorter one joined", () => {
  expect(asOneText(["a", "b"], "here")).toBe("ab");
  expect(asOneText("ab", "here")).toBe("ab");
  const piece = "x".repeat(longestText / 50);
  function* pieces(count: number): Generator<string> {
    for (let index = 0; index < count; index++) yield piece;
  }
  expect(() => asOneText(pieces(51), "agentform.lock of here")).toThrow(
    "the lock for agentform.lock of here is larger than 500 MB, the most that this store keeps",
  );
});

test("what certainly becomes too long is refused ahead", () => {
  reserveText(0, 0, "here");
  reserveText(longestText / 2, longestText / 5, "here");
  const refusal =
    "this apply would make the state for here larger than 500 MB, the most that this store keeps, so nothing was sent";
  expect(() => reserveText(0, longestText / 2, "here")).toThrow(refusal);
  expect(() => reserveText(longestText - 1, 1, "here")).toThrow(refusal);
});
