import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { forgetApplied } from "./agentform.mjs";
import { makeWorkspace } from "./make-workspace.mjs";
import { compare, median, ratio, run } from "./measure.mjs";
import { writeObjects } from "./objects.mjs";
import { startService } from "./service.mjs";
import { row, wordsRow } from "./table.mjs";
import { lookAgain } from "./unchanged.mjs";

const latency = 20;

/** Measures the same work done by alchemy and by a plain script, if they are installed. */
export async function measurePeers(bench) {
  const peers = join(bench.home, "bench/peers");
  const installed = join(peers, "node_modules/alchemy/package.json");
  if (!existsSync(installed)) {
    return [wordsRow("peers", "not installed: npm ci --ignore-scripts --omit=peer --prefix bench/peers")];
  }
  const { version } = JSON.parse(readFileSync(installed, "utf8"));
  const service = await startService(bench.scratch, latency);
  try {
    const names = { alchemy: `alchemy ${version}`, script: "a script with fetch" };
    const created = await creates(bench, service, await place(bench, peers, service, 1000));
    const unchanged = await nothing(bench, service, await place(bench, peers, service, 5000));
    return [...createdRows(names, created), ...unchangedRows(names, unchanged)];
  } finally {
    service.stop();
  }
}

/** A workspace, the commands of the peers for it, and how to reset what they did. */
function place({ scratch, env }, peers, service, count) {
  const directory = join(scratch, `peers-${count}`);
  const [objects, ids, root] = ["objects.json", "ids.json", "alchemy"].map((name) => `${directory}-${name}`);
  makeWorkspace(directory, count, 1, service.url);
  writeObjects(directory, objects);
  const node = (name, ...args) => [process.execPath, join(peers, name), ...args];
  return {
    directory,
    count,
    alchemy: {
      args: node("alchemy.mjs", objects, service.url, root),
      env: { ...env, ALCHEMY_TELEMETRY_DISABLED: "1" },
    },
    script: { args: node("script.mjs", directory, service.url, ids, "16"), env },
    forget: async () => {
      forgetApplied(directory);
      for (const path of [ids, root]) rmSync(path, { recursive: true, force: true });
      await service.seen();
    },
  };
}

async function creates({ agentform, rounds = 5 }, service, { directory, count, alchemy, script, forget }) {
  const saw = async () => {
    const seen = await service.seen();
    if (seen.requests !== count) throw new Error(`${seen.requests} requests for ${count} creates`);
    return seen;
  };
  await forget();
  const { stdout } = await run(alchemy.args, alchemy.env);
  const tenth = Math.max(1, Math.floor(Number(stdout) / 10));
  const each = (command) => ({ ...command, before: forget, after: saw });
  const plan = agentform.plan(directory);
  const planned = async () => {
    await forget();
    await run(plan.args, plan.env);
  };
  const runs = await compare(
    {
      tenth: each(agentform.apply(directory, tenth, "--no-cache")),
      planned: { ...each(agentform.apply(directory, tenth)), before: planned },
      alchemy: {
        ...each(alchemy),
        after: async ({ stdout }) => ({ ...(await saw()), sent: Number(stdout) }),
      },
      sixteen: each(agentform.apply(directory, 16, "--no-cache")),
      script: each(script),
    },
    rounds,
  );
  return { ...runs, concurrency: tenth };
}

async function nothing({ agentform, env, rounds = 5 }, service, { directory, alchemy, script, forget }) {
  const cache = `${directory}-cache`;
  const apply = { ...agentform.apply(directory, 100), env: { ...env, XDG_CACHE_HOME: cache } };
  const look = lookAgain({ directory, lock: join(directory, "agentform.lock"), cache, env });
  await forget();
  for (const { args, env } of [apply, alchemy, script]) await run(args, env);
  await service.seen();
  const after = async () => {
    const { requests } = await service.seen();
    if (requests > 0) throw new Error(`${requests} requests although nothing changed`);
  };
  return compare(
    { agentform: { ...apply, after }, alchemy: { ...alchemy, after }, script: { ...script, after }, look },
    rounds,
  );
}

function createdRows(names, { tenth, planned, alchemy, sixteen, script, concurrency }) {
  const work = "1,000 creates at 20 ms";
  return [
    beside(`${work}, cold, ${concurrency} in flight`, tenth, names.alchemy, alchemy, { ratio: 0.5 }),
    beside(`${work}, planned before, ${concurrency} in flight`, planned, names.alchemy, alchemy, {
      ratio: 0.5,
    }),
    alone(`${work}, ${names.alchemy}, ${median(alchemy, "sent")} in flight`, alchemy),
    beside(`${work}, cold, 16 in flight`, sixteen, names.script, script),
    alone(`${work}, ${names.script}, 16 in flight`, script),
  ];
}

function unchangedRows(names, { agentform, alchemy, script, look }) {
  const work = "5,000 resources, nothing to do";
  return [
    beside(`${work}, warm`, agentform, names.alchemy, alchemy, { ratio: 0.2 }),
    beside(`${work}, warm`, agentform, names.script, script),
    beside("floor: digests and what is kept of 5,000 resources", look, names.alchemy, alchemy),
    alone(`${work}, ${names.alchemy}`, alchemy),
    alone(`${work}, ${names.script}`, script),
  ];
}

function beside(work, runs, name, others, target) {
  return row({
    work,
    seconds: median(runs),
    memory: median(runs, "memory"),
    floor: { name, seconds: median(others) },
    ratio: ratio(runs, others),
    target,
  });
}

function alone(work, runs) {
  return row({ work, seconds: median(runs), memory: median(runs, "memory") });
}
