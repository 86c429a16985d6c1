import { expect, test } from "vitest";
import { mapAtOnce } from "../../src/json/at-once.js";

test("so many are done at a time, and the answers are in the order of the items", async () => {
  let [running, most] = [0, 0];
  const work = async (count: number): Promise<number> => {
    most = Math.max(most, ++running);
    for (let turn = count; turn < 7; turn++) await Promise.resolve();
    running--;
    return count * 2;
  };
  expect(await mapAtOnce([1, 2, 3, 4, 5, 6], 3, work)).toEqual([2, 4, 6, 8, 10, 12]);
  expect(most).toBe(3);
  const refuse = (count: number) => Promise.reject(new Error(`refused ${count}`));
  await expect(mapAtOnce([1, 2], 3, refuse)).rejects.toThrow("refused 1");
});
