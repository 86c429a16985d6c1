/**
 * Measures a whole `agentform apply` of 1,000 new agents, 16 in flight, against a service that takes 20 ms for
 * each, beside a bare loop that sends the same bodies. Both are processes of their own, taken in turns.
 * `node scripts/build.mjs && node bench/apply.mjs [ROUNDS]`
 */
import { spawn, fork } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const count = 1000;
const concurrency = 16;
const latency = 20;
const here = fileURLToPath(import.meta.url);
const home = dirname(dirname(here));
const prompt = "You answer customers in their own language and say so when you do not know. ".repeat(12);

const bodies = Array.from({ length: count }, (_, index) => ({
  name: `Agent ${index}`,
  system_prompt: prompt,
  model: "small-1",
  temperature: 0.2,
}));

/** Sends the bodies with nothing but node's own client. */
async function sendBare(url) {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const headers = { "x-api-key": "key", accept: "application/json", "content-type": "application/json" };
  const send = (body) =>
    new Promise((resolve, reject) => {
      const outgoing = request(`${url}/v3/agents/`, { method: "POST", agent, headers }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (part) => (text += part));
        answer.once("end", () => resolve(JSON.parse(text)));
      });
      outgoing.once("error", reject);
      outgoing.end(JSON.stringify(body));
    });
  const queue = [...bodies];
  const work = async () => {
    for (let body = queue.shift(); body !== undefined; body = queue.shift()) await send(body);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  agent.destroy();
}

/** Starts the emulator in a process of its own. */
async function startService(folder) {
  const outfile = join(folder, "service.mjs");
  const contents = `
    import { startEmulator } from "./src/emulator/emulator.ts";
    let [first, last] = [0, 0];
    const log = () => {
      last = performance.now();
      first ||= last;
    };
    const { url } = await startEmulator({ latency: ${latency}, log });
    process.send(url);
    process.on("message", () => {
      process.send((last - first) / 1000);
      first = 0;
    });
    process.on("disconnect", () => process.exit());`;
  await build({
    stdin: { contents, resolveDir: home, loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
  });
  const child = fork(outfile);
  const url = await new Promise((resolve) => child.once("message", resolve));
  // The seconds from the first request to the last since it was asked before.
  const sending = () =>
    new Promise((resolve) => {
      child.once("message", resolve);
      child.send("sending");
    });
  return { url, sending, stop: () => child.disconnect() };
}

/** Writes a workspace with nothing applied. */
function writeWorkspace(directory, url) {
  mkdirSync(join(directory, "agents"), { recursive: true });
  const service = { base_url: url, rai_base_url: url, api_key: "${env:AGENT_API_KEY}" };
  const document = (kind, name, spec) =>
    JSON.stringify({ apiVersion: "agentform/v1", kind, metadata: { name }, spec });
  writeFileSync(join(directory, "agentform.yaml"), document("Workspace", "bench", { service }));
  for (const [index, body] of bodies.entries()) {
    writeFileSync(
      join(directory, "agents", `agent-${index}.yaml`),
      document("Agent", `agent-${index}`, body),
    );
  }
}

/** Runs a process to its end; gives the seconds that it took. */
async function time(args) {
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, AGENT_API_KEY: "key" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (part) => (stderr += part));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr.slice(-2000)}`);
  return (performance.now() - began) / 1000;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

async function compare(rounds) {
  const folder = mkdtempSync(join(tmpdir(), "agentform-bench-"));
  const service = await startService(folder);
  const [applied, bare, appliedSending, bareSending] = [[], [], [], []];
  try {
    for (let round = 0; round < rounds; round++) {
      const directory = join(folder, `round-${round}`);
      writeWorkspace(directory, service.url);
      const cli = join(home, "dist/cli.js");
      bare.push(await time([here, "--bare", service.url]));
      bareSending.push(await service.sending());
      applied.push(
        await time([cli, "apply", "--yes", "--concurrency", String(concurrency), "-C", directory]),
      );
      appliedSending.push(await service.sending());
    }
  } finally {
    service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  report("whole processes", applied, bare);
  report("first request to last", appliedSending, bareSending);
}

function report(name, applied, bare) {
  const ratio = median(applied.map((seconds, index) => seconds / bare[index]));
  const figures = `agentform apply ${median(applied).toFixed(2)} s, bare loop ${median(bare).toFixed(2)} s`;
  console.log(`${name}: ${figures}, ratio ${ratio.toFixed(2)} (target: at most 1.3)`);
}

const [first, url] = process.argv.slice(2);
if (first === "--bare") await sendBare(url);
else await compare(Number(first ?? 5));
