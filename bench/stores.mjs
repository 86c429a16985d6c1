import { fork } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startPostgres } from "../test/harness/postgres-server.mjs";
import { forgetApplied } from "./agentform.mjs";
import { makeWorkspace } from "./make-workspace.mjs";
import { compare, median, ratio } from "./measure.mjs";
import { startService } from "./service.mjs";
import { row, wordsRow } from "./table.mjs";

const [count, latency, concurrency] = [1000, 20, 16];
const entry = fileURLToPath(new URL("state-server.mjs", import.meta.url));

/** Measures applies of 1,000 new resources on each store, beside the same apply on the store in files. */
export async function measureStores({ agentform, scratch, rounds = 5 }) {
  const service = await startService(scratch, latency);
  const state = fork(entry, [String(latency)]);
  const database = await startPostgres({ isDurable: true });
  try {
    const [address] = await once(state, "message");
    const seen = async () => {
      state.send("seen");
      const [written] = await once(state, "message");
      return written;
    };
    const make = (name, lock = "") => {
      const directory = join(scratch, `store-${name}`);
      makeWorkspace(directory, count, 1, service.url);
      appendFileSync(join(directory, "agentform.yaml"), lock);
      const before = async () => {
        forgetApplied(directory);
        await service.seen();
        await seen();
      };
      const after = async () => {
        const { requests } = await service.seen();
        if (requests !== count) throw new Error(`${requests} requests for ${count} creates`);
        return await seen();
      };
      return { ...agentform.apply(directory, concurrency), before, after };
    };
    const { file, http, postgres } = await compare(
      {
        file: make("file"),
        http: make("http", `  lock: {store: http, address: ${address}/bench}\n`),
        postgres: inDatabase(database, make("postgres", "  lock: {store: postgres}\n")),
      },
      rounds,
    );
    return rowsOf(file, http, postgres);
  } finally {
    service.stop();
    state.disconnect();
    await database.stop();
  }
}

function rowsOf(file, http, postgres) {
  const work = `apply, ${count.toLocaleString("en")} creates at ${latency} ms, ${concurrency} in flight`;
  const floor = { name: "file store", seconds: median(file) };
  const megabytes = (median(http, "bytes") / 1e6).toFixed(1);
  return [
    row({ work: `${work}, store in files`, seconds: median(file), memory: median(file, "memory") }),
    row({
      work: `${work}, HTTP store`,
      seconds: median(http),
      memory: median(http, "memory"),
      floor,
      ratio: ratio(http, file),
    }),
    wordsRow("what the HTTP store sends meanwhile", `${median(http, "requests")} requests, ${megabytes} MB`),
    row({
      work: `${work}, PostgreSQL store on this machine`,
      seconds: median(postgres),
      memory: median(postgres, "memory"),
      floor,
      ratio: ratio(postgres, file),
      target: { ratio: 1.15 },
    }),
  ];
}

function inDatabase({ port, password, run }, apply) {
  const address = { PGHOST: "127.0.0.1", PGPORT: String(port), PGDATABASE: "postgres" };
  const before = async () => {
    await apply.before();
    await run("drop schema if exists agentform cascade");
  };
  return { ...apply, env: { ...apply.env, ...address, PGUSER: "postgres", PGPASSWORD: password }, before };
}
