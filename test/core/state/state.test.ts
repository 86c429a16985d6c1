import { describe, expect, test } from "vitest";
import type { BeginRecord, JournalHeader } from "../../../src/generated/journal.js";
import type { JournalRecord } from "../../../src/core/state/journal.js";
import { retiredIn } from "../../../src/core/state/known-ids.js";
import { emptyLock, entryDigest, type Lock, type LockEntry } from "../../../src/core/state/lock.js";
import { misshapenId } from "../../../src/core/state/lock-shape.js";
import { mergeLocks } from "../../../src/core/state/lock-merge.js";
import { replay } from "../../../src/core/state/replay.js";
import { State } from "../../../src/core/state/state.js";

const entry = (id: string, more: Partial<LockEntry> = {}): LockEntry => ({
  id,
  body: { name: id },
  digest: "d",
  ...more,
});

function lockOf(resources: Record<string, LockEntry>, more: Partial<Lock> = {}): Lock {
  return { ...emptyLock({ workspace: "test", environment: null }, "lineage"), serial: 3, resources, ...more };
}

function begin(address: string, operation: BeginRecord["operation"], body = {}): BeginRecord {
  return {
    type: "begin",
    n: 1,
    address,
    operation,
    time: "now",
    method: "POST",
    path: "/",
    body,
    digest: "e",
  };
}

function after(lock: Lock, ...records: JournalRecord[]): State {
  const state = new State(lock);
  for (const record of records) state.advance(record);
  return state;
}

const unknown = { type: "unknown", n: 1, time: "now", method: "POST", path: "/", message: "502" } as const;

test("a create is under way from its begin to its end, and in the lock after", () => {
  const state = after(lockOf({}), begin("agent:a", "create", { name: "A" }));
  expect(state.underWay).toHaveLength(1);
  expect(state.lock.resources).toEqual({});
  state.advance({ type: "done", n: 1, id: "1" });
  expect(state.underWay).toEqual([]);
  expect(state.lock.resources).toEqual({ "agent:a": { id: "1", body: { name: "A" }, digest: "e" } });
});

test("the lock that was given stays as it is", () => {
  const lock = lockOf({ "agent:a": entry("1") });
  after(lock, { type: "forget", address: "agent:a" });
  expect(lock.resources).toHaveProperty("agent:a");
});

test("what was not closed is unknown once it is settled", () => {
  const state = after(lockOf({ "agent:a": entry("1") }), begin("agent:a", "update"), {
    ...begin("agent:b", "create"),
    n: 2,
  });
  state.settle();
  expect(state.lock.resources["agent:a"]).toMatchObject({ id: "1", uncertain: true });
  expect(state.lock.unknown["agent:b"]).toMatchObject({ operation: "create", since: "now" });
});

test("a create of unknown outcome keeps the marks of its document", () => {
  const references = { "policy:p": "2" };
  const marks: Partial<BeginRecord> = {
    references,
    protect: true,
    on_removal: "delete",
    on_replaced: "delete",
    labels: { team: "care" },
    moved_from: ["agent:b"],
    sent_once: ["KEY"],
  };
  const { lock } = after(lockOf({}), { ...begin("agent:a", "create"), ...marks }, unknown);
  expect(lock.unknown["agent:a"]).toMatchObject(marks);
});

test("an object in doubt keeps its tools, and what is known of its replacement", () => {
  const set: LockEntry = { ids: ["1"], tools: { read: "1" }, body: {}, digest: "d" };
  const { lock } = after(
    lockOf({ "toolset:t": set }),
    begin("toolset:t", "replace", { x: 1 }),
    unknown,
    begin("toolset:u", "create"),
    { ...unknown, message: "the same ID", doubts: ["toolset:t"] },
  );
  expect(lock.unknown["toolset:t"]).toMatchObject({
    operation: "replace",
    message: "502",
    body: { x: 1 },
    ids: ["1"],
    tools: { read: "1" },
  });
});

test("a delete that was not closed is on record as sent once it is settled", () => {
  const request = { time: "now", method: "DELETE", path: "/" } as const;
  const state = after(
    lockOf({ "agent:a": entry("1") }),
    { type: "forget", address: "agent:a" },
    { type: "delete", n: 1, address: "agent:a", id: "1", ...request },
  );
  state.settle();
  expect(state.lock.retired).toMatchObject({ "agent#1": { address: "agent:a", delete_sent: "now" } });
});

test("an update has the baseline that it was sent with, and none of an earlier one", () => {
  const [before, now] = [
    { own: { "/color": 1 }, hidden: [] },
    { own: { "/size": 2 }, hidden: [] },
  ];
  const lock = lockOf({ "agent:a": entry("1", { baseline: before }) });
  const sent = (more: Partial<BeginRecord>) =>
    after(lock, { ...begin("agent:a", "update"), ...more }, { type: "done", n: 1 }).lock.resources["agent:a"];
  expect(sent({ baseline: now })?.baseline).toEqual(now);
  expect(sent({})?.baseline).toBeUndefined();
});

test("an update keeps what only a create or a merge says", () => {
  const lasting = { assumed: true, merged_from: ["agent:b"], sent_once: ["KEY"] };
  const { lock } = after(lockOf({ "agent:a": entry("1", lasting) }), begin("agent:a", "update"), {
    type: "done",
    n: 1,
  });
  expect(lock.resources["agent:a"]).toMatchObject({ id: "1", ...lasting });
});

test("a replacement retires the old object, and says who used it", () => {
  const { lock } = after(
    lockOf({ "policy:p": entry("1") }),
    { ...begin("policy:p", "replace"), used_by: ["agent:a"] },
    { type: "done", n: 1, id: "2" },
  );
  expect(lock.resources["policy:p"]?.id).toBe("2");
  expect(lock.retired).toEqual({
    "policy#1": { address: "policy:p", reason: "replaced", body: { name: "1" }, used_by: ["agent:a"] },
  });
});

test("a service that gives the old object's ID again leaves nothing behind", () => {
  const { lock } = after(lockOf({ "policy:p": entry("1") }), begin("policy:p", "replace"), {
    type: "done",
    n: 1,
    id: "1",
  });
  expect(lock.retired).toEqual({});
});

test("what is left behind with IDs that look like keys behind a kind is found again, whatever was deleted", () => {
  const named = { "agent:a": entry("main"), "agent:b": entry("policy#main"), "policy:p": entry("main") };
  const left = after(
    lockOf(named),
    ...Object.keys(named).map((address) => ({ type: "forget", address }) as const),
  );
  const deleting = (address: string, id: string): JournalRecord[] => [
    { type: "delete", n: 1, address, id, time: "t", method: "DELETE", path: "/" },
    { type: "done", n: 1 },
  ];
  const fewer = after(left.lock, ...deleting("agent:b", "policy#main"));
  expect(retiredIn(fewer.lock).map(([id, { address }]) => [id, address])).toEqual([
    ["main", "agent:a"],
    ["main", "policy:p"],
  ]);
  const again = after(
    { ...fewer.lock, resources: { "policy:q": entry("main") } },
    { type: "forget", address: "policy:q" },
  );
  for (const { lock } of [left, fewer, again]) expect(misshapenId(lock)).toBeUndefined();
  const gone = after(fewer.lock, ...deleting("policy:p", "main"));
  expect(retiredIn(gone.lock)).toMatchObject([["main", { address: "agent:a" }]]);
});

test("a create of unknown outcome that is resolved leaves what was answered behind, with its labels", () => {
  const labels = { audience: "customer" };
  const { type: _type, n: _n, address, time, operation: _create, ...rest } = begin("agent:a", "create");
  const unknown = {
    [address]: { ...rest, operation: "create" as const, since: time, message: "twice", ids: ["a-1"], labels },
  };
  const { lock } = after(lockOf({}, { unknown }), { type: "resolved", address });
  expect(lock.retired).toMatchObject({ "a-1": { address, reason: "forgotten", untold: true, labels } });
});

describe("a replacement of unknown outcome", () => {
  const stuck = after(lockOf({ "policy:p": entry("1") }), begin("policy:p", "replace"), unknown).lock;

  test("stands beside the old entry, and counts in its digest", () => {
    expect(stuck.resources["policy:p"]?.id).toBe("1");
    expect(stuck.unknown["policy:p"]).toMatchObject({ operation: "replace", message: "502" });
    const without = entryDigest({ ...stuck, unknown: {} }, "policy:p");
    expect(entryDigest(stuck, "policy:p")).not.toBe(without);
  });

  test("outlives the old object's being forgotten", () => {
    const { lock } = after(stuck, { type: "forget", address: "policy:p" });
    expect(lock.resources).toEqual({});
    expect(lock.retired).toHaveProperty("policy#1");
    expect(lock.unknown).toHaveProperty("policy:p");
  });

  test("that turns out to be another object retires the old one", () => {
    const { lock } = after(stuck, { type: "entry", address: "policy:p", entry: entry("2"), replaces: true });
    expect(lock.resources["policy:p"]?.id).toBe("2");
    expect(lock.retired).toMatchObject({ "policy#1": { reason: "replaced" } });
    expect(lock.unknown).toEqual({});
  });

  test("that was not done leaves the old one", () => {
    const { lock } = after(stuck, { type: "resolved", address: "policy:p" });
    expect(lock).toMatchObject({ resources: { "policy:p": { id: "1" } }, unknown: {} });
  });
});

describe("what the service did not have any more", () => {
  const lock = lockOf({ "toolset:t": { ids: ["1", "2"], tools: { a: "1", b: "2" }, body: {}, digest: "d" } });
  const replacing: JournalRecord = { ...begin("toolset:t", "replace"), gone: ["2"] };
  const retired = {
    "toolset#1": { reason: "replaced", operation: "a" },
    "toolset#2": { reason: "gone", operation: "b" },
  };

  test("is retired as gone when it is replaced, and the rest as replaced", () => {
    expect(after(lock, replacing, { type: "done", n: 1, ids: ["3"] }).lock.retired).toMatchObject(retired);
  });

  test("is known of an apply that was killed", () => {
    const state = after(lock, replacing);
    state.settle();
    const pending = state.lock.unknown["toolset:t"];
    expect(pending).toMatchObject({ operation: "replace", gone: ["2"] });
    const claim: JournalRecord = {
      type: "claim",
      creates: [{ ...begin("toolset:t", "replace"), operation: "replace", gone: ["2"] }],
    };
    const claimed = after(lock, claim);
    claimed.settle();
    expect(claimed.lock.unknown["toolset:t"]).toMatchObject({ gone: ["2"] });
  });

  test("is retired as gone when it is forgotten", () => {
    const { retired: left } = after(lock, { type: "forget", address: "toolset:t", gone: ["2"] }).lock;
    expect(left).toMatchObject({ "toolset#1": { reason: "forgotten" }, "toolset#2": { reason: "gone" } });
  });
});

describe("an update of unknown outcome", () => {
  test("keeps what was applied, and every update that was tried since", () => {
    const first = after(
      lockOf({ "agent:a": entry("1") }),
      begin("agent:a", "update", { x: 1 }),
      unknown,
    ).lock;
    const again = after(first, begin("agent:a", "update", { x: 1 }), unknown).lock;
    const { lock } = after(again, begin("agent:a", "update", { y: 1 }), unknown);
    expect(lock.resources["agent:a"]).toMatchObject({
      body: { name: "1" },
      uncertain: true,
      attempted: [{ body: { x: 1 } }, { body: { y: 1 } }],
    });
  });

  test("is one that was claimed by an apply that is gone, and none that it says it has not sent", () => {
    const claim: JournalRecord = {
      type: "claim",
      creates: [],
      updates: [{ address: "agent:a", operation: "update", body: { x: 1 }, references: { "policy:p": "9" } }],
    };
    const lock = lockOf({ "agent:a": entry("1"), "policy:p": entry("9") });
    const left = after(lock, claim);
    left.settle();
    expect(left.lock.resources["agent:a"]).toMatchObject({
      uncertain: true,
      attempted: [{ body: { x: 1 }, references: { "policy:p": "9" } }],
    });
    expect(left.lock.unknown).toEqual({});
    const ended = after(lock, claim, { type: "unsent" });
    ended.settle();
    expect(ended.lock).toEqual(lock);
  });

  test("has what it referred to once that is known", () => {
    const body = { x: "${policy:p}" };
    const lock = lockOf({ "agent:a": entry("1") });
    const claim: JournalRecord = {
      type: "claim",
      creates: [{ ...begin("policy:p", "create"), operation: "create" }],
      updates: [{ address: "agent:a", operation: "update", body }],
    };
    const attempted = [{ body, references: { "policy:p": "9" } }];
    const killed = after(lock, claim);
    killed.settle();
    expect(killed.lock.resources["agent:a"]).toMatchObject({ attempted: [{ body }] });
    const adopted = after(killed.lock, { type: "entry", address: "policy:p", entry: entry("9") }).lock;
    expect(adopted.resources["agent:a"]).toMatchObject({ attempted });
    const made = after(lock, claim, begin("policy:p", "create"), { type: "done", n: 1, id: "9" });
    made.settle();
    expect(made.lock.resources["agent:a"]).toMatchObject({ attempted });
  });

  test("of an object that was adopted leaves open what it has", () => {
    const adopted = lockOf({ "agent:a": { ...entry("1"), uncertain: true } });
    const { lock } = after(adopted, begin("agent:a", "update", { x: 1 }), unknown);
    expect(lock.resources["agent:a"]).toEqual(adopted.resources["agent:a"]);
  });

  test("is certain again after one that succeeded", () => {
    const first = after(
      lockOf({ "agent:a": entry("1") }),
      begin("agent:a", "update", { x: 1 }),
      unknown,
    ).lock;
    const { lock } = after(first, begin("agent:a", "update", { y: 1 }), { type: "done", n: 1 });
    expect(lock.resources["agent:a"]).toEqual({ id: "1", body: { y: 1 }, digest: "e" });
  });

  test("is one that was refused after some of its requests", () => {
    const refused = { type: "rejected", n: 1, message: "422" } as const;
    const lock = lockOf({ "agent:a": entry("1") });
    expect(after(lock, begin("agent:a", "update"), refused).lock).toEqual(lock);
    const part = after(lock, begin("agent:a", "update"), { ...refused, sent: 2 }).lock;
    expect(part.resources["agent:a"]?.uncertain).toBe(true);
  });
});

test("entries swap addresses without losing one", () => {
  const lock = lockOf(
    { "agent:a": entry("1"), "agent:b": entry("2") },
    {
      unknown: after(lockOf({}), begin("agent:a", "create"), unknown).lock.unknown,
    },
  );
  const moved = after(lock, {
    type: "move",
    moves: [
      { from: "agent:a", to: "agent:b", moved_from: ["agent:a"] },
      { from: "agent:b", to: "agent:a" },
    ],
  }).lock;
  expect(moved.resources).toEqual({
    "agent:b": entry("1", { moved_from: ["agent:a"] }),
    "agent:a": entry("2"),
  });
  expect(Object.keys(moved.unknown)).toEqual(["agent:b"]);
});

test("numbers that objects of two kinds have are retired beside each other, and deleted one by one", () => {
  const { lock } = after(
    lockOf({ "policy:p": entry("1"), "agent:a": entry("1") }),
    { type: "forget", address: "policy:p" },
    { type: "forget", address: "agent:a" },
  );
  const left = (state: Lock) => retiredIn(state).map(([id, { address }]) => [id, address]);
  const both = [
    ["1", "policy:p"],
    ["1", "agent:a"],
  ];
  expect(left(lock)).toEqual(both);
  const sent = { type: "delete", n: 1, id: "1", time: "t", method: "DELETE", path: "/" } as const;
  const pruned = after(lock, { ...sent, address: "policy:p" }, { type: "done", n: 1 }).lock;
  expect(left(pruned)).toEqual(both.slice(1));
  const merged = mergeLocks({ base: lock, ours: pruned, theirs: lock }, "z");
  expect(left(merged)).toEqual(both.slice(1));
});

test("the tools of a set are retired one by one, with their operations", () => {
  const set: LockEntry = { ids: ["1", "2"], tools: { read: "1" }, body: {}, digest: "d" };
  const { lock } = after(lockOf({ "toolset:t": set }), { type: "forget", address: "toolset:t", used_by: [] });
  expect(lock.retired).toEqual({
    "toolset#1": { address: "toolset:t", reason: "forgotten", operation: "read" },
    "toolset#2": { address: "toolset:t", reason: "forgotten" },
  });
});

test("an object without an ID is retired too, and one that is taken over again is retired no more", () => {
  const { lock } = after(
    lockOf({ "credential:c": { body: {}, digest: "sha256:12345678" }, "agent:a": entry("1") }),
    {
      type: "forget",
      address: "credential:c",
    },
    { type: "forget", address: "agent:a" },
  );
  expect(Object.keys(lock.retired)).toEqual(["credential:c#12345678", "agent#1"]);
  const again = after(lock, { type: "entry", address: "agent:b", entry: entry("1") }).lock;
  expect(Object.keys(again.retired)).toEqual(["credential:c#12345678"]);
});

test("an ID that a create may have is not left behind while something has it, of its kind or a long one of any", () => {
  const long = "66f1c0de00000000000000ab";
  const pending = {
    since: "now",
    operation: "create",
    method: "POST",
    path: "/",
    body: {},
    digest: "d",
  } as const;
  const lock = lockOf(
    { "policy:p": entry(long.toUpperCase()), "policy:q": entry("main"), "agent:b": entry("b") },
    { unknown: { "agent:a": { ...pending, message: "502", ids: [long, "main", "b"] } } },
  );
  const state = after(lock, { type: "resolved", address: "agent:a" });
  expect(retiredIn(state.lock)).toEqual([["main", expect.objectContaining({ address: "agent:a" })]]);
});

describe("a journal", () => {
  const header: JournalHeader = {
    type: "header",
    format: "agentform/journal/v1",
    workspace: "test",
    environment: null,
    lineage: "lineage",
    serial: 3,
    write: "w1",
    service: { base_url: "https://agents.example.com" },
    settings: { service: { tool_ids: "document_order" } },
  };
  const records: JournalRecord[] = [{ type: "forget", address: "agent:a" }];
  const lock = lockOf({ "agent:a": entry("1") });

  test("of the lock is worked in", () => {
    expect(replay(lock, { header, records }, "journal")).toMatchObject({
      ok: true,
      state: { lock: { resources: {} } },
    });
  });

  test("of an apply that has ended says which service and settings it used, and not before", () => {
    const replayed = replay(lock, { header, records }, "journal");
    if (!replayed.ok) throw new Error("the journal is refused");
    const { state } = replayed;
    expect(state.lock).not.toHaveProperty("settings");
    expect(state.lock).not.toHaveProperty("service");
    state.settle();
    expect(state.lock).toMatchObject({ service: header.service, settings: header.settings });
  });

  test("that is in the lock already counts for nothing", () => {
    expect(replay({ ...lock, serial: 4, writes: "w1" }, { header, records }, "journal")).toMatchObject({
      ok: true,
      state: {
        lock: { resources: lock.resources },
      },
    });
  });

  test.each([
    ["another lineage", { ...header, lineage: "other" }],
    ["a later serial", { ...header, serial: 4 }],
    ["a write that the lock lacks", { ...header, serial: 2, write: "y" }],
    ["the same serial after another write", { ...header, after: "y" }],
  ])("of %s is refused", (_, foreign) => {
    expect(replay({ ...lock, writes: "x" }, { header: foreign, records }, "journal")).toMatchObject({
      problems: [{ code: "journal-foreign" }],
    });
  });
});
