import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { makeWorkspace } from "./make-workspace.mjs";
import { compare, median, ratio } from "./measure.mjs";
import { row } from "./table.mjs";

/** Measures a cold validation of 10,000 resources in five environments, the default one among them, beside one. */
export async function measureValidate({ agentform, scratch, rounds = 5 }) {
  const directory = join(scratch, "validate");
  makeWorkspace(directory, 10_000);
  appendFileSync(
    join(directory, "agentform.yaml"),
    "  environments: {default: {}, a: {}, b: {}, c: {}, d: {}}\n",
  );
  const measured = await compare(
    {
      all: agentform.validate(directory, "--no-cache"),
      one: agentform.validate(directory, "--no-cache", "--environment", "a"),
    },
    rounds,
  );
  return [
    row({
      work: "validate, 10,000 resources in five environments, cold",
      seconds: median(measured.all),
      memory: median(measured.all, "memory"),
      floor: { name: "in one environment", seconds: median(measured.one) },
      ratio: ratio(measured.all, measured.one),
      target: { ratio: 1.5 },
    }),
  ];
}
