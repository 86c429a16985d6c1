import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { forgetApplied } from "./agentform.mjs";
import { makeWorkspace } from "./make-workspace.mjs";
import { compare, median, ratio, run } from "./measure.mjs";
import { writeObjects } from "./objects.mjs";
import { startService } from "./service.mjs";
import { row } from "./table.mjs";

const latency = 20;
const concurrency = 16;
const loop = fileURLToPath(new URL("floors/send-bodies.mjs", import.meta.url));

/** Measures applies of 1,000 and of 10,000 new resources, with their journal, beside a bare loop. */
export async function measureApply(bench) {
  const service = await startService(bench.scratch, latency);
  try {
    const small = await creates(bench, service, 1000, bench.rounds ?? 5);
    const large = await creates(bench, service, 10_000, bench.rounds ?? 3);
    return [
      ...rowsOf("apply, 1,000 creates at 20 ms, 16 in flight", 1000, small, { ratio: 1.5 }),
      ...rowsOf("apply, 10,000 creates at 20 ms, 16 in flight", 10_000, large, { ratio: 1.25, memory: 350 }),
    ];
  } finally {
    service.stop();
  }
}

async function creates({ agentform, env, scratch }, service, count, rounds) {
  const directory = join(scratch, `apply-${count}`);
  const objects = `${directory}.json`;
  makeWorkspace(directory, count, 1, service.url);
  writeObjects(directory, objects);
  const plan = agentform.plan(directory);
  const after = async () => {
    const seen = await service.seen();
    if (seen.requests !== count) throw new Error(`${seen.requests} requests for ${count} creates`);
    return seen;
  };
  const bare = [process.execPath, loop, objects, service.url, String(concurrency)];
  const fresh = () => {
    forgetApplied(directory);
    return service.seen();
  };
  const planned = async () => {
    forgetApplied(directory);
    await run(plan.args, plan.env);
    return service.seen();
  };
  return compare(
    {
      warm: { ...agentform.apply(directory, concurrency), before: planned, after },
      cold: { ...agentform.apply(directory, concurrency, "--no-cache"), before: fresh, after },
      bare: { args: bare, env, after },
      careful: { args: [...bare, `${directory}.journal`], env, after },
    },
    rounds,
  );
}

function rowsOf(work, count, { warm, cold, bare, careful }, target) {
  const ideal = (count * latency) / concurrency / 1000;
  const beside = (name, runs, figure, limits) =>
    row({
      work: name,
      seconds: median(runs, figure),
      memory: median(runs, "memory"),
      floor: { name: "ideal", seconds: ideal },
      ratio: median(runs, figure) / ideal,
      target: limits,
    });
  return [
    beside(`${work}, planned before`, warm, "seconds", target),
    beside(`${work}, cold`, cold, "seconds"),
    beside(`${work}, first request to last answer`, warm, "sending"),
    row({
      work: `${work}, beside a bare loop`,
      seconds: median(warm, "sending"),
      floor: { name: "bare loop", seconds: median(bare, "sending") },
      ratio: ratio(warm, bare, "sending"),
    }),
    row({
      work: `${work}, beside a bare loop with got and a journal`,
      seconds: median(warm, "sending"),
      floor: { name: "loop", seconds: median(careful, "sending") },
      ratio: ratio(warm, careful, "sending"),
    }),
    beside(`floor: a bare loop of the same ${count.toLocaleString("en")} bodies`, bare, "seconds"),
    beside("floor: the same loop with got and a journal", careful, "seconds"),
  ];
}
