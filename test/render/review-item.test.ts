import { expect, test } from "vitest";
import { chooseShown, type ReviewItem } from "../../src/render/markdown/review-item.js";

const itemOf = (text: string): ReviewItem => ({
  render: (bytes) => ({ text: text.slice(0, bytes), isCut: text.length > bytes }),
});

test("short items are shown before the rest of long ones", () => {
  const items = Array.from({ length: 30 }, (_, at) => [
    `long ${at} `.padEnd(5000, "."),
    `short ${at};`,
  ]).flat();
  const section = { items: items.map(itemOf), between: "\n", leftOut: () => [] };
  const shown = chooseShown([section], 40_000)?.blocks.flat().join("\n") ?? "";
  expect(shown.match(/short \d+;/g)).toHaveLength(30);
});
