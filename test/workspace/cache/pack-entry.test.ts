import { expect, test } from "vitest";
import { readText, renderRow, type Entry } from "../../../src/workspace/cache/pack-entry.js";
import { effort } from "../../harness/effort.js";

function entryOf(texts: readonly string[]): Entry {
  return ["key", null, 0, texts.map((text) => renderRow(Buffer.from(text))).join("")];
}

test("each text of an entry is found where it begins", () => {
  const texts = ["", "one", "é", "", "three\n"];
  const bytes = Buffer.from(texts.join(""));
  const entry = entryOf(texts);
  const read = (offset: number, target: Uint8Array) => {
    return target.subarray(0, bytes.copy(target, 0, offset, offset + target.length));
  };
  expect(texts.map((_, index) => readText(entry, index, read))).toEqual(texts);
  expect(readText(entry, texts.length, read)).toBeUndefined();
});

test("all texts of a file take ten times as long where there are ten times as many", () => {
  const readAll = (count: number) => {
    const texts = Array.from({ length: count }, () => "");
    const entry = entryOf(texts);
    return effort(() => {
      for (const index of texts.keys()) readText(entry, index, (_, target) => target);
    });
  };
  readAll(2000);
  expect(readAll(30_000)).toBeLessThan(60 * Math.max(readAll(3000), 5));
});
