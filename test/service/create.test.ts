import type { Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { answer, closedPort, rawServer, type Reaction } from "./raw-server.js";
import { calling, createAgent, KEY } from "./calling.js";
import { wholeTest } from "../harness/tier.js";

async function breakLater(socket: Socket): Promise<void> {
  await setTimeout(20);
  socket.resetAndDestroy();
}

async function create(reactions: readonly Reaction[], options: Parameters<typeof calling>[1] = {}) {
  const server = await rawServer(reactions);
  const { service, slept } = await calling(server.url, options);
  return { outcome: await service.send(createAgent, "create"), sent: server.received.length, slept };
}

describe("a create that succeeds", () => {
  it.each([200, 201, 202])("gives the answer of a %i", async (status) => {
    const { outcome, sent } = await create([answer(status, '{"agent_id":"66f1"}')]);
    expect(outcome).toEqual({ type: "success", status, answer: { agent_id: "66f1" } });
    expect(sent).toBe(1);
  });

  it("reads an answer in chunks without a length", async () => {
    const head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    const { outcome } = await create([`${head}5\r\n{"a":\r\n3\r\n"é\r\n2\r\n"}\r\n0\r\n\r\n`]);
    expect(outcome).toEqual({ type: "success", status: 200, answer: { a: "é" } });
  });
});

describe("an answer before the answer", () => {
  it("is passed over", async () => {
    const early = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n";
    const { outcome } = await create([early + answer(200, "{}")]);
    expect(outcome).toEqual({ type: "success", status: 200, answer: {} });
  });
});

describe("a create that the service refused", () => {
  it.each([300, 304, 307, 308, 400, 401, 403, 404, 405, 408, 409, 413, 418, 422, 425, 499])(
    "is rejected by a %i and not repeated",
    async (status) => {
      const body = status === 304 ? "" : '{"message":"no"}';
      const { outcome, sent } = await create([answer(status, body)]);
      expect(outcome).toMatchObject({ type: "rejected", status });
      expect(sent).toBe(1);
    },
  );

  it("is rejected by a 5xx that the deployment guarantees, and by no other", async () => {
    const rejectedStatuses = [503];
    const rejected = await create([answer(503, "{}")], { rejectedStatuses, patience: 0 });
    expect(rejected.outcome).toMatchObject({ type: "rejected", status: 503, message: "HTTP 503" });
    const unknown = await create([answer(502, "{}")], { rejectedStatuses });
    expect(unknown.outcome).toMatchObject({ type: "unknown", status: 502 });
  });

  it.each([
    ["https://HOST/v3/agents/", "use https: set `base_url` to `https://HOST`"],
    ["https://other.example.test/api/v3/agents/", "set `base_url` to `https://other.example.test/api`"],
    ["/v3/agents", "it expects no slash at the end of the path"],
    ["/v3/agents//", "it expects a slash at the end of the path"],
    ["/elsewhere?token=t", undefined],
  ])("by a redirect to %s, it names the other address", async (location, advice) => {
    const server = await rawServer([(socket) => socket.write(redirect())]);
    const host = new URL(server.url).host;
    const redirect = () => answer(308, "", { location: location.replaceAll("HOST", host) });
    const { service } = await calling(server.url);
    const outcome = await service.send(createAgent, "create");
    const other = new URL(location.replaceAll("HOST", host), server.url);
    const named = `the service redirects to a different address: ${other.origin}${other.pathname}`;
    const hint = advice === undefined ? named : `${named}; ${advice.replaceAll("HOST", host)}`;
    expect(outcome).toMatchObject({ type: "rejected", status: 308, hint });
  });

  it.each(["javascript:alert(1)", "/v3/agents/", "http://[", ""])(
    "names no other address if a redirect leads to %j",
    async (location) => {
      const { outcome } = await create([answer(307, "", { location })]);
      expect(outcome).not.toHaveProperty("hint");
    },
  );

  it("shows no secret that a redirect's address holds", async () => {
    const { outcome } = await create([answer(307, "", { location: `/login/${KEY}` })]);
    expect(outcome).toMatchObject({ hint: expect.stringMatching(/\/login\/\[secret\]$/) as string });
  });

  it("is rejected even if the rest of the refusal never comes", async () => {
    const half = "HTTP/1.1 403 Forbidden\r\ncontent-length: 100\r\n\r\nno";
    const { outcome, sent } = await create([(socket) => socket.end(half)]);
    expect(outcome).toMatchObject({ type: "rejected", status: 403, message: "HTTP 403" });
    expect(sent).toBe(1);
  });

  it("holds what a 422 says of the fields", async () => {
    const detail = [{ loc: ["body", "tools", 0], msg: "bad\u0007 value", type: "value_error" }];
    const { outcome } = await create([answer(422, JSON.stringify({ detail }), { "x-request-id": "r-1" })]);
    expect(outcome).toMatchObject({
      type: "rejected",
      requestId: "r-1",
      detail: [{ loc: ["body", "tools", "0"], msg: "bad\\u0007 value" }],
    });
  });

  it.each(['{"detail":"no"}', '{"detail":[{"loc":"body","msg":"no"}]}', '{"detail":[{"loc":["a"]}]}', "no"])(
    "holds no detail if a 422 says %s",
    async (body) => {
      const { outcome } = await create([answer(422, body)]);
      expect(outcome).toMatchObject({ type: "rejected", answer: body });
      expect(outcome).not.toHaveProperty("detail");
    },
  );
});

describe("a create that is too much for the service", () => {
  it("is repeated after a 429 and succeeds", async () => {
    const { outcome, sent, slept } = await create([answer(429), answer(429), answer(200, "{}")]);
    expect(outcome).toEqual({ type: "success", status: 200, answer: {} });
    expect(sent).toBe(3);
    expect(slept).toEqual(expect.arrayContaining([250, 500]));
  });

  it.each([429, 503])("is rejected when all was a %i for as long as patience lasts", async (status) => {
    const { outcome, sent } = await create([answer(status, '{"message":"slow down"}')], {
      rejectedStatuses: [503],
      patience: 60_000,
    });
    expect(outcome).toMatchObject({
      type: "rejected",
      status,
      message: expect.stringMatching(new RegExp(`^HTTP ${status}, after \\d+ tries$`)) as string,
      common: { why: `nothing succeeded for 60 s (HTTP ${status})`, after: 1 },
    });
    expect(sent).toBeGreaterThan(5);
  });

  it("is sent once where there is no patience", async () => {
    expect(await create([answer(429)], { patience: 0 })).toMatchObject({
      sent: 1,
      outcome: { type: "rejected", message: "HTTP 429" },
    });
  });

  it("waits for as many seconds as it is told", async () => {
    const { outcome, slept } = await create([answer(429, "", { "retry-after": "7" }), answer(200, "{}")]);
    expect(outcome.type).toBe("success");
    expect(slept[0]).toBe(7000);
  });

  it("waits until the date that it is told, two minutes at most", async () => {
    const inAMinute = new Date(Date.now() + 60_000).toUTCString();
    const nextYear = new Date(Date.now() + 31_536_000_000).toUTCString();
    const { slept } = await create([
      answer(429, "", { "retry-after": inAMinute }),
      answer(429, "", { "retry-after": nextYear }),
      answer(200, "{}"),
    ]);
    // Less by what the answer took, and far more than a wait of its own.
    expect(slept[0]).toBeGreaterThan(5000);
    expect(slept[0]).toBeLessThanOrEqual(60_000);
    expect(slept[1]).toBe(120_000);
  });

  it("stays unknown if the try after a 429 is", async () => {
    const { outcome, sent } = await create([answer(429), answer(502, "{}")]);
    expect(outcome).toMatchObject({ type: "unknown", status: 502 });
    expect(sent).toBe(2);
  });
});

describe("a create whose outcome cannot be known", () => {
  const json = '{"agent_id":"66f1"}';
  const half = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n${json}`;
  const chunk = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n";
  const gzip = "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 19\r\n\r\n";

  it.each<[string, Reaction, string]>([
    ["a 500", answer(500, json), "HTTP 500"],
    ["a 502 of a gateway", answer(502, "<html>", { "content-type": "text/html" }), "HTTP 502"],
    ["a 503 with Retry-After", answer(503, "", { "retry-after": "1" }), "HTTP 503"],
    ["a 504", answer(504), "HTTP 504"],
    ["a 301", answer(301), "HTTP 301, a redirect, which agentform does not follow"],
    [
      "a 302",
      answer(302, "", { location: "/done" }),
      "HTTP 302, a redirect, which agentform does not follow",
    ],
    ["a 303", answer(303), "HTTP 303, a redirect, which agentform does not follow"],
    ["HTML on 200", answer(200, "<html>sign in</html>"), "an answer that is not JSON (HTTP 200)"],
    ["no answer's body on 200", answer(200), "an empty answer (HTTP 200)"],
    ["a 204", "HTTP/1.1 204 No Content\r\n\r\n", "an empty answer (HTTP 204)"],
    [
      "bytes that are no UTF-8",
      (socket) => socket.write(Buffer.from(`${answer(200, '"ab"').slice(0, -2)}\xff"`, "latin1")),
      "an answer that is not JSON (HTTP 200)",
    ],
    [
      "half a chunk and a reset",
      (socket) => socket.write(chunk, () => socket.resetAndDestroy()),
      "only part of the answer arrived (HTTP 200)",
    ],
    ["an answer that cannot be unpacked", gzip + json, "only part of the answer arrived (HTTP 200)"],
    ["an end", (socket) => socket.end(), "the connection was closed before an answer"],
    ["a reset", (socket) => socket.resetAndDestroy(), "the connection was closed before an answer"],
    [
      "half a head",
      (socket) => socket.end("HTTP/1.1 200 OK\r\nconte"),
      "the connection was closed before an answer",
    ],
    [
      "another protocol",
      (socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"),
      "the answer is not valid HTTP (HPE_INVALID_CONSTANT)",
    ],
  ])("is unknown after %s, and never repeated", async (_what, reaction, message) => {
    const { outcome, sent, slept } = await create([reaction]);
    expect(outcome).toMatchObject({ type: "unknown", message });
    expect(sent).toBe(1);
    expect(slept).toEqual([]);
  });

  it("is unknown after nothing for too long, and never repeated", async () => {
    const { outcome, sent } = await create([() => {}], { timeouts: { response: 1000 } });
    expect(outcome).toEqual({ type: "unknown", message: "no answer within 1 s" });
    expect(sent).toBe(1);
  });

  wholeTest("is unknown after half an answer and then nothing, and never repeated", async () => {
    const { outcome, sent } = await create([(socket) => socket.write(half)], { timeouts: { total: 2000 } });
    expect(outcome).toMatchObject({ message: "only part of the answer arrived (HTTP 200)" });
    expect(sent).toBe(1);
  });

  it("is unknown after a change of protocol, and is not waited for", async () => {
    const { outcome, sent } = await create([
      "HTTP/1.1 101 Other\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
    ]);
    expect(outcome).toMatchObject({ type: "unknown" });
    expect(sent).toBe(1);
  });

  it("is unknown if the connection breaks, whatever part of the request was read", async () => {
    const server = await rawServer([], { onConnection: (socket) => void breakLater(socket) });
    const { service } = await calling(server.url);
    expect(await service.send(createAgent, "create")).toMatchObject({ type: "unknown" });
    expect(server.connections()).toBe(1);
  });

  it("is unknown after more than ten megabytes, and stops reading", async () => {
    let written = 0;
    const flood: Reaction = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n["ab"\r\n');
      const spaces = " ".repeat(0xf_ffff);
      const pour = (): void => {
        written += spaces.length;
        if (written < 60_000_000 && socket.writable) socket.write(`fffff\r\n${spaces}\r\n`, pour);
      };
      pour();
    };
    const { outcome } = await create([flood]);
    expect(outcome).toEqual({ type: "unknown", status: 200, message: "the answer has more than 10 MB" });
    expect(written).toBeLessThan(50_000_000);
  });
});

describe("a create of which nothing was sent", () => {
  it("is repeated when the connection is refused", async () => {
    const { service, slept } = await calling(`http://127.0.0.1:${closedPort}`);
    expect(await service.send(createAgent, "create")).toMatchObject({
      type: "not-sent",
      message: "connection refused, after 3 tries",
    });
    expect(slept).toEqual([250, 500]);
  });

  it("names the address that cannot be reached, as others would meet the same", async () => {
    const origin = `http://127.0.0.1:${closedPort}`;
    const { service } = await calling(origin);
    const hint = `check \`base_url\` (${origin})`;
    const why = `${new URL(origin).host} cannot be reached: ${hint}`;
    expect(await service.send(createAgent, "create")).toMatchObject({ hint, common: { why, after: 3 } });
  });

  it("is repeated when the name is not known", async () => {
    const { service, slept } = await calling("https://agentform.invalid");
    const outcome = await service.send(createAgent, "create");
    expect(outcome).toMatchObject({ type: "not-sent" });
    expect(slept).toHaveLength(2);
  });

  it("names the variable that is missing, and sends nothing", async () => {
    const server = await rawServer([answer(200, "{}")]);
    const { service } = await calling(server.url);
    const request = { ...createAgent, body: { name: "${env:ABSENT}" } };
    expect(await service.send(request, "create")).toMatchObject({
      type: "not-sent",
      message: "the environment variable ABSENT is not set",
    });
    expect(server.connections()).toBe(0);
  });
});
