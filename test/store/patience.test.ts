import { expect, onTestFinished, test, vi } from "vitest";
import { patiently } from "../../src/store/medium/patience.js";

test("a clock that is set back while a store is waited for makes nobody wait for as long", async () => {
  let offset = 0;
  const now = Date.now.bind(Date);
  const clock = vi.spyOn(Date, "now").mockImplementation(() => now() + offset);
  onTestFinished(() => clock.mockRestore());
  const tried = await patiently({ milliseconds: 500 }, async (number) => {
    offset = -3_600_000;
    return number < 6 ? { ok: false, isPassing: true } : { ok: true, value: number };
  });
  expect(tried.ok).toBe(false);
});
