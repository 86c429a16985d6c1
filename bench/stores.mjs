import { fork } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { forgetApplied } from "./agentform.mjs";
import { makeWorkspace } from "./make-workspace.mjs";
import { compare, median, ratio } from "./measure.mjs";
import { startService } from "./service.mjs";
import { row, wordsRow } from "./table.mjs";

const [count, latency, concurrency] = [1000, 20, 16];

/** The stores on a server: the server's program, and the lock of a manifest for its address. */
const servers = {
  http: {
    title: "HTTP store",
    entry: "state-server.mjs",
    lock: (url) => `{store: http, address: ${url}/bench}`,
  },
  s3: {
    title: "S3 store",
    entry: "s3-server.mjs",
    lock: (url) => `{store: s3, bucket: bench, key: state.json, endpoint: "${url}"}`,
  },
};

/** The server of the bench does not look at it. */
const key = { AWS_ACCESS_KEY_ID: "bench", AWS_SECRET_ACCESS_KEY: "bench" };

/** Starts the server of a store with a delay per request. */
async function startServer(entry) {
  const child = fork(fileURLToPath(new URL(entry, import.meta.url)), [String(latency)]);
  const [url] = await once(child, "message");
  const seen = async () => {
    child.send("seen");
    const [written] = await once(child, "message");
    return written;
  };
  return { url, seen, stop: () => child.disconnect() };
}

/** Measures applies of 1,000 new resources on each store, beside the same apply on the store in files. */
export async function measureStores({ agentform, scratch, rounds = 5 }) {
  const service = await startService(scratch, latency);
  const states = {};
  try {
    for (const [name, { entry }] of Object.entries(servers)) states[name] = await startServer(entry);
    const make = (name) => {
      const { url, seen } = states[name] ?? {};
      const directory = join(scratch, `store-${name}`);
      makeWorkspace(directory, count, 1, service.url);
      const lock = servers[name]?.lock(url);
      if (lock) appendFileSync(join(directory, "agentform.yaml"), `  lock: ${lock}\n`);
      const before = async () => {
        forgetApplied(directory);
        await service.seen();
        await seen?.();
      };
      const after = async () => {
        const { requests } = await service.seen();
        if (requests !== count) throw new Error(`${requests} requests for ${count} creates`);
        return await seen?.();
      };
      const { args, env } = agentform.apply(directory, concurrency);
      return { args, env: { ...env, ...key }, before, after };
    };
    const names = Object.keys(servers);
    const samples = await compare(
      Object.fromEntries(["file", ...names].map((name) => [name, make(name)])),
      rounds,
    );
    const { file } = samples;
    const work = `apply, ${count.toLocaleString("en")} creates at ${latency} ms, ${concurrency} in flight`;
    const floor = { name: "file store", seconds: median(file) };
    const rows = names.flatMap((name) => {
      const [{ title }, measured] = [servers[name], samples[name]];
      const megabytes = (median(measured, "bytes") / 1e6).toFixed(1);
      const [seconds, memory] = [median(measured), median(measured, "memory")];
      return [
        row({ work: `${work}, ${title}`, seconds, memory, floor, ratio: ratio(measured, file) }),
        wordsRow(
          `what the ${title} sends meanwhile`,
          `${median(measured, "requests")} requests, ${megabytes} MB`,
        ),
      ];
    });
    const inFiles = { seconds: median(file), memory: median(file, "memory") };
    return [row({ work: `${work}, store in files`, ...inFiles }), ...rows];
  } finally {
    service.stop();
    for (const { stop } of Object.values(states)) stop();
  }
}
