/** An apply that is killed half way, and the next one, which recovers from it. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeWorkspace } from "./make-workspace.mjs";
import { run } from "./measure.mjs";
import { startService } from "./service.mjs";
import { row, wordsRow } from "./table.mjs";

const concurrency = 16;
/** The exit code of an apply that leaves outcomes unknown. */
const unknownCode = 3;

/** Measures creates that are killed half way, once and without a warm-up, and checks what the next apply makes of it. */
export async function measureKilled({ agentform, scratch }, count, limits) {
  const service = await startService(scratch, 0);
  try {
    const directory = join(scratch, `killed-${count}`);
    makeWorkspace(directory, count, 100, service.url);
    const apply = agentform.apply(directory, concurrency);
    const killed = await killHalfWay(apply, service, count);
    const again = await run(apply.args, apply.env, unknownCode);
    const listed = await run(...Object.values(agentform.lockList(directory)));
    const check = checkObjects(await service.objects(), JSON.parse(listed.stdout).resources, count);
    const work = `apply, ${count.toLocaleString("en")} creates`;
    return [
      row({ work: `${work}, killed half way`, ...killed, target: limits }),
      row({ work: `${work}, the next one: recovery and the rest`, ...again, target: limits }),
      row({ work: `lock list of ${count.toLocaleString("en")}`, ...listed }),
      wordsRow(`${work}, what is lost or made twice`, check, "none", true),
    ];
  } finally {
    service.stop();
  }
}

async function killHalfWay({ args: [command, ...args], env }, service, count) {
  const begun = performance.now();
  const child = spawn(command, args, { env, stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("close", (code, signal) => resolve(signal ?? code)));
  let memory = Number.NaN;
  const isOver = ended.then(() => true);
  while ((await service.count()) < count / 2) {
    memory = peakOf(child.pid) ?? memory;
    if (await Promise.race([isOver, sleep(100)])) throw new Error(`the apply ended before it was killed`);
  }
  memory = peakOf(child.pid) ?? memory;
  child.kill("SIGKILL");
  const how = await ended;
  if (how !== "SIGKILL") throw new Error(`the apply ended with ${how} before it was killed`);
  return { seconds: (performance.now() - begun) / 1000, memory };
}

function peakOf(pid) {
  try {
    const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kib === undefined ? undefined : (Number(kib) * 1024) / 1e6;
  } catch {
    return undefined;
  }
}

/** Throws if an object was made twice, or is in the service and not in the lock, but for outcomes that it has as unknown. */
function checkObjects(objects, resources, count) {
  const names = new Set(objects.map(([name]) => name));
  if (names.size !== objects.length)
    throw new Error(`${objects.length - names.size} objects were made twice`);
  const known = new Set(resources.flatMap(({ id, ids = [] }) => [id, ...ids]));
  const lost = objects.filter(([, id]) => !known.has(id));
  const unknown = resources.filter(({ state }) => state === "unknown");
  // A tool set has three tools.
  if (unknown.length > concurrency || lost.length > 3 * unknown.length) {
    throw new Error(`${lost.length} objects are not in the lock, with ${unknown.length} unknown outcomes`);
  }
  const made = resources.length - unknown.length;
  if (made < count / 2) throw new Error(`only ${made} of ${count} resources are in the lock`);
  return `none; ${unknown.length} of unknown outcome, ${made.toLocaleString("en")} made`;
}
