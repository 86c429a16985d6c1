import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/core/observation/service.js";
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
    timeouts: { response: 1000 },
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
    const { service } = await calling(`http://127.0.0.1:${closedPort}`);
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
  const answered = async (body: object): Promise<Outcome> => outcomeOf(answer(200, JSON.stringify(body)));

  it("has lost what holds a secret, so that no such ID is ever stored", async () => {
    const encoded = encodeURIComponent(SECRET);
    const outcome = await answered({
      agent_id: `${KEY}-1`,
      [KEY]: 1,
      echo: [SECRET, 7, { encoded, kept: "yes" }],
    });
    expect(outcome).toHaveProperty("answer", {
      agent_id: null,
      echo: [null, 7, { encoded: null, kept: "yes" }],
    });
    expect(outcome).toHaveProperty("withheld", true);
  });

  it("is exact where it holds none, and where a secret is too short to be told from chance", async () => {
    const server = await rawServer([answer(200, '{"agent_id":"66f1"}')]);
    const { service } = await calling(server.url, { secrets: environmentSecrets({ TOKEN: "66f1" }) });
    const outcome = await service.send(request, "create");
    expect(outcome).toHaveProperty("answer", { agent_id: "66f1" });
    expect(outcome).not.toHaveProperty("withheld");
  });

  it("may be nested deeper than calls can be", async () => {
    const depth = 200_000;
    const outcome = await outcomeOf(answer(200, `${"[".repeat(depth)}"${KEY}"${"]".repeat(depth)}`));
    expect(outcome).toMatchObject({ type: "success", withheld: true });
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
