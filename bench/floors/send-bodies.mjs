/**
 * Posts the objects of a JSON file with Node's own client: no plan, no order, no journal; references are sent
 * as written. `node send-bodies.mjs FILE URL CONCURRENCY`
 */
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";

const [file, url, concurrency] = process.argv.slice(2);
const paths = { Policy: "/v1/rai/policies", ToolSet: "/v3/tools/", Agent: "/v3/agents/" };
const agent = new Agent({ keepAlive: true, maxSockets: Number(concurrency) });
const headers = { "x-api-key": "key", accept: "application/json", "content-type": "application/json" };

function send({ kind, spec }) {
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

const objects = JSON.parse(readFileSync(file, "utf8")).values();
async function work() {
  // All senders take from one iterator.
  for (const object of objects) await send(object);
}
await Promise.all(Array.from({ length: Number(concurrency) }, work));
agent.destroy();
