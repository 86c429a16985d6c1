import { once } from "node:events";
import { setImmediate, setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Outcome, Service } from "../../src/core/observation/service.js";
import { Deadline } from "../../src/service/deadline.js";
import { wholeTest } from "../harness/tier.js";
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
    const sent = await sendUntilReceived(service, stage);
    Atomics.store(stage, 0, stopped);
    Atomics.wait(stage, 0, stopped);
    // Until the time is up.
    Atomics.wait(stage, 0, answered, 400);
    expect(await sent.outcome).toMatchObject({ type: "success" });
  });

  it("has no less time because this process was stopped", async () => {
    const { url, stage } = await serverOfItsOwn();
    const { service } = await calling(url, { timeouts: { response: 300, total: 350 } });
    const sent = await sendUntilReceived(service, stage);
    Atomics.wait(stage, 0, received, 800);
    // The server answers only now.
    Atomics.store(stage, 0, stopped);
    expect(await sent.outcome).toMatchObject({ type: "success" });
  });

  wholeTest("without an answer ends, though this process is stopped again and again", async () => {
    const server = await rawServer([], { onConnection: (socket) => void socket.resume() });
    const { service } = await calling(server.url, { timeouts: { response: 300 } });
    const sent = service.send(createAgent, "create");
    // Shorter than what a process has at least after it was stopped.
    const isOver = () => Promise.race([sent.then(() => true), setTimeout(250, false)]);
    const stage = new Int32Array(new SharedArrayBuffer(4));
    while (!(await isOver())) Atomics.wait(stage, 0, 0, 250);
    expect(await sent).toEqual({ type: "unknown", message: "no answer within 0.3 s" });
  });
});

it.each([
  [60_000, 60_000],
  // At the first look 200 ms are left, of which a stop makes two seconds.
  [300, 2100],
])(
  "a try of %i ms in which this process was stopped ends after %i ms without the stop",
  async (total, end) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const expire = vi.fn();
    const timeouts = { connect: 100, send: 100, response: total, total };
    const deadline = new Deadline(timeouts, expire);
    const running = performance.now.bind(performance);
    const clock = vi.spyOn(performance, "now").mockImplementation(() => running() + 2500);
    onTestFinished(() => {
      deadline.stop();
      clock.mockRestore();
      vi.useRealTimers();
    });
    const start = running();
    while (expire.mock.calls.length === 0 && running() < start + 100_000) {
      vi.advanceTimersByTime(100);
      // What has arrived is read in two turns before the time is up.
      for (let turn = 0; turn < 3; turn++) await setImmediate();
    }
    expect(running() - start).toBe(end);
  },
);

const [received, stopped, answered] = [1, 2, 3];

/** Sends a create, for which no time passes until the server has it. */
async function sendUntilReceived(
  service: Service,
  stage: Int32Array,
): Promise<{ outcome: Promise<Outcome> }> {
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
  const outcome = service.send(createAgent, "create");
  while (Atomics.load(stage, 0) !== received) await setTimeout(1);
  // So that timers come next, before what has arrived is read.
  await setImmediate();
  clock.mockRestore();
  return { outcome };
}

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
