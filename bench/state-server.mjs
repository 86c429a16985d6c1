/** A server of Terraform's HTTP state protocol with a delay per request, in milliseconds. Forked by measureStores. */
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const latency = Number(process.argv[2]);
let [state, lock, written] = ["", undefined, { requests: 0, bytes: 0 }];

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  await sleep(latency);
  written.requests++;
  let status = 200;
  if (request.method === "LOCK" && lock !== undefined) status = 423;
  else if (request.method === "LOCK") lock = body;
  else if (request.method === "UNLOCK") lock = undefined;
  else if (request.method === "POST") {
    state = body;
    written.bytes += body.length;
  }
  response.writeHead(status).end(request.method === "GET" ? state : "");
});
server.listen(0, "127.0.0.1", () => process.send(`http://127.0.0.1:${server.address().port}`));
// Each question is for what came since the last one, and forgets the state.
process.on("message", () => {
  process.send(written);
  [state, lock, written] = ["", undefined, { requests: 0, bytes: 0 }];
});
process.on("disconnect", () => process.exit());
