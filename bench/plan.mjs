import { readFileSync, writeFileSync, cpSync } from "node:fs";
import { join } from "node:path";
import { applyToEmulator } from "./agentform.mjs";
import { makeWorkspace } from "./make-workspace.mjs";
import { compare, median, ratio } from "./measure.mjs";
import { row } from "./table.mjs";
import { comparePlans, planRows } from "./unchanged.mjs";

/** Measures plans of 10, 1,000 and 10,000 resources, one per file, without a change and with one. */
export async function measurePlan(bench) {
  const few = await applied(bench, "10", 10);
  const small = await applied(bench, "1,000", 1000);
  const large = await applied(bench, "10,000", 10_000);
  const first = await comparePlans(bench, small, bench.rounds ?? 7);
  const second = await comparePlans(bench, large, bench.rounds ?? 5);
  return [
    await fewResources(bench, few),
    ...planRows("plan, 1,000 resources, no change", first, { warm: { ratio: 0.45 } }),
    ...planRows("plan, 10,000 resources, no change", second, {
      cold: { ratio: 0.75, memory: 240 },
      warm: { ratio: 0.45, memory: 160 },
    }),
    await oneChange(bench, large),
  ];
}

async function applied({ agentform, scratch }, name, count) {
  const directory = join(scratch, `plan-${name}`);
  makeWorkspace(directory, count);
  await applyToEmulator(agentform, directory);
  return directory;
}

/** What any plan takes: Node, and the code. */
async function fewResources({ agentform, node, rounds = 15 }, directory) {
  const { few, floor } = await compare({ few: agentform.plan(directory), floor: node }, rounds);
  return row({
    work: "plan, 10 resources, no change, warm",
    seconds: median(few),
    memory: median(few, "memory"),
    floor: { name: "node -e 0", seconds: median(floor) },
    ratio: ratio(few, floor),
  });
}

async function oneChange({ agentform, scratch, rounds = 5 }, none) {
  const one = join(scratch, "plan-changed");
  cpSync(none, one, { recursive: true });
  const file = join(one, "documents/9/9999.yaml");
  const text = readFileSync(file, "utf8");
  // A different text each time, so that it is in no cache.
  const before = (round) => writeFileSync(file, text.replace("temperature: 0.2", `temperature: 0.3${round}`));
  const measured = await compare(
    { one: { ...agentform.plan(one), before }, none: agentform.plan(none) },
    rounds,
  );
  return row({
    work: "plan, 10,000 resources, one change, warm",
    seconds: median(measured.one),
    memory: median(measured.one, "memory"),
    floor: { name: "without the change", seconds: median(measured.none) },
    ratio: ratio(measured.one, measured.none),
    target: { ratio: 1.1 },
  });
}
