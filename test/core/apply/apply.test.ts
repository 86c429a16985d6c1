import { expect, test, vi } from "vitest";
import { runs, sample, wholeTest } from "../../harness/tier.js";
import type { ApplyEvent } from "../../../src/core/apply/apply-report.js";
import {
  JournalFailedError,
  JournalLostError,
  StateLostError,
  StoreChangedError,
  StoreFailedError,
  type LockStore,
} from "../../../src/core/state/lock-store.js";
import { emptyLock, type Lock } from "../../../src/core/state/lock.js";
import type { BeginRecord, ClaimRecord } from "../../../src/generated/journal.js";
import { parseJournal } from "../../../src/core/state/journal.js";
import type { Outcome, Service } from "../../../src/core/observation/service.js";
import {
  applyActions,
  createHeldStore,
  creation,
  settled,
  startHeldApply,
  told,
  typesIn,
} from "./applying.js";

const unknown: Outcome = { type: "unknown", status: 502, message: "HTTP 502" };
const read = {
  host: "base",
  method: "GET",
  path: "/v3/agents/{id}",
  object: "",
  idFields: ["_id"],
  gone: [404],
} as const;
const common = { why: "the service refused the key", after: 1 };
const refused: Outcome = { type: "rejected", status: 401, message: "HTTP 401", common };

test("an answer's record and the next action's begin wait for the same sync, and nothing is sent before it", async () => {
  const { service, held, applied } = startHeldApply([creation("a"), creation("b")]);
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
  const actions = [creation("a"), creation("user", ["agent:a"])];
  const { service, held, applied } = startHeldApply(actions, { concurrency: 8 });
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
  const actions = Array.from({ length: 7 }, (_, index) => creation(`a${index}`));
  const { service, applied } = startHeldApply(actions, { concurrency: 3 });
  for (let answered = 0; answered < 7; answered++) {
    await settled();
    expect(service.sent).toHaveLength(Math.min(7, answered + 3));
    service.sent[answered]?.answer();
  }
  expect((await applied).summary).toMatchObject({ done: 7 });
});

test("after three unknown creates in a row none is begun, though the third is not yet on record", async () => {
  const actions = ["a", "b", "c", "d"].map((name) => creation(name));
  const { service, held, applied } = startHeldApply(actions);
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

test("what is forgotten is left behind with what used it", async () => {
  const references = { "agent:a": "1" };
  const resources = {
    "agent:a": { id: "1", body: { name: "a" }, digest: "d" },
    "agent:user": { id: "2", body: { name: "user" }, digest: "d", references },
  };
  const lock = { ...emptyLock({ workspace: "test", environment: null }, "lineage"), serial: 1, resources };
  const { applied } = startHeldApply([{ ...creation("a"), action: "forget", ids: ["1"] }], { lock });
  expect((await applied).lock.retired).toMatchObject({ "agent#1": { used_by: ["agent:user"] } });
});

test("nobody is blamed for what the service has added since an update that was not read again", async () => {
  const lock: Lock = {
    ...emptyLock({ workspace: "test", environment: null }, "lineage"),
    serial: 1,
    resources: {
      "agent:a": { id: "1", body: { name: "old" }, digest: "d", baseline: { own: {}, hidden: [] } },
    },
  };
  const body = { name: "new", llm_config: { temperature: 0.5 } };
  const update = {
    ...creation("a"),
    action: "update" as const,
    ids: ["1"],
    fields: ["name", "llm_config"],
    body,
  };
  const deployment = { agent: { read } };
  const { service, applied } = startHeldApply([update], { lock, deployment });
  await settled();
  service.asked[0]?.answer({ type: "success", status: 200, answer: { _id: "1", name: "old" } });
  await settled();
  service.sent[0]?.answer();
  await settled();
  service.asked[1]?.answer(invalid);
  const { lock: after } = await applied;
  expect(after.resources["agent:a"]?.baseline).toBeUndefined();
  const next = { ...update, fields: ["name"], body: { ...body, name: "newer" } };
  const again = startHeldApply([next], { lock: after, deployment });
  await settled();
  const seen = { _id: "1", ...body, llm_config: { temperature: 0.5, top_p: 1 } };
  again.service.asked[0]?.answer({ type: "success", status: 200, answer: seen });
  await settled();
  expect(again.service.sent).toHaveLength(1);
  again.service.sent[0]?.answer();
  await settled();
  again.service.asked[1]?.answer({ type: "success", status: 200, answer: { ...seen, name: "newer" } });
  const { baseline } = (await again.applied).lock.resources["agent:a"] ?? {};
  expect(baseline).toEqual({ own: { "/llm_config/top_p": 1 }, hidden: [] });
});

test("unknown creates between others that succeed hold up nothing", async () => {
  const { service, applied } = startHeldApply(["a", "b", "c", "d", "e"].map((name) => creation(name)));
  for (const [index, outcome] of [unknown, unknown, undefined, unknown, undefined].entries()) {
    await settled();
    service.sent[index]?.answer(outcome);
  }
  expect((await applied).summary).toMatchObject({ done: 2, unknown: 3, skipped: 0 });
});

test("a refused key lets nothing further begin, though its record is not yet durable", async () => {
  const { service, held, applied } = startHeldApply([creation("a"), creation("b")]);
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
  const actions = ["a", "b", "c", "d", "e", "f", "g"].map((name) => creation(name));
  const { service, events, applied } = startHeldApply(actions);
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
  const drain = new AbortController();
  const { service, applied } = startHeldApply([creation("a"), creation("b")], { drain: drain.signal });
  await settled();
  drain.abort();
  service.sent[0]?.answer();
  expect((await applied).summary).toMatchObject({ done: 1, skipped: 1 });
  expect(service.sent).toHaveLength(1);
});

const created = undefined;
const invalid: Outcome = { type: "rejected", status: 422, message: "HTTP 422" };

/** Runs an apply whose store fails when the last of some answers comes: unless more is said, one to the first of two creates. */
async function failAtAnswer(
  failure: Error,
  {
    outcomes = [created],
    actions = [creation("a"), creation("b")],
    ...more
  }: NonNullable<Parameters<typeof startHeldApply>[1]> & {
    readonly outcomes?: readonly (Outcome | undefined)[];
    readonly actions?: Parameters<typeof startHeldApply>[0];
  } = {},
) {
  const { service, held, events, applied } = startHeldApply(actions, more);
  await settled();
  for (const [index, outcome] of outcomes.entries()) {
    if (index === outcomes.length - 1) held.hold();
    service.sent[index]?.answer(outcome);
    await settled();
  }
  held.letGo(failure);
  const thrown: unknown = await applied.catch((reason: unknown) => reason);
  return { service, held, events, thrown, locks: held.locks.map((text) => JSON.parse(text) as Lock) };
}

test("where an answer cannot be kept its ID is told, and what began with it is never sent", async () => {
  const failure = new Error("the disk is full");
  const onSummary = vi.fn();
  const { service, events, thrown } = await failAtAnswer(failure, { onSummary });
  expect(thrown).toBe(failure);
  expect(onSummary).toHaveBeenCalledWith(expect.objectContaining({ done: 1, skipped: 1 }));
  expect(events).toContainEqual({
    type: "unsaved",
    address: "agent:a",
    action: "create",
    ids: ["id of a"],
  });
  expect(service.sent).toHaveLength(1);
});

test("an apply whose store somebody else has by now records nothing there, neither moves nor claims", async () => {
  const confirm = () => Promise.reject(new StoreChangedError("the lock was unlocked"));
  const moved = { ...creation("b"), action: "record" as const, from: "agent:a" };
  const more = { lock: managed, store: { needsClaim: true, confirm } };
  const { held, service, applied } = startHeldApply([moved, creation("c")], more);
  await expect(applied).rejects.toThrow("the lock was unlocked");
  expect([held.lines, held.locks, service.sent]).toEqual([[], [], []]);
});

const managed: Lock = {
  ...emptyLock({ workspace: "test", environment: null }, "lineage"),
  resources: { "agent:a": { id: "id of a", body: { name: "old" }, digest: "d" } },
};

test("an update that cannot be kept is no ID to keep, for it is sent again", async () => {
  const actions = [{ ...creation("a"), action: "update" as const, fields: ["name"] }];
  const { service, events } = await failAtAnswer(new Error("the disk is full"), { actions, lock: managed });
  expect(service.sent).toHaveLength(1);
  expect(told(events)).toEqual(["start agent:a", "done agent:a"]);
  expect(events.at(-1)).toMatchObject({ hint: expect.stringContaining("sent again") });
});

test.each([
  { what: "cannot", fault: (why: string) => new StoreFailedError(why, "make room"), lock: [] },
  {
    what: "can still",
    fault: (why: string) => new JournalFailedError(why, "make room"),
    lock: [["agent:a"]],
  },
])(
  "what began when the journal failed is withdrawn, and the lock is written if the store $what do that",
  async ({ fault, lock }) => {
    const { held, events, thrown, locks } = await failAtAnswer(fault("the disk failed"));
    expect(thrown).toMatchObject({ message: "the disk failed" });
    const because = "the state could not be saved";
    const cause = { code: "state-unsaved", parts: {} };
    expect(events.at(-1)).toEqual({ type: "skipped", address: "agent:b", action: "create", because, cause });
    expect(typesIn(held.lines)).toEqual(["header", "begin", "done", "begin", "not-sent"]);
    expect(locks.map(({ resources }) => Object.keys(resources))).toEqual(lock);
    expect(locks.every(({ unknown: doubted }) => Object.keys(doubted).length === 0)).toBe(true);
  },
);

test("what was claimed and never begun is in no doubt in a lock that is written after the journal failed", async () => {
  const actions = ["a", "b", "c"].map((name) => creation(name));
  const more = { actions, store: { needsClaim: true } };
  const { held, locks } = await failAtAnswer(new JournalFailedError("the disk failed", "make room"), more);
  expect(typesIn(held.lines)).toEqual(["header", "claim", "begin", "done", "begin", "not-sent", "unsent"]);
  const kept = locks.map(({ resources, unknown: doubted }) => [Object.keys(resources), Object.keys(doubted)]);
  expect(kept).toEqual([[["agent:a"], []]]);
});

test.each<[string, Outcome, string[]]>([
  ["a refusal", refused, []],
  ["a request that was not sent", unreachable("one"), []],
  ["an unknown outcome", unknown, ["HTTP 502"]],
])("%s is in the lock as what it is, though the journal failed on it", async (_what, outcome, messages) => {
  const { events, locks } = await failAtAnswer(new JournalFailedError("the disk failed", "make room"), {
    outcomes: [outcome],
  });
  expect(events).toContainEqual(expect.objectContaining({ address: "agent:a", message: expect.any(String) }));
  const doubts = locks.map((lock) => Object.values(lock.unknown).map(({ message }) => message));
  expect(doubts).toEqual([messages]);
});

const taken = new StoreChangedError("lock was unlocked and is no longer held");

test.each([
  { when: "before the journal fails", failure: taken, store: {} },
  {
    when: "when the journal fails",
    failure: new JournalFailedError("the disk failed", "make room"),
    store: { replace: () => Promise.reject(taken) },
  },
])(
  "an ID that is in no file is asked for if somebody else has the store $when",
  async ({ failure, store }) => {
    const { thrown } = await failAtAnswer(failure, { store });
    expect(thrown).toMatchObject({
      name: "StoreChangedError",
      message: "lock was unlocked and is no longer held",
      hint: expect.stringContaining("keep the IDs that are shown above"),
    });
  },
);

test.each([
  { isTold: true, where: "progress may not have arrived", needsClaim: true, fault: taken },
  {
    isTold: true,
    where: "it is lost",
    needsClaim: false,
    fault: new StateLostError("the server has lost it"),
  },
  { isTold: false, where: "the next holder finds it", needsClaim: false, fault: taken },
])(
  "what was made is told if the store is lost while it is read, where $where: $isTold",
  async ({ isTold, needsClaim, fault }) => {
    const more = { store: { needsClaim }, deployment: { agent: { read } } };
    const { service, held, events, applied } = startHeldApply([creation("a")], more);
    await settled();
    service.sent[0]?.answer();
    await settled();
    held.hold();
    service.asked[0]?.answer({ type: "success", status: 200, answer: { _id: "id of a", name: "a" } });
    await settled();
    held.letGo(fault);
    const thrown: unknown = await applied.catch((reason: unknown) => reason);
    const ended = { address: "agent:a", action: "create", ids: ["id of a"] };
    const unsaved = { type: "unsaved", ...ended };
    expect(events.slice(1)).toEqual([{ type: "done", ...ended }, ...(isTold ? [unsaved] : [])]);
    const hint = isTold ? expect.stringContaining("keep the IDs") : undefined;
    expect(thrown).toMatchObject({ name: "StoreChangedError", hint });
  },
);

const [own, resolving, inNoFile] = ["make room", "an ID that is shown above resolves it", "is in no file"];

test.each([
  { journal: "fails", claims: false, outcomes: [created, invalid], says: own },
  { journal: "fails", claims: false, outcomes: [invalid, created], says: resolving },
  { journal: "is lost", claims: false, outcomes: [invalid, invalid], says: own },
  { journal: "is lost", claims: false, outcomes: [created, invalid], says: inNoFile },
  { journal: "is lost", claims: false, outcomes: [invalid, created], says: inNoFile },
  { journal: "is lost", claims: true, outcomes: [created, invalid], says: own },
  { journal: "is lost", claims: true, outcomes: [invalid, created], says: resolving },
])(
  "a journal that $journal says $says if the lock fails, too, with creates claimed: $claims",
  async ({ journal, claims, outcomes, says }) => {
    const Failure = journal === "fails" ? JournalFailedError : JournalLostError;
    const replace = () => Promise.reject(new StoreFailedError("the disk is full", "make room"));
    const store = { needsClaim: claims, replace };
    const { thrown } = await failAtAnswer(new Failure("the disk failed", own), { outcomes, store });
    expect(thrown).toMatchObject({ message: "the disk failed", hint: expect.stringContaining(says) });
  },
);

test.each([
  { journal: "fails", Failure: JournalFailedError, says: /in the lock now, also what [^;]*: plan again$/ },
  { journal: "is lost", Failure: JournalLostError, says: /in the lock now, .*; find out who did it/ },
  {
    journal: "fails with nothing made",
    Failure: JournalFailedError,
    says: /in the lock now/,
    more: { lock: { ...managed, writes: "one two" }, outcomes: [invalid] },
  },
])(
  "a lock that is written counts, though the journal $journal and stays",
  async ({ Failure, says, more }) => {
    let lock: string | null = null;
    const store: Partial<LockStore> = {
      async replace(text) {
        lock = text;
        throw new StoreFailedError("the journal is still there", "make room");
      },
      read: async () => ({ version: null, lock, journal: null, holder: null }),
    };
    const { thrown } = await failAtAnswer(new Failure("the disk failed", "make room"), { store, ...more });
    expect(thrown).toMatchObject({ message: "the disk failed", hint: expect.stringMatching(says) });
  },
);

test("a listener that fails first does not keep the lock from being written when the journal fails, too", async () => {
  const onEvent = (event: ApplyEvent) => {
    if (event.type === "done") throw new Error("nobody listens");
  };
  const failure = new JournalFailedError("the disk failed", "make room");
  const more = { outcomes: [created, created], concurrency: 2, onEvent };
  const { thrown, locks } = await failAtAnswer(failure, more);
  expect(thrown).toMatchObject({ message: "nobody listens" });
  expect(locks.map(({ resources }) => Object.keys(resources))).toEqual([["agent:a", "agent:b"]]);
});

test("what depends on a failure through others is skipped with it, each once", async () => {
  const actions = [
    creation("a"),
    creation("b", ["agent:a"]),
    creation("c", ["agent:a", "agent:b"]),
    creation("d"),
  ];
  const { service, events, applied } = startHeldApply(actions);
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
  async send({ body }, _intent, ready) {
    await ready?.(false);
    return { type: "success", status: 200, answer: { agent_id: `id of ${body["name"]}` } };
  },
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
    0,
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
    async send(_request, _intent, ready) {
      await ready?.(false);
      return { type: "rejected", status: 422, message: "HTTP 422" };
    },
    ask: async () => ({ type: "not-sent", message: "not asked" }),
    address: () => undefined,
    renew: () => undefined,
    close: async () => undefined,
  };
  const { summary } = await applyActions(actions, { store: forgetfulStore(), service, concurrency: 16 });
  expect(summary).toMatchObject({ failed: 1, skipped: 99_999 });
});

test("creates are claimed before any is sent, in records of a thousand", async () => {
  const actions = Array.from({ length: 2500 }, (_, index) => creation(`a${index}`));
  const drain = new AbortController();
  const more = { store: { needsClaim: true }, drain: drain.signal };
  const { service, held, applied } = startHeldApply(actions, more);
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

test("updates are claimed with what their references stand for, as far as nothing has to be created for that", async () => {
  const lock: Lock = {
    ...managed,
    resources: {
      "agent:a": { id: "1", body: {}, digest: "d" },
      "agent:b": { id: "2", body: {}, digest: "d" },
      "agent:c": { id: "3", body: {}, digest: "d" },
    },
  };
  const update = {
    ...creation("c", ["agent:a", "agent:b", "agent:d"]),
    action: "update" as const,
    fields: [],
  };
  const replacement = { ...creation("b"), action: "replace" as const };
  const adoption = { ...creation("d"), action: "adopt" as const, ids: ["4"] };
  const enhanced = { enhance_descriptions: true, provider_api_key: "${env:KEY}" };
  const set = { ...creation("t"), address: "toolset:t", body: { tool_set_name: "t", ...enhanced } };
  const drain = new AbortController();
  const more = { lock, store: { needsClaim: true }, drain: drain.signal };
  const { held, service, applied } = startHeldApply([replacement, set, adoption, update], more);
  await settled();
  const claims = held.lines
    .filter((line) => line.includes('"type":"claim"'))
    .map((line) => JSON.parse(line.slice(17)) as ClaimRecord);
  expect(claims.map(({ creates, updates }) => [creates, updates])).toEqual([
    [
      [
        expect.objectContaining({ address: "agent:b", operation: "replace" }),
        expect.objectContaining({ address: "toolset:t", sent_once: ["KEY"] }),
      ],
      undefined,
    ],
    [
      [],
      [
        {
          address: "agent:c",
          operation: "update",
          body: update.body,
          references: { "agent:a": "1", "agent:d": "4" },
        },
      ],
    ],
  ]);
  drain.abort();
  service.sent[0]?.answer();
  await applied;
});

test("a claim says of a replacement what its begin says, but for its users", async () => {
  const replacement = {
    ...creation("a"),
    action: "replace" as const,
    file: "a.yaml",
    protect: true,
    on_removal: "delete" as const,
    on_replaced: "delete" as const,
    labels: { team: "care" },
    moved_from: ["agent:b"],
    gone: ["1"],
  };
  const { held, service, applied } = startHeldApply([replacement], { store: { needsClaim: true } });
  await settled();
  const journal = parseJournal(held.lines.join(""), "journal");
  if (!journal.ok) throw new Error("broken");
  const [claim, begin] = journal.records;
  const { type: _type, n: _n, used_by: _users, ...begun } = begin as BeginRecord;
  expect(begun.labels).toEqual(replacement.labels);
  expect(claim).toEqual({ type: "claim", creates: [begun] });
  service.sent[0]?.answer();
  await applied;
});
