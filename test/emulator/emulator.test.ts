import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect, createServer } from "node:net";
import { performance } from "node:perf_hooks";
import { describe, expect, it, onTestFinished } from "vitest";
import { startEmulator } from "../../src/emulator/emulator.js";
import { post } from "./raw-request.js";
import { running, temporaryFolder } from "./running.js";

describe("startEmulator", () => {
  it("listens on 127.0.0.1 alone, on a free port unless one is given", async () => {
    const { url, port, close } = await running();
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect(port).toBeGreaterThan(0);
    // A port at which a connection has just ended is given to nobody who asks for any.
    await post(port, "/nowhere", {});
    await close();
    const again = await running({ port });
    expect(again.port).toBe(port);
    expect((await post(port, "/v3/agents/", { name: "a" })).status).toBe(200);
  });

  it("rejects when the port is taken", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await expect(startEmulator({ port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  it("lists the requests in the order in which they came", async () => {
    const { port, requests, close } = await running({ faults: [{ hang: true }] });
    const slow = post(port, "/v3/agents/", { name: "slow" });
    await expect.poll(() => requests.length).toBe(1);
    await post(port, "/v3/nowhere", {});
    expect(requests).toEqual([
      { method: "POST", path: "/v3/agents/", status: 0 },
      { method: "POST", path: "/v3/nowhere", status: 404 },
    ]);
    await close();
    expect((await slow).status).toBe(0);
  });

  it("gives copies of its objects", async () => {
    const { port, objects } = await running();
    await post(port, "/v3/agents/", { name: "a" });
    const copy = objects();
    copy.agents.pop();
    expect(objects().agents).toHaveLength(1);
  });

  it("waits for the latency before every answer", async () => {
    const { port } = await running({ latency: 120 });
    const begun = performance.now();
    await post(port, "/v3/agents/", { name: "a" });
    expect(performance.now() - begun).toBeGreaterThan(115);
    const refused = performance.now();
    await post(port, "/nowhere", {});
    expect(performance.now() - refused).toBeGreaterThan(115);
  });

  it("takes many requests that wait at a time", async () => {
    const { port, requests, close } = await running({ latency: 3_600_000 });
    const waiting = Array.from({ length: 10 }, () => post(port, "/v3/agents/", { name: "a" }));
    await expect.poll(() => requests.length).toBe(10);
    await close();
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(0);
  });

  it("serves many requests on one connection, and outlives a client that hangs up", async () => {
    const { port, url, requests, objects } = await running({ faults: [{ delay: 50 }] });
    const socket = connect(port, "127.0.0.1");
    const body = '{"name":"a"}';
    const head =
      "host: localhost\r\nx-api-key: k\r\naccept: application/json\r\ncontent-type: application/json";
    socket.write(`POST /v3/agents/ HTTP/1.1\r\n${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    await expect.poll(() => objects().agents.length).toBe(1);
    socket.destroy();
    await expect.poll(() => requests[0]?.status).toBe(200);
    for (let time = 0; time < 3; time += 1) {
      const headers = { "x-api-key": "k", accept: "application/json", "content-type": "application/json" };
      const response = await fetch(`${url}/v3/agents/`, { method: "POST", headers, body });
      expect(await response.json()).toHaveProperty("agent_id");
    }
    expect(objects().agents).toHaveLength(4);
  });
});

describe("close", () => {
  it("ends idle keep-alive connections at once, and can be called twice", async () => {
    const { port, close } = await running();
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const outgoing = request({ port, host: "127.0.0.1", method: "POST", path: "/v3/agents/", agent }).end(
      "{}",
    );
    const [socket] = await once(outgoing, "socket");
    const [response] = await once(outgoing, "response");
    response.resume();
    await once(response, "end");
    expect(socket.destroyed).toBe(false);
    const ended = once(socket, "close");
    await Promise.all([close(), close()]);
    await ended;
  });

  it("does not wait for delayed answers, and lets the port go", async () => {
    const data = temporaryFolder();
    const lines: string[] = [];
    const log = (line: string): void => void lines.push(line);
    const { port, objects, requests, close } = await running({ data, latency: 3_600_000, log });
    const waiting = post(port, "/v3/agents/", { name: "a" });
    await expect.poll(() => objects().agents.length).toBe(1);
    await close();
    expect((await waiting).status).toBe(0);
    await expect.poll(() => lines).toEqual(["POST /v3/agents/ - the connection ended before an answer"]);
    expect(requests[0]?.status).toBe(0);
    await running({ port });
  });
});
