import { describe, expect, it } from "vitest";
import { answer, closedPort, rawServer, type Reaction } from "./raw-server.js";
import { calling, updateAgent } from "./calling.js";
import { sample } from "../harness/tier.js";

const silence: Reaction = () => {};

async function update(reactions: readonly Reaction[], options: Parameters<typeof calling>[1] = {}) {
  const server = await rawServer(reactions);
  const { service, slept } = await calling(server.url, {
    ...(reactions.includes(silence) && { timeouts: { response: 1000 } }),
    ...options,
  });
  return { outcome: await service.send(updateAgent, "update"), sent: server.received.length, slept };
}

const fine = answer(200, '{"message":"updated"}');
const reset: Reaction = (socket) => socket.resetAndDestroy();
const half: Reaction = (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"me');

describe("an update that succeeds", () => {
  it("gives the answer", async () => {
    const { outcome } = await update([fine]);
    expect(outcome).toEqual({ type: "success", status: 200, answer: { message: "updated" } });
  });

  it.each([
    [200, answer(200)],
    [200, answer(200, " \n")],
    [204, "HTTP/1.1 204 No Content\r\n\r\n"],
  ])("needs no answer's body on %i", async (status, reaction) => {
    expect((await update([reaction])).outcome).toEqual({ type: "success", status, answer: null });
  });
});

describe("an update that met a fault", () => {
  it.each<[string, Reaction]>([
    ["a 500", answer(500, "{}")],
    ["a 503", answer(503)],
    ["a reset", reset],
    ["half an answer", half],
    ["a time-out", silence],
  ])("is repeated after %s", async (_what, fault) => {
    const { outcome, sent, slept } = await update([fault, fault, fine]);
    expect(outcome).toMatchObject({ type: "success" });
    expect(sent).toBe(3);
    expect(slept).toEqual([250, 500]);
  });

  const everyTry: [string, Reaction, string][] = [
    ["a 502", answer(502, "{}"), "HTTP 502, after 3 tries"],
    ["a time-out", silence, "no answer within 1 s, after 3 tries"],
    ["a reset", reset, "the connection was closed before an answer, after 3 tries"],
    ["half an answer", half, "only part of the answer arrived (HTTP 200), after 3 tries"],
  ];

  it.each(sample("faults of every try", everyTry, 2))(
    "is unknown when every try ends in %s",
    async (_what, fault, message) => {
      const { outcome, sent } = await update([fault]);
      expect(outcome).toMatchObject({ type: "unknown", message });
      expect(sent).toBe(3);
    },
  );

  it("is repeated after a 429", async () => {
    const { outcome, sent } = await update([answer(429), answer(429), fine]);
    expect(outcome).toMatchObject({ type: "success" });
    expect(sent).toBe(3);
  });

  it("is rejected when every try was a 429, or a 5xx that the deployment guarantees", async () => {
    expect((await update([answer(429)])).outcome).toMatchObject({ type: "rejected", status: 429 });
    const guaranteed = await update([answer(503)], { rejectedStatuses: [503] });
    expect(guaranteed.outcome).toMatchObject({ type: "rejected", status: 503 });
  });

  it("was not sent when no try was connected", async () => {
    const { service, slept } = await calling(`http://127.0.0.1:${closedPort}`);
    const outcome = await service.send(updateAgent, "update");
    expect(outcome).toMatchObject({ type: "not-sent" });
    expect(slept).toHaveLength(2);
  });

  it("waits as a 503 says", async () => {
    expect((await update([answer(503, "", { "retry-after": "9" }), fine])).slept).toEqual([9000]);
  });

  it("waits as usual after a 500 that says more", async () => {
    expect((await update([answer(500, "", { "retry-after": "9" }), fine])).slept).toEqual([250]);
  });

  it("stays unknown if a try in doubt came before a refusal", async () => {
    const { outcome, sent } = await update([answer(502), answer(404, "{}")]);
    expect(outcome).toMatchObject({
      type: "unknown",
      status: 404,
      message: "HTTP 404, after 2 tries; an earlier one may have succeeded: HTTP 502",
    });
    expect(sent).toBe(2);
  });
});

describe("an update that the service refused", () => {
  it.each([307, 400, 401, 403, 404, 409, 422])("is rejected by a %i, and not repeated", async (status) => {
    const { outcome, sent } = await update([answer(status, "{}")]);
    expect(outcome).toMatchObject({ type: "rejected", status });
    expect(sent).toBe(1);
  });

  it.each([301, 302, 303])("is unknown after a %i, and not repeated", async (status) => {
    const { outcome, sent } = await update([answer(status)]);
    expect(outcome).toMatchObject({ type: "unknown", status });
    expect(sent).toBe(1);
  });

  it("is unknown after HTML on 200, and not repeated", async () => {
    const { outcome, sent } = await update([answer(200, "<html>sign in</html>")]);
    expect(outcome).toMatchObject({ type: "unknown", message: "an answer that is not JSON (HTTP 200)" });
    expect(sent).toBe(1);
  });

  it.each([
    '{"error":"quota"}',
    '{"errors":[{"code":7}]}',
    '{"success":false}',
    '{"ok":false,"message":"no"}',
  ])("is unknown after %s on 200, and not repeated", async (text) => {
    const { outcome, sent } = await update([answer(200, text)]);
    const message = "an answer that tells of an error (HTTP 200)";
    expect(outcome).toMatchObject({ type: "unknown", message, answer: text });
    expect(sent).toBe(1);
  });

  it("is done after an answer that has no error to tell", async () => {
    const text = '{"message":"updated","error":null,"errors":[],"success":true}';
    expect((await update([answer(200, text)])).outcome).toMatchObject({ type: "success" });
  });
});
