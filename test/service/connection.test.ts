import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as setTimer } from "node:timers";
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Outcome } from "../../src/core/observation/service.js";
import { waitFor } from "../../src/service/retry.js";
import { answer, rawServer, type Reaction } from "./raw-server.js";
import { calling, createAgent, rested, updateAgent } from "./calling.js";
import { wholeTest } from "../harness/tier.js";

const fine = answer(200, '{"agent_id":"66f1"}');

/** Holds the clock that connections are timed with; gives what lets milliseconds pass. */
function holdClock(): (milliseconds: number) => void {
  let now = performance.now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  return (milliseconds) => void (now += milliseconds);
}

describe("a kept connection", () => {
  it("carries creates that follow each other", async () => {
    const server = await rawServer([fine]);
    const { service } = await calling(server.url);
    holdClock();
    for (let n = 0; n < 4; n++) {
      await service.send(createAgent, "create");
      await rested();
    }
    expect(server.received.map(({ connection }) => connection)).toEqual([0, 0, 0, 0]);
  });

  it("rests after an answer, and a second one carries the next request meanwhile", async () => {
    const server = await rawServer([fine]);
    const { service } = await calling(server.url);
    // However slow the machine is, none is idle for a second.
    holdClock();
    for (let n = 0; n < 20; n++) await service.send(createAgent, "create");
    expect(server.connections()).toBe(2);
  });

  it("carries no create once it has been idle for a second, but an update", async () => {
    const server = await rawServer([fine]);
    const { service } = await calling(server.url);
    const pass = holdClock();
    await service.send(createAgent, "create");
    await rested();
    pass(1050);
    await service.send(updateAgent, "update");
    await rested();
    pass(1050);
    await service.send(createAgent, "create");
    expect(server.received.map(({ connection }) => connection)).toEqual([0, 0, 1]);
  });

  it.each([
    ["1", 400],
    ["0", 0],
  ])(
    "carries no create when the service keeps it for %s s, as it says, and it was idle for %d ms",
    async (seconds, idle) => {
      const server = await rawServer([answer(200, "{}", { "keep-alive": `timeout=${seconds}` })]);
      const { service } = await calling(server.url);
      const pass = holdClock();
      for (let n = 0; n < 2; n++) {
        await service.send(createAgent, "create");
        await rested();
        pass(idle + 1);
      }
      expect(server.received.map(({ connection }) => connection)).toEqual([0, 1]);
    },
  );

  it("carries a create only well within the time after which the service was seen to close one", async () => {
    const sockets: Socket[] = [];
    const server = await rawServer([
      (socket) => {
        sockets.push(socket);
        socket.write(fine);
      },
      fine,
    ]);
    const { service } = await calling(server.url);
    const pass = holdClock();
    await service.send(createAgent, "create");
    pass(60);
    // The other side closes it, too, once it has seen the end.
    await Promise.all(sockets.map((socket) => once(socket.end(), "close")));
    await service.send(createAgent, "create");
    pass(40);
    await service.send(createAgent, "create");
    expect(server.received.map(({ connection }) => connection)).toEqual([0, 1, 2]);
  });

  wholeTest(
    "is used by few creates behind a proxy that closes idle ones soon: until one was seen to close",
    async () => {
      const timers = new Map<Socket, NodeJS.Timeout>();
      const short: Reaction = (socket) => {
        clearTimeout(timers.get(socket));
        socket.write(fine);
        timers.set(
          socket,
          setTimer(() => socket.end(), 50),
        );
      };
      const server = await rawServer([short]);
      const { service } = await calling(server.url);
      const types: string[] = [];
      for (let n = 0; n < 60; n++) {
        types.push((await service.send(createAgent, "create")).type);
        await setTimeout(46 + (n % 8));
      }
      expect(types.filter((type) => type !== "success").length).toBeLessThanOrEqual(2);
    },
  );

  it("carries no create while a second answer may follow, which would be taken for that of the create", async () => {
    const twice: Reaction = (socket) => {
      socket.write(answer(200, '{"id":"own"}'));
      void setTimeout(3).then(() => socket.write(answer(200, '{"id":"second"}')));
    };
    const server = await rawServer([twice]);
    const { service } = await calling(server.url);
    const outcomes = await sendMany(100, () => service.send(createAgent, "create"));
    const ids = outcomes.map((outcome) => outcome.type === "success" && outcome.answer);
    expect(ids.filter((id) => isDeepStrictEqual(id, { id: "second" }))).toEqual([]);
    expect(server.received).toHaveLength(100);
  });

  it.each([0, 2, 5])(
    "that the service closes %i ms after an answer carries no second create",
    async (delay) => {
      const closing: Reaction = (socket) => {
        socket.write(fine);
        void setTimeout(delay).then(() => socket.end());
      };
      const server = await rawServer([closing]);
      const { service } = await calling(server.url);
      const outcomes = await sendMany(100, () => service.send(createAgent, "create"));
      expect(outcomes.filter(({ type }) => type !== "success")).toEqual([]);
      expect(server.connections()).toBe(100);
    },
  );

  it("that the service closed while it was idle is not used", async () => {
    const closed: Promise<unknown>[] = [];
    const closing: Reaction = (socket) => {
      closed.push(once(socket, "close"));
      socket.end(fine);
    };
    const server = await rawServer([closing]);
    const { service } = await calling(server.url);
    for (let n = 0; n < 2; n++) {
      expect(await service.send(createAgent, "create")).toMatchObject({ type: "success" });
      await Promise.all(closed);
    }
    expect(server.connections()).toBe(2);
  });

  it.each([
    ["create", "unknown", 2],
    ["update", "success", 3],
  ] as const)("that is reset under a %s leaves it %s", async (intent, type, received) => {
    const server = await rawServer([fine, (socket) => socket.resetAndDestroy(), fine]);
    const { service } = await calling(server.url);
    await service.send(createAgent, "create");
    await rested();
    expect(await service.send(createAgent, intent)).toMatchObject({ type });
    expect(server.received).toHaveLength(received);
    expect(server.received[1]?.connection).toBe(0);
  });
});

/** Sends requests, eight at once. */
async function sendMany(count: number, send: () => Promise<Outcome>): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun++ < count) outcomes.push(await send());
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return outcomes;
}

describe("a run", () => {
  it("has no more under way than its concurrency", async () => {
    let open = 0;
    let most = 0;
    const slow: Reaction = async (socket) => {
      most = Math.max(most, ++open);
      await setTimeout(5);
      open--;
      socket.write(fine);
    };
    const server = await rawServer([(socket) => void slow(socket)]);
    const { service } = await calling(server.url, { concurrency: 3 });
    await Promise.all(Array.from({ length: 12 }, () => service.send(createAgent, "create")));
    expect(most).toBe(3);
    // While one rests, the next request has another.
    expect(server.connections()).toBeLessThanOrEqual(6);
  });

  it("is held as a whole by Retry-After", async () => {
    const server = await rawServer([answer(429, "", { "retry-after": "5" }), fine]);
    let end: (() => void) | undefined;
    const slept: number[] = [];
    const { service } = await calling(server.url, {
      sleep: (ms) => {
        slept.push(ms);
        // The other waits are for the pace.
        if (ms < 5000) return Promise.resolve();
        return new Promise((resolve) => {
          end = resolve;
        });
      },
    });
    const first = service.send(createAgent, "create");
    while (slept.length === 0) await setTimeout(1);
    const second = service.send(updateAgent, "update");
    await setTimeout(20);
    expect(server.received).toHaveLength(1);
    end?.();
    expect(await Promise.all([first, second])).toMatchObject([{ type: "success" }, { type: "success" }]);
    expect(slept[0]).toBe(5000);
    expect(server.received).toHaveLength(3);
  });

  it("that is stopped repeats nothing and sends nothing more, but finishes what is under way", async () => {
    const stop = new AbortController();
    const stopping = async (socket: Socket): Promise<void> => {
      stop.abort();
      await setTimeout(10);
      socket.write(answer(429));
    };
    const server = await rawServer([(socket) => void stopping(socket)]);
    const { service, slept } = await calling(server.url, { signal: stop.signal });
    expect(await service.send(createAgent, "create")).toMatchObject({ type: "rejected", status: 429 });
    expect(await service.send(createAgent, "create")).toEqual({
      type: "not-sent",
      message: "stopped before it was sent",
    });
    expect(slept).toEqual([]);
    expect(server.received).toHaveLength(1);
  });

  it("that is stopped ends its waits", async () => {
    const stop = new AbortController();
    const server = await rawServer([answer(429, "", { "retry-after": "60" })]);
    const { service } = await calling(server.url, {
      signal: stop.signal,
      sleep: (_ms, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve());
          stop.abort();
        }),
    });
    expect(await service.send(createAgent, "create")).toMatchObject({ type: "rejected", status: 429 });
    expect(server.received).toHaveLength(1);
  });

  it("may wait with many requests at once without a warning", async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error): void => void warnings.push(warning);
    process.on("warning", listen);
    onTestFinished(() => void process.off("warning", listen));
    const server = await rawServer([...Array<string>(30).fill(answer(429)), fine]);
    const { service } = await calling(server.url, {
      concurrency: 30,
      retry: { limit: 3, maxDelay: 20 },
      sleep: waitFor,
      now: Date.now,
    });
    await Promise.all(Array.from({ length: 30 }, () => service.send(createAgent, "create")));
    expect(server.received).toHaveLength(60);
    expect(warnings).toEqual([]);
  });

  it("that is closed leaves what was under way unknown", async () => {
    const server = await rawServer([() => void service.close()]);
    const { service } = await calling(server.url);
    expect(await service.send(createAgent, "create")).toMatchObject({ type: "unknown" });
    expect(await service.send(updateAgent, "update")).toMatchObject({ type: "not-sent" });
  });
});
