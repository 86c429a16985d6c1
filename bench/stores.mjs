import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { forgetApplied } from "./agentform.mjs";
import { makeWorkspace } from "./make-workspace.mjs";
import { compare, median, ratio } from "./measure.mjs";
import { startServer } from "./server.mjs";
import { startService } from "./service.mjs";
import { startPostgres } from "../test/harness/postgres-server.mjs";
import { row, wordsRow } from "./table.mjs";

const [latency, concurrency] = [20, 16];

/** Measures applies of 1,000 new resources on each store, beside the same apply on the store in files. */
export async function measureStores({ agentform, scratch, rounds = 5 }) {
  const count = rounds === 1 ? 100 : 1000;
  const service = await startService(scratch, latency);
  const http = await startServer(new URL("state-server.mjs", import.meta.url), latency);
  const s3 = await startServer(new URL("s3-server.mjs", import.meta.url), latency);
  const database = await startPostgres({ isDurable: true });
  const make = (name, lock = "", { seen } = {}) => {
    const directory = join(scratch, `store-${name}`);
    makeWorkspace(directory, count, 1, service.url);
    appendFileSync(join(directory, "agentform.yaml"), lock);
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
    return { ...agentform.apply(directory, concurrency), before, after };
  };
  try {
    const bucket = `  lock: {store: s3, bucket: bench, key: state.json, endpoint: "${s3.url}"}\n`;
    const measured = await compare(
      {
        file: make("file"),
        http: make("http", `  lock: {store: http, address: ${http.url}/bench}\n`, http),
        s3: withKey(make("s3", bucket, s3), s3.url),
        postgres: inDatabase(database, make("postgres", "  lock: {store: postgres}\n")),
      },
      rounds,
    );
    return rowsOf(measured, count);
  } finally {
    service.stop();
    http.stop();
    s3.stop();
    await database.stop();
  }
}

function rowsOf({ file, http, s3, postgres }, count) {
  const work = `apply, ${count.toLocaleString("en")} creates at ${latency} ms, ${concurrency} in flight`;
  const floor = { name: "file store", seconds: median(file) };
  const rowOf = (store, measured, more) => {
    const [seconds, memory] = [median(measured), median(measured, "memory")];
    return row({ work: `${work}, ${store}`, seconds, memory, ...more });
  };
  const beside = (measured) => ({ floor, ratio: ratio(measured, file) });
  const sent = (store, measured) => {
    const megabytes = (median(measured, "bytes") / 1e6).toFixed(1);
    const figure = `${median(measured, "requests")} requests, ${megabytes} MB`;
    return wordsRow(`what the ${store} sends meanwhile`, figure);
  };
  return [
    rowOf("store in files", file),
    rowOf("HTTP store", http, beside(http)),
    sent("HTTP store", http),
    rowOf("S3 store", s3, beside(s3)),
    sent("S3 store", s3),
    rowOf("PostgreSQL store on this machine", postgres, { ...beside(postgres), target: { ratio: 1.15 } }),
  ];
}

// The bench's own server does not look at it.
function withKey(apply, endpoint) {
  const key = { AWS_ACCESS_KEY_ID: "bench", AWS_SECRET_ACCESS_KEY: "bench", AWS_ENDPOINT_URL_S3: endpoint };
  return { ...apply, env: { ...apply.env, ...key } };
}

function inDatabase({ port, password, run }, apply) {
  const address = { PGHOST: "127.0.0.1", PGPORT: String(port), PGDATABASE: "postgres" };
  const before = async () => {
    await apply.before();
    await run("drop schema if exists agentform cascade");
  };
  return { ...apply, env: { ...apply.env, ...address, PGUSER: "postgres", PGPASSWORD: password }, before };
}
