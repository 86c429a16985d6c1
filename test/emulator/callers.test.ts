import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { mostBytes } from "../../src/emulator/caller.js";
import { json, send } from "./raw-request.js";
import { running } from "./running.js";

const create = { method: "POST", path: "/v3/agents/", body: { name: "a" } };

describe("who asks the emulator", () => {
  it.each([
    ["a name that leads here", { host: "evil.example" }],
    ["a name that begins as this machine's", { host: "127.0.0.1.evil.example:80" }],
    ["a user before the name", { host: "127.0.0.1@evil.example" }],
    ["an address of all", { host: "0.0.0.0" }],
    ["a page of another site", { origin: "https://evil.example.com" }],
    ["a page of a file", { origin: "null" }],
    ["a page of another port", { origin: "http://127.0.0.1:1" }],
  ])("by %s gets nothing", async (_what, headers) => {
    const { port, objects, requests } = await running({ operations: "full" });
    for (const asked of [
      create,
      { method: "GET", path: "/v3/agents/" },
      { ...create, path: "/__emulator/edit" },
    ]) {
      const answer = await send(port, { ...asked, headers });
      expect([answer.status, json(answer)]).toEqual([403, { message: expect.any(String) }]);
    }
    expect(objects().agents).toEqual([]);
    // A page may send any number of them, with a long path each.
    expect(requests).toEqual([]);
  });

  it.each(["127.0.0.1", "localhost", "[::1]"])(
    "by %s is answered, and so is a page of its own",
    async (name) => {
      const { port } = await running();
      const host = `${name}:${port}`;
      expect((await send(port, { ...create, headers: { host } })).status).toBe(200);
      expect((await send(port, { ...create, headers: { host, origin: `http://${host}` } })).status).toBe(200);
    },
  );

  it("has to know the key of the console, which is another one each time", async () => {
    const [one, other] = [await running({ consoleKey: undefined }), await running({ consoleKey: undefined })];
    expect(one.consoleKey).toMatch(/^[0-9a-f]{32}$/);
    expect(one.consoleKey).not.toBe(other.consoleKey);
    const edit = { method: "POST", path: "/__emulator/edit", body: { kind: "agent", create: { name: "a" } } };
    for (const key of ["some-key", other.consoleKey, ""]) {
      expect((await send(one.port, { ...edit, headers: { "x-api-key": key } })).status).toBe(401);
    }
    expect((await send(one.port, { ...edit, headers: { "x-api-key": one.consoleKey } })).status).toBe(200);
    expect(one.requests).toHaveLength(1);
  });

  it.each([
    ["without a key", "", 401],
    ["with one", "x-api-key: k\r\n", 413],
  ])("%s has no endless body kept", async (_what, key, status) => {
    const { port } = await running();
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    let said = "";
    socket.setEncoding("utf8").on("data", (text: string) => (said += text));
    socket.write(`POST /v3/agents/ HTTP/1.1\r\nhost: 127.0.0.1\r\n${key}transfer-encoding: chunked\r\n\r\n`);
    const chunk = `${(1_000_000).toString(16)}\r\n${"x".repeat(1_000_000)}\r\n`;
    let sent = 0;
    const isOver = (): boolean => said !== "" || socket.destroyed;
    while (!isOver() && sent < 3 * mostBytes) {
      await new Promise((resolve) => socket.write(chunk, resolve));
      sent += 1_000_000;
    }
    // A connection that ends in the middle of a body may lose its answer.
    expect(said === "" && socket.destroyed ? String(status) : said.slice(9, 12)).toBe(String(status));
    expect(sent).toBeLessThan(status === 401 ? 20_000_000 : mostBytes + 20_000_000);
    socket.destroy();
  });
});
