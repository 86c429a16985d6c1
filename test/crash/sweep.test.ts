import { test } from "vitest";
import { sample } from "../harness/tier.js";
import { stages, sweep } from "./file-sweep.js";

// A second kill is at the same place of the apply that mends; where that has fewer places, it comes to its end.
const both = [
  { edition: 0, name: "creates", again: true },
  { edition: 1, name: "updates and replacements", again: false },
] as const;

test.each(sample("editions killed at changes", both, 0))(
  "killed after every change of a file: $name",
  async ({ edition, again }) => {
    await sweep(21, (change) => ({ change }), again, edition);
  },
);

test.each(sample("editions killed at requests", both.toReversed(), 1))(
  "killed around every request: $name",
  async ({ edition, again }) => {
    for (const stage of sample("stages of a request", stages, 1)) {
      await sweep(5, (request) => ({ request, stage }), again, edition);
    }
  },
);

test.each(sample("editions of a power cut", both, 0))(
  "the power cut before every sync of a file: $name",
  async ({ edition }) => {
    for (const loses of sample("losses", ["all", "data"] as const, 1)) {
      await sweep(10, (sync) => ({ sync, loses }), false, edition);
    }
  },
);
