/** A server of S3's conditional writes with a delay per request, in milliseconds. Forked by measureStores. */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const latency = Number(process.argv[2]);
let [objects, written] = [new Map(), { requests: 0, bytes: 0 }];

function answerTo({ method, url, headers }, body) {
  const present = objects.get(url);
  if (method === "GET") {
    return present ? [200, present.etag, present.body] : [404, "", "<Error><Code>NoSuchKey</Code></Error>"];
  }
  const isRefused = headers["if-none-match"] ? present : headers["if-match"] !== present?.etag;
  if (isRefused) return [412, "", ""];
  const etag = `"${createHash("md5").update(body).digest("hex")}"`;
  objects.set(url, { etag, body });
  written.bytes += body.length;
  return [200, etag, ""];
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  await sleep(latency);
  written.requests++;
  const [status, etag, text] = answerTo(request, Buffer.concat(chunks));
  response.writeHead(status, { etag }).end(text);
});
server.listen(0, "127.0.0.1", () => process.send(`http://127.0.0.1:${server.address().port}`));
// Each question is for what came since the last one, and forgets the objects.
process.on("message", () => {
  process.send(written);
  [objects, written] = [new Map(), { requests: 0, bytes: 0 }];
});
process.on("disconnect", () => process.exit());
