import { expect, test } from "vitest";
import { runs, sample, wholeTest } from "../../harness/tier.js";
import type { ApplyEvent } from "../../../src/core/apply/apply-event.js";
import { StoreFailedError, type LockStore } from "../../../src/core/state/lock-store.js";
import type { Outcome, Service } from "../../../src/core/apply/service.js";
import { applyActions, createHeldService, createHeldStore, creation, settled, told } from "./applying.js";

const unknown: Outcome = { type: "unknown", status: 502, message: "HTTP 502" };
const common = { why: "the service refused the key", after: 1 };
const refused: Outcome = { type: "rejected", status: 401, message: "HTTP 401", common };

function typesIn(lines: readonly string[]): string[] {
  return lines.map((line) => /"type":"([a-z-]+)"/.exec(line)?.[1] ?? "");
}

test("an answer's record and the next action's begin wait for the same sync, and nothing is sent before it", async () => {
  const service = createHeldService();
  const held = createHeldStore();
  const applied = applyActions([creation("a"), creation("b")], { store: held.store, service });
  await settled();
  expect(service.sent.map(({ name }) => name)).toEqual(["a"]);
  held.hold();
  service.sent[0]?.answer();
  await settled();
  expect(typesIn(held.lines)).toEqual(["header", "begin", "done", "begin"]);
  expect(service.sent).toHaveLength(1);
  held.letGo();
  await settled();
  expect(service.sent.map(({ name }) => name)).toEqual(["a", "b"]);
  service.sent[1]?.answer();
  expect((await applied).summary).toMatchObject({ done: 2 });
});

test("a dependent begins only when the record of what it depends on is durable", async () => {
  const service = createHeldService();
  const held = createHeldStore();
  const actions = [creation("a"), creation("user", ["agent:a"])];
  const applied = applyActions(actions, { store: held.store, service, concurrency: 8 });
  await settled();
  held.hold();
  service.sent[0]?.answer();
  await settled();
  expect(typesIn(held.lines)).toEqual(["header", "begin", "done"]);
  held.letGo();
  await settled();
  expect(service.sent.map(({ name }) => name)).toEqual(["a", "user"]);
  expect(service.sent[1]).toMatchObject({
    body: { name: "user", tools: ["${agent:a}"] },
    references: { "agent:a": "id of a" },
  });
  service.sent[1]?.answer();
  expect((await applied).summary).toMatchObject({ done: 2 });
});

test("no more requests are under way than allowed, and no fewer while any is ready", async () => {
  const service = createHeldService();
  const actions = Array.from({ length: 7 }, (_, index) => creation(`a${index}`));
  const applied = applyActions(actions, { store: createHeldStore().store, service, concurrency: 3 });
  for (let answered = 0; answered < 7; answered++) {
    await settled();
    expect(service.sent).toHaveLength(Math.min(7, answered + 3));
    service.sent[answered]?.answer();
  }
  expect((await applied).summary).toMatchObject({ done: 7 });
});

test("after three unknown creates in a row none is begun, though the third is not yet on record", async () => {
  const service = createHeldService();
  const held = createHeldStore();
  const actions = ["a", "b", "c", "d"].map((name) => creation(name));
  const applied = applyActions(actions, { store: held.store, service });
  for (let index = 0; index < 3; index++) {
    await settled();
    if (index === 2) held.hold();
    service.sent[index]?.answer(unknown);
  }
  await settled();
  expect(typesIn(held.lines).at(-1)).toBe("unknown");
  held.letGo();
  expect((await applied).summary).toMatchObject({ unknown: 3, skipped: 1 });
  expect(service.sent).toHaveLength(3);
});

test("a refused key lets nothing further begin, though its record is not yet durable", async () => {
  const service = createHeldService();
  const held = createHeldStore();
  const applied = applyActions([creation("a"), creation("b")], { store: held.store, service });
  await settled();
  held.hold();
  service.sent[0]?.answer(refused);
  await settled();
  expect(typesIn(held.lines)).toEqual(["header", "begin", "rejected"]);
  held.letGo();
  expect((await applied).summary).toMatchObject({ failed: 1, skipped: 1 });
});

const unreachable = (host: string): Outcome => ({
  type: "not-sent",
  message: "connection refused",
  common: { why: `${host} cannot be reached`, after: 3 },
});

test("what fails the same way three times in a row lets nothing further begin", async () => {
  const service = createHeldService();
  const events: ApplyEvent[] = [];
  const onEvent = (event: ApplyEvent) => void events.push(event);
  const actions = ["a", "b", "c", "d", "e", "f", "g"].map((name) => creation(name));
  const applied = applyActions(actions, { store: createHeldStore().store, service, onEvent });
  const outcomes = [
    unreachable("one"),
    undefined,
    unreachable("one"),
    unreachable("two"),
    unreachable("one"),
  ];
  for (const [index, outcome] of [...outcomes, unreachable("one")].entries()) {
    await settled();
    service.sent[index]?.answer(outcome);
  }
  expect((await applied).summary).toMatchObject({ done: 1, failed: 5, skipped: 1 });
  expect(events.at(-1)).toMatchObject({ type: "skipped", because: "one cannot be reached" });
  expect(events.filter(({ type }) => type === "failed").every((event) => !("common" in event))).toBe(true);
});

test("an interrupt starts nothing further when an answer comes", async () => {
  const service = createHeldService();
  const drain = new AbortController();
  const store = createHeldStore().store;
  const applied = applyActions([creation("a"), creation("b")], { store, service, drain: drain.signal });
  await settled();
  drain.abort();
  service.sent[0]?.answer();
  expect((await applied).summary).toMatchObject({ done: 1, skipped: 1 });
  expect(service.sent).toHaveLength(1);
});

test("where an answer cannot be kept its ID is told, and what began with it is never sent", async () => {
  const service = createHeldService();
  const held = createHeldStore();
  const events: ApplyEvent[] = [];
  const onEvent = (event: ApplyEvent) => void events.push(event);
  const applied = applyActions([creation("a"), creation("b")], { store: held.store, service, onEvent });
  await settled();
  held.hold();
  service.sent[0]?.answer();
  await settled();
  held.letGo(new Error("the disk is full"));
  await expect(applied).rejects.toThrow("the disk is full");
  expect(events).toContainEqual({
    type: "unsaved",
    address: "agent:a",
    action: "create",
    ids: ["id of a"],
  });
  expect(service.sent).toHaveLength(1);
});

test("what depends on a failure through others is skipped with it, each once", async () => {
  const service = createHeldService();
  const events: ApplyEvent[] = [];
  const actions = [
    creation("a"),
    creation("b", ["agent:a"]),
    creation("c", ["agent:a", "agent:b"]),
    creation("d"),
  ];
  const store = createHeldStore().store;
  const onEvent = (event: ApplyEvent) => void events.push(event);
  const applied = applyActions(actions, { store, service, onEvent });
  await settled();
  service.sent[0]?.answer({ type: "rejected", status: 422, message: "HTTP 422" });
  await settled();
  service.sent[1]?.answer();
  expect((await applied).summary).toMatchObject({ done: 1, failed: 1, skipped: 2 });
  expect(
    told(events)
      .filter((event) => event.startsWith("skipped"))
      .toSorted(),
  ).toEqual(["skipped agent:b", "skipped agent:c"]);
});

const instant: Service = {
  send: async ({ body }) => ({ type: "success", status: 200, answer: { agent_id: `id of ${body["name"]}` } }),
  ask: async () => ({ type: "not-sent", message: "not asked" }),
  address: () => undefined,
  renew: () => undefined,
  close: async () => undefined,
};

function forgetfulStore(): LockStore {
  return { ...createHeldStore().store, append: () => undefined, flush: async () => undefined };
}

const addressOf = (index: number) => `agent:a${index}`;
const many = runs("actions of a large apply", 10_000, 100_000);
const others = (count: number) => Array.from({ length: count }, (_, index) => index);

test.each(
  sample(
    "graphs",
    [
      ["a chain", many, (index: number) => (index === 0 ? [] : [addressOf(index - 1)])],
      ["a star", many, (index: number) => (index === 0 ? [] : [addressOf(0)])],
      [
        "a star turned round",
        many,
        (index: number) => (index < many - 1 ? [] : others(many - 1).map(addressOf)),
      ],
      ["a graph of all with all", 450, (index: number) => others(index).map(addressOf)],
    ],
    1,
  ),
)("%s of very many actions or references is applied in dependency order", async (_name, count, before) => {
  const actions = others(count).map((index) => creation(`a${index}`, before(index)));
  const { summary, lock } = await applyActions(actions, {
    store: forgetfulStore(),
    service: instant,
    concurrency: 16,
  });
  expect(summary).toEqual({ done: count, failed: 0, unknown: 0, skipped: 0, blocked: 0 });
  expect(Object.keys(lock.resources)).toHaveLength(count);
  const last = lock.resources[addressOf(count - 1)];
  expect(Object.keys(last?.references ?? {})).toHaveLength(before(count - 1).length);
});

wholeTest("a failure at the root of 100,000 actions skips them all", async () => {
  const actions = others(100_000).map((index) =>
    creation(`a${index}`, index === 0 ? [] : [addressOf(0), addressOf(Math.floor(index / 2))]),
  );
  const service: Service = {
    send: async () => ({ type: "rejected", status: 422, message: "HTTP 422" }),
    ask: async () => ({ type: "not-sent", message: "not asked" }),
    address: () => undefined,
    renew: () => undefined,
    close: async () => undefined,
  };
  const { summary } = await applyActions(actions, { store: forgetfulStore(), service, concurrency: 16 });
  expect(summary).toMatchObject({ failed: 1, skipped: 99_999 });
});

test("creates are claimed before any is sent, in records of a thousand", async () => {
  const service = createHeldService();
  const held = createHeldStore();
  const actions = Array.from({ length: 2500 }, (_, index) => creation(`a${index}`));
  const drain = new AbortController();
  const store: LockStore = { ...held.store, needsClaim: true };
  const applied = applyActions(actions, { store, service, drain: drain.signal });
  await settled();
  const claims = held.lines.filter((line) => line.includes('"type":"claim"'));
  const claimed = claims.map((line) => line.match(/"address":/g)?.length);
  expect(claimed).toEqual([1000, 1000, 500]);
  expect(typesIn(held.lines)).toEqual(["header", "claim", "claim", "claim", "begin"]);
  expect(service.sent).toHaveLength(1);
  drain.abort();
  service.sent[0]?.answer();
  expect((await applied).summary).toMatchObject({ done: 1, skipped: 2499 });
});

test("a store that cannot keep what a plan makes refuses it before anything is written or sent", async () => {
  const service = createHeldService();
  const held = createHeldStore();
  const asked: number[] = [];
  const store: LockStore = {
    ...held.store,
    reserve(growth) {
      asked.push(growth);
      throw new StoreFailedError("too large");
    },
  };
  await expect(applyActions([creation("a"), creation("b")], { store, service })).rejects.toThrow("too large");
  const bodies = [creation("a"), creation("b")].map(({ body }) => JSON.stringify(body));
  expect(asked).toEqual([bodies.join("").length]);
  expect(held.lines).toEqual([]);
  expect(service.sent).toEqual([]);
});
