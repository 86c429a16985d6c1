import { test } from "vitest";
import { sample, wholeTest } from "../harness/tier.js";
import { sweep } from "./file-sweep.js";

const place = {
  lock: { store: "file", seal: "${env:STATE_SEAL}" },
  env: { STATE_SEAL: "0123456789abcdef0123456789abcdef" },
};

// What is left must be a state that the next apply accepts with its key, so no point may look like a forgery. The seal
// is beside what is written; what the service was asked is the same as without it (`sweep.test.ts`).
wholeTest("a sealed state is one that goes on, killed after every change of a file", async () => {
  await sweep(21, (change) => ({ change }), true, 0, place);
  await sweep(21, (change) => ({ change }), false, 1, place);
});

wholeTest("a sealed state is one that goes on, killed around every request", async () => {
  await sweep(5, (request) => ({ request, stage: "before the answer" }), true, 1, place);
});

test("a sealed state is one that goes on, after a power cut before every sync of a file", async () => {
  for (const loses of sample("losses of a sealed state", ["all", "data"] as const, 1)) {
    await sweep(10, (sync) => ({ sync, loses }), false, 1, place);
  }
});
