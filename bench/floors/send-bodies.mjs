/**
 * Posts the objects of a JSON file: no plan, no order; references are sent as written. With Node's own client and no
 * journal, or, given a file for one, with got and a synced line before and after each request.
 * `node send-bodies.mjs FILE URL CONCURRENCY [JOURNAL]`
 */
import { fdatasync, openSync, readFileSync, writeSync } from "node:fs";
import { Agent, request } from "node:http";
import { promisify } from "node:util";

const [file, url, concurrency, journal] = process.argv.slice(2);
const paths = { Policy: "/v1/rai/policies", ToolSet: "/v3/tools/", Agent: "/v3/agents/" };
const agent = new Agent({ keepAlive: true, maxSockets: Number(concurrency) });
const headers = { "x-api-key": "key", accept: "application/json", "content-type": "application/json" };

function post({ kind, spec }) {
  return new Promise((resolve, reject) => {
    const outgoing = request(url + paths[kind], { method: "POST", agent, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part) => (text += part));
      answer.once("end", () => {
        if (answer.statusCode === 200 || answer.statusCode === 201) resolve(JSON.parse(text));
        else reject(new Error(`${answer.statusCode}: ${text}`));
      });
    });
    outgoing.once("error", reject);
    outgoing.end(JSON.stringify(spec));
  });
}

/** Gives a `post` that is careful: by got, as a stream, between two lines of a journal. */
async function carefully() {
  const { got } = await import("got");
  const client = got.extend({ headers, agent: { http: agent }, retry: { limit: 0 }, followRedirect: false });
  const lines = openJournal();
  return async ({ kind, spec }) => {
    await lines.add({ type: "begin", kind, spec });
    const parts = [];
    const stream = client.stream(url + paths[kind], {
      method: "POST",
      body: Buffer.from(JSON.stringify(spec)),
    });
    await new Promise((resolve, reject) => {
      stream
        .on("data", (part) => parts.push(part))
        .once("end", resolve)
        .once("error", reject);
    });
    // The next request need not wait for this line.
    void lines.add({ type: "done", answer: JSON.parse(Buffer.concat(parts).toString()) });
  };
}

function openJournal() {
  const fd = openSync(journal, "w");
  const sync = promisify(fdatasync);
  let [written, syncing] = [0, undefined];
  const syncOnce = async () => {
    const covered = written;
    await sync(fd);
    syncing = undefined;
    return covered;
  };
  return {
    async add(line) {
      writeSync(fd, `${JSON.stringify(line)}\n`);
      const mine = ++written;
      while ((await (syncing ??= syncOnce())) < mine);
    },
  };
}

const send = journal === undefined ? post : await carefully();
const objects = JSON.parse(readFileSync(file, "utf8")).values();
async function work() {
  // All senders take from one iterator.
  for (const object of objects) await send(object);
}
await Promise.all(Array.from({ length: Number(concurrency) }, work));
agent.destroy();
