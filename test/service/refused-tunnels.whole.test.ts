import type { Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { stride } from "../harness/tier.js";
import { calling, createAgent } from "./calling.js";
import { connectProxy, type Manner } from "./connect-proxy.js";
import { answer, rawServer } from "./raw-server.js";

const refused: Manner = { answer: "HTTP/1.1 502 Bad Gateway\r\n\r\n" };

const apart = stride("moments at which tunnels are dropped", 5);

// Node may give the error of one connection to several requests, of which some have failed by then.
test("a proxy that drops its tunnels and refuses new ones ends no run", async () => {
  const thrown: Error[] = [];
  const note = (error: Error) => void thrown.push(error);
  process.on("uncaughtExceptionMonitor", note);
  onTestFinished(() => void process.off("uncaughtExceptionMonitor", note));
  onTestFinished(() => void vi.unstubAllEnvs());
  for (let delay = 0; delay < 20; delay += apart) {
    const tunnels: Socket[] = [];
    let count = 0;
    const fine = answer(200, '{"agent_id":"66f1"}');
    const react = async (socket: Socket) => {
      socket.write(fine);
      if (++count !== 12) return;
      await setTimeout(delay / 3);
      for (const each of tunnels) each.destroy();
    };
    const server = await rawServer([(socket) => void react(socket)], {
      onConnection: (socket) => void tunnels.push(socket),
    });
    const manners = Array.from({ length: 16 }, (_, index) => (index < 4 ? "open" : refused));
    const proxy = await connectProxy({ manners: [...manners, "open"] });
    vi.stubEnv("HTTP_PROXY", proxy.url);
    const { service } = await calling(`http://agents.test:${server.port}`, {
      allowInsecureHttp: true,
      concurrency: 2,
    });
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => service.send(createAgent, "create")));
    expect(outcomes.filter(({ type }) => type === "success").length).toBeGreaterThan(0);
  }
  expect(thrown).toEqual([]);
});
