import { test } from "vitest";
import { sample } from "../harness/tier.js";
import { stages, sweep } from "./file-sweep.js";

const place = {
  lock: { store: "file", seal: "${env:STATE_SEAL}" },
  env: { STATE_SEAL: "0123456789abcdef0123456789abcdef" },
};

// What is left must be a state that the next apply accepts with its key, so no point may look like a forgery.
test("a sealed state is one that goes on, killed at every change of a file", async () => {
  await sweep(21, (change) => ({ change, when: "before" }), false, 1, place);
  await sweep(21, (change) => ({ change, when: "after" }), true, 0, place);
});

test("a sealed state is one that goes on, killed around every request", async () => {
  for (const stage of sample("stages of a request of a sealed state", stages, 1)) {
    await sweep(5, (request) => ({ request, stage }), true, 1, place);
  }
});

test("a sealed state is one that goes on, after a power cut at every change of a file", async () => {
  for (const loses of sample("losses of a sealed state", ["all", "data"] as const, 1)) {
    await sweep(21, (change) => ({ change, when: "after", loses }), false, 1, place);
  }
});
