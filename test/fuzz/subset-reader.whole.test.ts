import { expect, test } from "vitest";
import { sweep } from "./subset-sweep.js";

const seed = Number(process.env["AGENTFORM_SEED"] ?? 20_261_123);
const parts = Array.from({ length: 50 }, (_, part) => part + 1);

// Together a million texts.
test.each(parts)("part %d of 50: what is read without the library is what the library gives", (part) => {
  const { texts, taken } = sweep(seed + part, 20_000);
  expect(taken).toBeGreaterThan(texts / 6);
});
