import { build } from "esbuild";
import { join } from "node:path";
import { validatorsForEsbuild } from "../scripts/validators.mjs";
import { compare, median } from "./measure.mjs";
import { row } from "./table.mjs";

/** Measures putting 100,000 changes in the order of a review, within a process that has the plan in memory. */
export async function measureReview({ home, scratch, env, rounds = 7 }) {
  const script = join(scratch, "review.mjs");
  await build({
    entryPoints: [join(home, "bench/review-process.mjs")],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    plugins: [validatorsForEsbuild()],
    logLevel: "error",
  });
  const command = (kind) => ({
    args: [process.execPath, script, kind],
    env,
    after: ({ stdout }) => JSON.parse(stdout),
  });
  const measured = await compare({ prompts: command("prompts"), models: command("models") }, rounds);
  return [
    figures("review, 100,000 agents, one edited line in prompts of 1 kB", measured.prompts),
    figures("review, 100,000 agents, another model", measured.models),
  ];
}

function figures(work, runs) {
  return row({
    work,
    seconds: median(runs, "review"),
    memory: median(runs, "memory"),
    floor: { name: "JSON.stringify of the plan", seconds: median(runs, "text") },
    ratio: median(runs, "review") / median(runs, "text"),
    target: { seconds: 1 },
  });
}
