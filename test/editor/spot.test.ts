import { expect, test } from "vitest";
import { rangeIn } from "../../src/editor/spot.js";
import { effort } from "../harness/effort.js";

test("ranges of a long text cost no more where an equal text was asked about before", () => {
  // Read twice, as a file is for two requests.
  const read = () => Buffer.from("a\n".repeat(1_000_000)).toString();
  const [first, second] = [read(), read()];
  const ranges = (text: string) =>
    effort(() => {
      for (let start = 0; start < 10_000; start++) rangeIn(text, { start, end: start + 1 });
    });
  const alone = ranges(first);
  expect(ranges(second)).toBeLessThan(4 * alone);
});
