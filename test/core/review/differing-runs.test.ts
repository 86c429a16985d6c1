import { diffArrays } from "diff";
import { describe, expect, test } from "vitest";
import { differingRuns } from "../../../src/core/review/differing-runs.js";
import { examples, fc } from "../../harness/property.js";

describe("the runs in which two lists differ", () => {
  test("leave what is the same in both, and are as short as can be", () => {
    const list = fc.array(fc.constantFrom("a", "b", "c", "d", "e", "f", "g"), { maxLength: 14 });
    fc.assert(
      fc.property(list, list, (before, after) => {
        const runs = differingRuns(before, after) ?? [];
        const rest = (items: readonly string[], side: "before" | "after") =>
          items.filter((_, at) => !runs.some(({ [side]: [from, to] }) => from <= at && at < to));
        expect(rest(before, "before")).toEqual(rest(after, "after"));
        const shortest = diffArrays(before, after).filter(({ added, removed }) => !added && !removed);
        expect(rest(before, "before").length).toBe(shortest.reduce((sum, { count }) => sum + count, 0));
        for (const [index, run] of runs.entries()) {
          const next = runs[index + 1];
          expect(run.before[1] > run.before[0] || run.after[1] > run.after[0]).toBe(true);
          if (next) expect(next.before[0] - run.before[1]).toBe(next.after[0] - run.after[1]);
          if (next) expect(next.before[0]).toBeGreaterThan(run.before[1]);
        }
      }),
      { numRuns: examples(1000) },
    );
  });

  test("are not looked for in lists that differ in more than a thousand places", () => {
    const items = (count: number, word: string) => Array.from({ length: count }, (_, at) => `${word} ${at}`);
    const ends = (middle: readonly string[]) => ["first", ...middle, "kept", "other"];
    expect(differingRuns(ends(items(400, "a")), ends(items(400, "b")))?.length).toBe(1);
    expect(differingRuns([...items(400, "a"), "kept", "x"], [...items(400, "b"), "kept", "y"])?.length).toBe(
      2,
    );
    expect(differingRuns([...items(501, "a"), "kept", "x"], [...items(501, "b"), "kept", "y"])).toBe(
      undefined,
    );
  });
});
