import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as setTimer } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Timeouts } from "../../src/service/deadline.js";
import { calling, createAgent, updateAgent } from "./calling.js";
import { answer, rawServer, type Reaction } from "./raw-server.js";
import { runs, sample } from "../harness/tier.js";

const LIMIT = 10_000_000;
const patient = { response: 600_000, total: 1_200_000 };
const brief = { response: 300, total: 1_200_000 };
const ample = { response: 600_000, total: 2000 };

function head(status: number, fields: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} Status`, ...lines, "", ""].join("\r\n");
}

/** An answer whose body is written as it is. */
function whole(fields: Readonly<Record<string, string | number>>, body: Buffer): Reaction {
  return (socket) => {
    socket.write(head(200, { "content-length": body.length, ...fields }));
    socket.write(body);
  };
}

/** Writes a piece again and again for as long as there is someone to read it. */
function endless(start: string, piece: string, pause: number): Reaction {
  return (socket: Socket) => {
    socket.write(start);
    const write = (): void => {
      if (socket.destroyed) return;
      socket.write(piece);
      setTimeout(write, pause);
    };
    write();
  };
}

const chunked = head(200, { "transfer-encoding": "chunked" });
const chunk = `${(65_536).toString(16)}\r\n${"x".repeat(65_536)}\r\n`;
const bomb = Buffer.alloc(runs("megabytes of a bomb", 30, 300) * 1_000_000, " ");
const json = Buffer.from('{"agent_id":"66f1"}');
const fine = answer(200, json.toString());
const forged = answer(200, '{"agent_id":"forged"}');

const hostile: [what: string, reaction: Reaction, message: string, timeouts?: Partial<Timeouts>][] = [
  ["is beyond the limit", whole({}, Buffer.alloc(LIMIT + 1, " ")), "the answer has more than 10 MB"],
  ["never ends", endless(chunked, chunk, 0), "the answer has more than 10 MB"],
  ["is a gzip bomb", whole({ "content-encoding": "gzip" }, gzipSync(bomb)), "the answer has more than 10 MB"],
  [
    "is a deflate bomb",
    whole({ "content-encoding": "deflate" }, deflateSync(bomb)),
    "the answer has more than 10 MB",
  ],
  [
    "is a brotli bomb",
    whole({ "content-encoding": "br" }, brotliCompressSync(bomb)),
    "the answer has more than 10 MB",
  ],
  ["drips", endless(chunked, "1\r\n \r\n", 20), "only part of the answer arrived (HTTP 200)", ample],
  [
    "has a head that drips",
    endless("HTTP/1.1 200 OK\r\n", "x-a: b\r\n", 20),
    "no answer within 0.3 s",
    brief,
  ],
  [
    "has a head without end",
    endless("HTTP/1.1 200 OK\r\n", `x-a: ${"b".repeat(4000)}\r\n`, 0),
    "the answer is not valid HTTP (HPE_HEADER_OVERFLOW)",
  ],
  [
    "is put off again and again",
    endless("", "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n", 10),
    "no answer within 0.3 s",
    brief,
  ],
  [
    "is shorter than it says",
    (socket) => socket.end(head(200, { "content-length": 99 }) + json.toString()),
    "only part of the answer arrived (HTTP 200)",
  ],
  [
    "is gzip in name only",
    whole({ "content-encoding": "gzip" }, json),
    "only part of the answer arrived (HTTP 200)",
  ],
  [
    "is gzip cut short",
    whole({ "content-encoding": "gzip" }, gzipSync(json).subarray(0, -9)),
    "only part of the answer arrived (HTTP 200)",
  ],
  [
    "has two lengths",
    (socket) =>
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 19\r\ncontent-length: 2\r\n\r\n${json.toString()}`),
    "the answer is not valid HTTP (HPE_UNEXPECTED_CONTENT_LENGTH)",
  ],
  ["changes the protocol", "HTTP/1.1 101 Switching Protocols\r\n\r\n", "HTTP 101"],
  [
    "changes to another protocol",
    "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
    "the connection was closed before an answer",
  ],
  [
    "has a length and chunks",
    head(200, { "content-length": 19, "transfer-encoding": "chunked" }) +
      `13\r\n${json.toString()}\r\n0\r\n\r\n`,
    "the answer is not valid HTTP (HPE_INVALID_TRANSFER_ENCODING)",
  ],
  ["has no head", json.toString(), "the answer is not valid HTTP (HPE_INVALID_CONSTANT)"],
  ["is not UTF-8", whole({}, Buffer.from([0x22, 0xff, 0x22])), "an answer that is not JSON (HTTP 200)"],
];

describe("an answer that", () => {
  it.each(sample("hostile answers", hostile, 6))(
    "%s: a create is unknown, and the wait has an end",
    async (_what, reaction, message, timeouts = patient) => {
      const server = await rawServer([reaction]);
      const { service } = await calling(server.url, { timeouts });
      expect(await service.send(createAgent, "create")).toMatchObject({ type: "unknown", message });
      expect(server.received).toHaveLength(1);
    },
  );

  it.each(sample("hostile answers", hostile, 6))(
    "%s: an update is tried again, or is in doubt",
    async (_what, reaction, _message, timeouts = patient) => {
      const server = await rawServer([reaction, answer(200, "{}")]);
      const { service } = await calling(server.url, { timeouts });
      const { type } = await service.send(updateAgent, "update");
      expect(type).toBe(server.received.length === 1 ? "unknown" : "success");
    },
  );

  it("is as large as the limit is read", async () => {
    const body = Buffer.concat([json, Buffer.alloc(LIMIT - json.length, " ")]);
    const server = await rawServer([whole({ "content-encoding": "gzip" }, gzipSync(body))]);
    const { service } = await calling(server.url);
    expect(await service.send(createAgent, "create")).toMatchObject({ type: "success" });
  });

  it.each([
    ["a whole answer", forged],
    ["the start of one", forged.slice(0, 12) + "\r\n"],
    ["no HTTP", "garbage\r\n\r\n"],
  ])("is followed by %s is unknown, and its connection is not used again", async (_what, more) => {
    const server = await rawServer([fine + more, fine]);
    const { service } = await calling(server.url);
    expect(await service.send(createAgent, "create")).toMatchObject({
      type: "unknown",
      status: 200,
      message: "more than one answer came, so this one may belong to a different request",
    });
    expect(await service.send(createAgent, "create")).toMatchObject({ answer: { agent_id: "66f1" } });
    expect(server.received.map(({ connection }) => connection)).toEqual([0, 1]);
  });

  it("is a refusal followed by an answer is unknown", async () => {
    const server = await rawServer([answer(422) + forged, fine]);
    const { service } = await calling(server.url);
    expect(await service.send(createAgent, "create")).toMatchObject({ type: "unknown", status: 422 });
    expect(await service.send(updateAgent, "update")).toMatchObject({ type: "success" });
    expect(server.received.map(({ connection }) => connection)).toEqual([0, 1]);
  });

  it("comes on a connection that nothing was asked on answers nothing", async () => {
    const answered: Socket[] = [];
    const keep: Reaction = (socket) => {
      answered.push(socket);
      socket.write(fine);
    };
    const server = await rawServer([keep, fine]);
    const { service } = await calling(server.url);
    expect(await service.send(createAgent, "create")).toMatchObject({ answer: { agent_id: "66f1" } });
    const [idle] = answered as [Socket];
    const closed = once(idle, "close");
    idle.write(forged);
    await closed;
    expect(await service.send(createAgent, "create")).toMatchObject({ answer: { agent_id: "66f1" } });
    expect(server.received.map(({ connection }) => connection)).toEqual([0, 1]);
  });

  it.each([
    [200, { type: "unknown", message: "an answer came before the request was sent", status: 200 }],
    [413, { type: "rejected", status: 413 }],
  ])("comes before its request was written whole counts for nothing if it is %d", async (status, outcome) => {
    const large = { ...createAgent, body: { name: "Support desk", description: "x".repeat(30_000_000) } };
    const onConnection = (socket: Socket): void => {
      socket.pause();
      // Once a part of the request is on its way.
      setTimeout(() => socket.write(answer(status, '{"agent_id":"66f1"}')), 50);
    };
    const server = await rawServer([fine], { onConnection });
    const { service } = await calling(server.url);
    expect(await service.send(large, "create")).toMatchObject(outcome);
  });

  it("comes before a byte of its request is no answer to it", async () => {
    const onConnection = (socket: Socket) => void socket.write(answer(200, '{"agent_id":"66f1"}'));
    const server = await rawServer([fine], { onConnection });
    const { service } = await calling(server.url);
    const ready = async () => await setTimer(50);
    expect(await service.send(createAgent, "create", ready)).toMatchObject({ type: "not-sent" });
    expect(server.received).toEqual([]);
  });

  it("refuses and never ends is a refusal all the same", async () => {
    const server = await rawServer([endless(head(400, { "transfer-encoding": "chunked" }), chunk, 0)]);
    const { service } = await calling(server.url);
    expect(await service.send(createAgent, "create")).toMatchObject({ type: "rejected", status: 400 });
  });
});

describe("what an answer says", () => {
  const nasty = "a\u0000b\u001b]8;;https://evil.test\u0007c\u001b[2J\u202ed\u200be\u2066f\ufeffg\u009bh\r\ni";
  const invisible = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

  it.each<[string, Reaction]>([
    ["a refusal", answer(400, nasty)],
    ["a 422", answer(422, JSON.stringify({ detail: [{ loc: ["body", nasty], msg: nasty, type: "x" }] }))],
    ["no JSON", answer(200, nasty)],
    ["a request id", answer(500, "", { "x-request-id": "a\u009b31mb" })],
  ])("in %s is kept without what controls a terminal or cannot be seen", async (_what, reaction) => {
    const server = await rawServer([reaction]);
    const { service } = await calling(server.url);
    const outcome = await service.send(createAgent, "create");
    if (outcome.type === "success") throw new Error("no failure");
    const { message, requestId = "", answer: excerpt = "", detail = [] } = outcome;
    const texts = [message, requestId, excerpt, ...detail.flatMap(({ loc, msg }) => [...loc, msg])].join(" ");
    expect(texts).not.toMatch(invisible);
    expect(texts).toContain("\\u009b");
  });
});
