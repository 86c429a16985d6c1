import { join } from "node:path";
import { makeWorkspace } from "./make-workspace.mjs";
import { compare, median, ratio, run } from "./measure.mjs";
import { row } from "./table.mjs";

const breaks = " \t\n\"'@><=;|&(:";

/** Measures what a shell waits for when an address of 10,000 is completed, by whole processes. */
export async function measureCompletion({ agentform, scratch, node, rounds = 25 }) {
  const directory = join(scratch, "completion");
  makeWorkspace(directory, 10_000, 100);
  const plan = agentform.plan(directory);
  await run(plan.args, plan.env);
  const complete = (typed) =>
    agentform.completion("bash", "--", breaks, `agentform plan -C ${directory} --target ${typed}`);
  const { one, all, floor } = await compare(
    { one: complete("agent:agent-59"), all: complete(""), floor: node },
    rounds,
  );
  const start = { name: "node -e 0", seconds: median(floor) };
  const rowOf = (work, runs) =>
    row({
      work,
      seconds: median(runs),
      memory: median(runs, "memory"),
      floor: start,
      ratio: ratio(runs, floor),
      target: { seconds: 0.1 },
    });
  return [
    rowOf("completion of an address, 10,000 resources, 111 words", one),
    rowOf("the same, all 10,000 words", all),
  ];
}
