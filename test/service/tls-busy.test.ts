import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { calling, createAgent } from "./calling.js";
import { certificate, certificateKey as key } from "./certificate.js";

// In a thread of its own, so that it answers while this one is busy.
const server = `
const { createServer } = require("node:https");
const { parentPort, workerData } = require("node:worker_threads");
const answering = createServer(workerData, (request, response) => {
  request.resume().once("end", () => response.end('{"agent_id":"66f1"}'));
});
answering.listen(0, "127.0.0.1", () => parentPort.postMessage(answering.address().port));
`;

test("an answer over TLS counts, however busy this process is between a request and its answer", async () => {
  const worker = new Worker(server, { eval: true, workerData: { key, cert: certificate } });
  const [port] = (await once(worker, "message")) as [number];
  // Node confirms what it has sent over TLS only after it has looked for what has arrived.
  const busy = setInterval(() => {
    const end = performance.now() + 20;
    while (performance.now() < end);
  });
  onTestFinished(async () => {
    clearInterval(busy);
    await worker.terminate();
  });
  const { service } = await calling(`https://127.0.0.1:${port}`, { certificates: certificate });
  for (let sent = 0; sent < 20; sent++) {
    expect(await service.send(createAgent, "create")).toMatchObject({ type: "success" });
  }
});
