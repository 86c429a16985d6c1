import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/core/service.js";
import { environmentSecrets } from "../../src/service/secret.js";
import { answer, closedPort, rawServer, type Reaction } from "./raw-server.js";
import { calling, createAgent, KEY } from "./calling.js";

const SECRET = 'sk-"live"/42+é';
const request = { ...createAgent, body: { credentials: { token: "Bearer ${env:TOKEN}" } } };
const echo = JSON.stringify({
  sent: { credentials: { token: `Bearer ${SECRET}` } },
  key: KEY,
  encoded: encodeURIComponent(SECRET),
  basic: Buffer.from(`user:${KEY}`).toString("base64"),
});

async function outcomeOf(reaction: Reaction): Promise<Outcome> {
  const server = await rawServer([reaction]);
  const { service } = await calling(server.url, {
    secrets: environmentSecrets({ TOKEN: SECRET }),
    timeouts: { response: 200 },
    retry: { limit: 1 },
  });
  return await service.send(request, "create");
}

function printed(value: unknown): string {
  return inspect(value, { showHidden: true, depth: 20 }) + JSON.stringify(value);
}

function expectNoSecret(text: string): void {
  expect(text).not.toContain(KEY);
  expect(text).not.toMatch(/sk-|live|Bearer (?!\[secret\])/);
  expect(text).not.toContain(Buffer.from(KEY).toString("base64").slice(4, 16));
}

describe("what is printed of an outcome", () => {
  it.each<[string, Reaction]>([
    ["a success", answer(200, echo)],
    ["a refusal", answer(400, echo, { "x-request-id": KEY })],
    ["a 422", answer(422, JSON.stringify({ detail: [{ loc: ["body", KEY], msg: `no ${KEY}` }], echo }))],
    ["a 500", answer(500, echo)],
    ["no JSON", answer(200, `<b>${KEY}</b>`)],
    ["a redirect", answer(302, "", { location: `https://elsewhere.example/?key=${KEY}` })],
    ["half an answer", (socket) => socket.end(answer(200, echo).slice(0, -20))],
    ["a reset", (socket) => socket.resetAndDestroy()],
    ["a time-out", () => {}],
    ["another protocol", (socket) => socket.end(`${KEY}\r\n`)],
  ])("after %s has no secret", async (_what, reaction) => {
    const outcome = await outcomeOf(reaction);
    const text = printed(outcome);
    expect(text).toContain(`type: '${outcome.type}'`);
    expectNoSecret(text);
  });

  it("after a refused connection has none", async () => {
    const { service } = await calling(`http://127.0.0.1:${await closedPort()}`);
    expectNoSecret(printed(await service.send(request, "create")));
  });

  it("shows the start of an answer, with the secrets masked and controls escaped", async () => {
    const outcome = await outcomeOf(answer(400, `\u001b[2J key=${KEY} ${"x".repeat(900)}`));
    expect(outcome).toMatchObject({ answer: `\\u001b[2J key=[secret] ${"x".repeat(482)}` });
  });

  it("masks a secret that reaches over the end of what is shown", async () => {
    const outcome = await outcomeOf(answer(400, "x".repeat(495) + KEY));
    expect(outcome).toMatchObject({ answer: `${"x".repeat(495)}[secr` });
  });
});

describe("the answer of a success", () => {
  it("is exact, for an ID may hold what is also a secret", async () => {
    const outcome = await outcomeOf(answer(200, JSON.stringify({ agent_id: `${KEY}-1` })));
    expect(outcome).toEqual({ type: "success", status: 200, answer: { agent_id: `${KEY}-1` } });
    expect(inspect(outcome)).toContain('{"agent_id":"[secret]-1"}');
  });
});

describe("what is printed of a service", () => {
  it("has no secret", async () => {
    const server = await rawServer([answer(200, "{}")]);
    const { service } = await calling(server.url);
    await service.send(createAgent, "create");
    expect(printed(service)).not.toContain(KEY);
  });
});
