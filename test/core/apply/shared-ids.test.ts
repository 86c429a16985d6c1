import { describe, expect, test, vi } from "vitest";
import { deploymentOf } from "../../../src/core/kind/written-operations.js";
import { editLock } from "../../../src/core/lock-edit/lock-edit.js";
import { emptyLock, parseLock, type Lock, type LockEntry } from "../../../src/core/state/lock.js";
import { lockText } from "../../harness/lock-text.js";
import { parseJournal } from "../../../src/core/state/journal.js";
import { replay } from "../../../src/core/state/replay.js";
import type { Outcome } from "../../../src/core/observation/service.js";
import { creation, settled, startHeldApply, told } from "./applying.js";

const owner = { workspace: "test", environment: null };

function answered(id: string): Outcome {
  return { type: "success", status: 200, answer: { agent_id: id } };
}

function lockOf(more: Partial<Lock>): Lock {
  return { ...emptyLock(owner, "lineage"), serial: 1, ...more };
}

const old: LockEntry = { id: "old", body: { name: "old" }, digest: "d", references: { "policy:p": "1" } };

/** Starts an apply of creates; every answer is the test's. */
function start(
  names: readonly string[],
  lock = emptyLock(owner, "lineage"),
  waits: Record<string, string[]> = {},
) {
  const actions = names.map((name) => creation(name, waits[name]));
  const started = startHeldApply(actions, { lock, concurrency: 8 });
  const answer = (name: string, id: string) =>
    started.service.sent.find((request) => request.name === name)?.answer(answered(id));
  return { ...started, answer };
}

test.each([
  ["of another new object is unknown, and the next create has another connection", "b", true],
  ["of another new object with white space is, too", " b\n", true],
  ["that an object of another kind has is that of the service", "c", false],
  ["that nothing else has is, too", "A", false],
])("a create that is answered with a name %s", async (_, name, isUnknown) => {
  const policy = { ...creation("c"), address: "policy:c" };
  const { applied, service } = startHeldApply([creation("a"), creation("b"), policy], { concurrency: 8 });
  await settled();
  for (const { name: own, answer } of service.sent)
    answer({
      type: "success",
      status: 200,
      answer: { agent_id: own, _id: own, name: own === "a" ? name : own },
    });
  const { lock } = await applied;
  expect({ unknown: Object.keys(lock.unknown), renewals: service.renewals() }).toEqual(
    isUnknown ? { unknown: ["agent:a"], renewals: 1 } : { unknown: [], renewals: 0 },
  );
});

describe("an ID that is answered twice", () => {
  test("is unknown for both addresses, of which the first was done", async () => {
    const { applied, answer, events } = start(["a", "b"]);
    await settled();
    answer("a", "same");
    await settled();
    answer("b", "same");
    const { lock, summary } = await applied;
    expect(summary).toMatchObject({ done: 0, unknown: 2 });
    expect(lock.resources).toEqual({});
    expect(lock.unknown).toMatchObject({
      "agent:a": { operation: "create", ids: ["same"], body: { name: "a" } },
      "agent:b": { operation: "create", ids: ["same"], body: { name: "b" } },
    });
    expect(told(events).slice(2)).toEqual(["done agent:a", "doubted agent:a", "unknown agent:b"]);
  });

  test("is unknown for both, though the first is not yet on record", async () => {
    const { held, applied, answer, events } = start(["a", "b"]);
    await settled();
    held.hold();
    answer("a", "same");
    answer("b", "same");
    await settled();
    held.letGo();
    const { lock, summary } = await applied;
    expect(summary).toMatchObject({ done: 0, unknown: 2 });
    expect(Object.keys(lock.unknown).toSorted()).toEqual(["agent:a", "agent:b"]);
    expect(told(events).slice(2).toSorted()).toEqual(["unknown agent:a", "unknown agent:b"]);
  });

  test("stays unknown for both, whatever a read of the first shows after that", async () => {
    const deployment = deploymentOf({ operations: { agent: { read: "GET /v3/agents/{id}" } } });
    const actions = [creation("a"), creation("b")];
    const { applied, service } = startHeldApply(actions, { deployment, concurrency: 8 });
    await settled();
    service.sent[0]?.answer(answered("same"));
    await vi.waitUntil(() => service.asked.length > 0);
    service.sent[1]?.answer(answered("same"));
    await settled();
    for (const { answer } of service.asked)
      answer({ type: "success", status: 200, answer: { agent_id: "same", name: "a" } });
    const { lock, summary } = await applied;
    expect({ unknown: Object.keys(lock.unknown).toSorted(), managed: lock.resources, summary }).toMatchObject(
      {
        unknown: ["agent:a", "agent:b"],
        managed: {},
        summary: { done: 0, unknown: 2 },
      },
    );
  });

  test("lets nothing begin that depends on one of them", async () => {
    const { applied, answer, events, service } = start(["a", "b", "user", "other"], undefined, {
      user: ["agent:a", "agent:other"],
    });
    await settled();
    answer("a", "same");
    await settled();
    answer("b", "same");
    await settled();
    answer("other", "id of other");
    const { summary } = await applied;
    expect(service.sent.map(({ name }) => name)).toEqual(["a", "b", "other"]);
    expect(summary).toMatchObject({ done: 1, unknown: 2, skipped: 1 });
    expect(events).toContainEqual({
      type: "skipped",
      address: "agent:user",
      action: "create",
      because: "agent:a has an unknown outcome",
      cause: { code: "dependency-unknown", parts: { address: "agent:a" } },
    });
  });

  test("is in doubt at the end of a cut off apply, whatever the last record is", async () => {
    const { held, applied, answer } = start(["a", "b"]);
    await settled();
    answer("a", "same");
    await settled();
    answer("b", "same");
    const { lock } = await applied;
    const whole = held.lines.join("");
    const states = held.lines.map((_line, count) => {
      const journal = parseJournal(held.lines.slice(0, count + 1).join(""), "journal");
      if (!journal.ok) throw new Error("broken");
      const replayed = replay(emptyLock(owner, "lineage"), journal, "journal");
      if (!replayed.ok) throw new Error("refused");
      replayed.state.settle();
      return replayed.state.lock;
    });
    expect(whole).toContain('"doubts":["agent:a"]');
    for (const state of states) {
      // Either both may have it, or one of them has and the other is unknown.
      expect(Object.keys(state.resources).length).toBeLessThan(2);
    }
    expect(states.at(-1)?.unknown).toEqual(lock.unknown);
  });

  const [capitals, small] = ["66F1C0DE00000000000000AB", "66f1c0de00000000000000ab"];
  test.each([
    [small, capitals],
    [capitals, small],
  ])("as %s is that of an entry with %s, as many services take it", async (answered, id) => {
    const { applied, answer } = start(["b"], lockOf({ resources: { "agent:old": { ...old, id } } }));
    await settled();
    answer("b", answered);
    const { lock, summary } = await applied;
    expect([summary?.unknown, lock.resources]).toEqual([2, {}]);
  });

  test("is not shared with what another apply has made", async () => {
    const { applied, answer } = start(["b"], lockOf({ resources: { "agent:old": old } }));
    await settled();
    answer("b", "old");
    const { lock, summary } = await applied;
    expect(summary).toMatchObject({ unknown: 2 });
    expect(lock.resources).toEqual({});
    expect(lock.unknown["agent:old"]).toMatchObject({
      body: old.body,
      digest: "d",
      ids: ["old"],
      references: { "policy:p": "1" },
      message: "the service answered the same ID for agent:b",
    });
    expect(parseLock(lockText(lock), "lock", owner)).toEqual({ ok: true, lock });
  });

  test("is not taken from the ledger of another address", async () => {
    const retired: Lock["retired"] = { left: { address: "agent:gone", reason: "forgotten" } };
    const { applied, answer } = start(["b"], lockOf({ retired }));
    await settled();
    answer("b", "left");
    const { lock, summary } = await applied;
    expect(summary).toMatchObject({ unknown: 1 });
    expect(lock.retired).toEqual(retired);
    expect(Object.keys(lock.unknown)).toEqual(["agent:b"]);
  });

  test.each(["1", "main"])("is no matter for two kinds, as %s, wherever the apply is cut off", async (id) => {
    const before = lockOf({ resources: { "policy:p": { ...old, id } } });
    const { held, applied, answer } = start(["b"], before);
    await settled();
    answer("b", id);
    const { resources } = (await applied).lock;
    expect(resources).toMatchObject({ "policy:p": { id }, "agent:b": { id } });
    for (const count of held.lines.keys()) {
      const journal = parseJournal(held.lines.slice(0, count + 1).join(""), "journal");
      const replayed = journal.ok && replay(before, journal, "journal");
      if (!replayed || !replayed.ok) throw new Error("refused");
      replayed.state.settle();
      const { lock } = replayed.state;
      const told = lock.unknown["agent:b"]
        ? editLock(lock, new Map(), [{ address: "agent:b", type: "resolve", adoption: id }])
        : { ok: true as const, lock };
      expect(told).toMatchObject({
        ok: true,
        lock: { unknown: {}, resources: { "policy:p": { id }, ...(count > 0 && { "agent:b": { id } }) } },
      });
    }
  });
});

const both = lockOf({
  unknown: Object.fromEntries(
    ["agent:a", "agent:b"].map((address) => [
      address,
      {
        operation: "create",
        since: "now",
        method: "POST",
        path: "/v3/agents/",
        message: "m",
        body: { name: address },
        digest: "e",
        ids: ["same"],
      },
    ]),
  ),
});

describe("what is in doubt", () => {
  const edit = (lock: Lock, address: string, adoption?: string): Lock => {
    const change =
      adoption === undefined ? ({ type: "not-created" } as const) : ({ type: "resolve", adoption } as const);
    const edited = editLock(lock, new Map(), [{ address, ...change }]);
    if (!edited.ok) throw new Error(edited.problems.map(({ message }) => message).join());
    return edited.lock;
  };

  test("is resolved one by one", () => {
    const one = edit(both, "agent:a", "same");
    expect(one.resources["agent:a"]).toEqual({ id: "same", body: { name: "agent:a" }, digest: "e" });
    expect(() => edit(one, "agent:b", "same")).toThrow("belongs to `agent:a`");
    expect(edit(one, "agent:b")).toMatchObject({ unknown: {}, retired: {} });
    expect(edit(one, "agent:b", "own").resources["agent:b"]?.id).toBe("own");
  });

  test("goes to the ledger once no address has it", () => {
    const one = edit(both, "agent:a", "own");
    expect(one.retired).toEqual({});
    const two = edit(one, "agent:b");
    expect(two.retired).toEqual({
      same: { address: "agent:b", reason: "forgotten", untold: true, body: { name: "agent:b" } },
    });
    expect(two.unknown).toEqual({});
  });
});

describe("an object that is taken over", () => {
  const adopt = async (lock: Lock, id: string) => {
    const adoption = { ...creation("c"), action: "adopt" as const, ids: [id] };
    return await startHeldApply([adoption], { lock }).applied;
  };

  test.each<[string, Partial<Lock>]>([
    ["was answered for creates that are in doubt", { unknown: both.unknown }],
    ["another address has left behind", { retired: { same: { address: "agent:a", reason: "forgotten" } } }],
  ])("may be one that %s", async (_what, before) => {
    const { lock, summary } = await adopt(lockOf(before), "same");
    expect(summary).toMatchObject({ done: 1, failed: 0 });
    expect(lock.resources["agent:c"]?.id).toBe("same");
  });

  test("is none that another address has", async () => {
    const { lock, summary } = await adopt(lockOf({ resources: { "agent:old": old } }), "old");
    expect(summary).toMatchObject({ done: 0, failed: 1 });
    expect(lock.resources).toEqual({ "agent:old": old });
  });
});

const update = {
  ...creation("old"),
  action: "update" as const,
  body: { name: "old, changed" },
  fields: ["name"],
};
const lockBefore = lockOf({ resources: { "agent:old": old } });

test("an update whose object came into doubt before it began is not sent, and said to be skipped", async () => {
  const { service, applied, events } = startHeldApply([creation("b"), update], { lock: lockBefore });
  await settled();
  service.sent[0]?.answer(answered("old"));
  expect((await applied).summary).toMatchObject({ done: 0, unknown: 2 });
  expect(told(events)).toContain("skipped agent:old");
  expect(service.sent).toHaveLength(1);
});

test("an update that ends after its object came into doubt leaves it there", async () => {
  const { service, applied } = startHeldApply([update, creation("b")], {
    lock: lockBefore,
    concurrency: 8,
  });
  await settled();
  service.sent[1]?.answer(answered("old"));
  await settled();
  service.sent[0]?.answer(answered("x"));
  const { lock, summary } = await applied;
  expect(summary).toMatchObject({ done: 0, unknown: 2 });
  expect(lock.resources).toEqual({});
  expect(lock.unknown["agent:old"]?.ids).toEqual(["old"]);
});
