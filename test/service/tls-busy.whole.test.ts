import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test, vi } from "vitest";
import { calling, createAgent } from "./calling.js";
import { sample } from "../harness/tier.js";
import { certificate, certificateKey as key } from "./certificate.js";

// In a thread of its own, so that both answer while this one is busy.
const servers = `
const { once } = require("node:events");
const http = require("node:http");
const https = require("node:https");
const { connect } = require("node:net");
const { parentPort, workerData } = require("node:worker_threads");
const answer = (request, response) => request.resume().once("end", () => response.end('{"agent_id":"66f1"}'));
const tunnel = ({ url }, client) => {
  const upstream = connect(Number(url.split(":").pop()), "127.0.0.1", () => {
    client.write("HTTP/1.1 200 Connection established\\r\\n\\r\\n");
    client.pipe(upstream).pipe(client);
  });
  for (const [one, other] of [[client, upstream], [upstream, client]]) one.on("error", () => {}).once("close", () => other.destroy());
};
const started = [http.createServer(answer), https.createServer(workerData, answer), https.createServer(workerData).on("connect", tunnel)];
Promise.all(started.map((server) => once(server.listen(0, "127.0.0.1"), "listening"))).then(() =>
  parentPort.postMessage(started.map((server) => server.address().port)));
`;

test.each(
  sample(
    "busy connections",
    [
      { protocol: "https", proxied: false },
      { protocol: "http", proxied: true },
      { protocol: "https", proxied: true },
    ],
    1,
  ),
)(
  "an answer over TLS counts, however busy this process is before it: $protocol, through a TLS proxy: $proxied",
  async ({ protocol, proxied }) => {
    const worker = new Worker(servers, { eval: true, workerData: { key, cert: certificate } });
    const [[http, https, proxy]] = (await once(worker, "message")) as [[number, number, number]];
    // Node confirms what it has sent over TLS only after it has looked for what has arrived.
    const busy = setInterval(() => {
      const end = performance.now() + 20;
      while (performance.now() < end);
    });
    onTestFinished(async () => {
      vi.unstubAllEnvs();
      clearInterval(busy);
      await worker.terminate();
    });
    if (proxied) vi.stubEnv(`${protocol.toUpperCase()}_PROXY`, `https://127.0.0.1:${proxy}`);
    const host = proxied ? "agents.test" : "127.0.0.1";
    const { service } = await calling(`${protocol}://${host}:${protocol === "https" ? https : http}`, {
      certificates: certificate,
      allowInsecureHttp: true,
    });
    for (let sent = 0; sent < 20; sent++) {
      expect(await service.send(createAgent, "create")).toMatchObject({ type: "success" });
    }
  },
);
