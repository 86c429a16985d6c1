import { describe, expect, test } from "vitest";
import type { ProgressCounts } from "../../src/render/apply/progress-tally.js";
import { renderProgress, renderProgressLine } from "../../src/render/apply/progress-text.js";
import { fc } from "../harness/property.js";
import { hiddenCharacter, hostileText } from "./hostile-text.js";

const begun: ProgressCounts = {
  total: 1000,
  done: 120,
  failed: 0,
  unknown: 0,
  skipped: 0,
  rate: undefined,
  left: undefined,
  inFlight: [],
};

describe("renderProgressLine", () => {
  test.each([
    [undefined, undefined, "120 of 1,000 done, 0 in flight"],
    [12.4, 70_400, "120 of 1,000 done, 12/s, about 1m 10s left, 0 in flight"],
    [1234.5, 400, "120 of 1,000 done, 1,235/s, about 1s left, 0 in flight"],
    [9.94, 59_700, "120 of 1,000 done, 9.9/s, about 1m left, 0 in flight"],
    [0.95, 0, "120 of 1,000 done, 0.9/s, 0 in flight"],
    [0.5, 1_760_000, "120 of 1,000 done, 30/min, about 29m 20s left, 0 in flight"],
    [0.05, 17_600_000, "120 of 1,000 done, 3/min, about 4h 53m left, 0 in flight"],
  ])("says a rate of %s and %s ms left so that a person reads it", (rate, left, line) => {
    expect(renderProgressLine({ ...begun, rate, left })).toBe(line);
  });
});

test("a slower pace is said with its cause", () => {
  const slowdown = { perSecond: 0.5, why: "HTTP 429" };
  expect(renderProgressLine({ ...begun, rate: 12, left: 70_000, slowdown })).toBe(
    "120 of 1,000 done, 12/s, slowed to 30/min by HTTP 429, about 1m 10s left, 0 in flight",
  );
});

describe("renderProgress", () => {
  test("the bar is as full as actions have ended", () => {
    const bar = (counts: Partial<ProgressCounts>) =>
      renderProgress({ ...begun, ...counts }, { columns: 120, rows: 24, color: false }).split(" ", 1)[0];
    expect(bar({ done: 0 })).toBe("░".repeat(30));
    expect(bar({ done: 400, skipped: 50, failed: 25, unknown: 25 })).toBe("█".repeat(15) + "░".repeat(15));
    expect(bar({ done: 999 })).toBe(`${"█".repeat(29)}░`);
    expect(bar({ done: 1000 })).toBe("█".repeat(30));
  });

  test("no address breaks a line or hides a character", () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 120 }), (address, columns) => {
        const inFlight = [{ type: "start", address, action: "create" }] as const;
        const text = renderProgress({ ...begun, inFlight }, { columns, rows: 24, color: false });
        expect(text.split("\n")).toHaveLength(2);
        expect(text.replaceAll("\n", "")).not.toMatch(hiddenCharacter);
      }),
    );
  });
});
