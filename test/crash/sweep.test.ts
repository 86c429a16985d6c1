import { test } from "vitest";
import { sample } from "../harness/tier.js";
import { stages, sweep } from "./file-sweep.js";

const both = [
  { edition: 0, name: "creates" },
  { edition: 1, name: "updates and replacements" },
] as const;

test.each(sample("editions killed at changes", both, 1))(
  "killed at every change of a file: $name",
  async ({ edition }) => {
    await sweep(21, (change) => ({ change, when: "before" }), false, edition);
    await sweep(21, (change) => ({ change, when: "after" }), true, edition);
  },
);

test.each(sample("editions killed at requests", both.toReversed(), 1))(
  "killed around every request: $name",
  async ({ edition }) => {
    for (const stage of sample("stages of a request", stages, 1)) {
      for (const again of sample("second kills", [true, false], 1)) {
        await sweep(5, (request) => ({ request, stage }), again, edition);
      }
    }
  },
);

test.each(sample("editions of a power cut", both, 1))(
  "the power cut at every change of a file: $name",
  async ({ edition }) => {
    for (const loses of sample("losses", ["all", "data"] as const, 1)) {
      await sweep(21, (change) => ({ change, when: "after", loses }), false, edition);
    }
  },
);
