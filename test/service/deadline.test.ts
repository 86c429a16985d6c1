import { once } from "node:events";
import { setImmediate, setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import { calling, createAgent } from "./calling.js";
import { answer, rawServer, type Reaction } from "./raw-server.js";

describe("a create", () => {
  it("that the service does not read ends with the time for sending", async () => {
    const large = { ...createAgent, body: { prompt: "line\n".repeat(5_000_000) } };
    const server = await rawServer([], { onConnection: (socket) => void socket.pause() });
    const { service } = await calling(server.url, { timeouts: { send: 300 } });
    const outcome = await service.send(large, "create");
    expect(outcome).toEqual({ type: "unknown", message: "no answer within 0.3 s" });
    expect(server.connections()).toBe(1);
  });

  it("has a time for each part, and a short one for another part does not end it", async () => {
    const late: Reaction = (socket) =>
      void setTimeout(300).then(() => socket.write(answer(200, '{"id":"a"}')));
    const server = await rawServer([late]);
    const { service } = await calling(server.url, { timeouts: { send: 100 } });
    expect(await service.send(createAgent, "create")).toMatchObject({ type: "success" });
    expect(server.received).toHaveLength(1);
  });

  it("whose answer came while this process was stopped has succeeded", async () => {
    const { url, stage } = await serverOfItsOwn();
    const { service } = await calling(url, { timeouts: { response: 300 } });
    const sent = service.send(createAgent, "create");
    while (Atomics.load(stage, 0) !== received) await setTimeout(1);
    // So that timers come next, before what has arrived is read.
    await setImmediate();
    Atomics.store(stage, 0, stopped);
    Atomics.wait(stage, 0, stopped);
    // Until the time is up.
    Atomics.wait(stage, 0, answered, 400);
    expect(await sent).toMatchObject({ type: "success" });
  });

  it("has no less time because this process was stopped", async () => {
    const { url, stage } = await serverOfItsOwn();
    const { service } = await calling(url, { timeouts: { response: 300, total: 350 } });
    const sent = service.send(createAgent, "create");
    while (Atomics.load(stage, 0) !== received) await setTimeout(1);
    await setImmediate();
    Atomics.wait(stage, 0, received, 800);
    // The server answers only now.
    Atomics.store(stage, 0, stopped);
    expect(await sent).toMatchObject({ type: "success" });
  });
});

const [received, stopped, answered] = [1, 2, 3];

/** Starts a server in a thread of its own, which answers a request once this thread is stopped. */
async function serverOfItsOwn(): Promise<{ url: string; stage: Int32Array }> {
  const stage = new Int32Array(new SharedArrayBuffer(4));
  const code = `
    const { createServer } = require("node:http");
    const { parentPort, workerData: stage } = require("node:worker_threads");
    const tell = (next) => (Atomics.store(stage, 0, next), Atomics.notify(stage, 0));
    const server = createServer((request, response) => {
      request.resume().on("end", () => {
        tell(${received});
        const timer = setInterval(() => {
          if (Atomics.load(stage, 0) !== ${stopped}) return;
          clearInterval(timer);
          response.end('{"id":"a"}', () => tell(${answered}));
        }, 1);
      });
    });
    server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`;
  const worker = new Worker(code, { eval: true, workerData: stage });
  onTestFinished(async () => void (await worker.terminate()));
  const [port] = (await once(worker, "message")) as [number];
  return { url: `http://127.0.0.1:${port}`, stage };
}
