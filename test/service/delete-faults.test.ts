import { onTestFinished, describe, expect, test } from "vitest";
import type { ListedUsers } from "../../src/core/observation/listed-users.js";
import type { ApplyEvent } from "../../src/core/apply/apply-report.js";
import { buildPrunePlan } from "../../src/core/plan/prune-plan.js";
import { applyActions } from "../core/apply/applying.js";
import { deploymentOf } from "../../src/core/kind/written-operations.js";
import { emptyLock, parseLock, type Lock } from "../../src/core/state/lock.js";
import { lockText, textOf } from "../harness/lock-text.js";
import type { LockStore } from "../../src/core/state/lock-store.js";
import { assembleState } from "../../src/core/state/stored-state.js";
import type { EmulatedFault } from "../../src/emulator/fault.js";
import { startEmulator, type Emulator } from "../../src/emulator/emulator.js";
import { createMemoryStore } from "../plan/memory-store.js";
import { calling } from "./calling.js";

const owner = { workspace: "test", environment: null };
const path = "/v1/rai/policies/{id}";
const deletes = deploymentOf({ operations: { policy: { delete: `DELETE ${path}` } } });
const readable = deploymentOf({ operations: { policy: { delete: `DELETE ${path}`, read: `GET ${path}` } } });

/** A service with some policies that are left behind, and the store whose ledger has them. */
async function openScene(count: number, faults: readonly EmulatedFault[] = []) {
  const emulator = await startEmulator({ operations: "full", faults });
  onTestFinished(() => emulator.close());
  const ids = Array.from(
    { length: count },
    (_, index) => emulator.edit({ kind: "policy", create: { name: `P${index}` } })[0] ?? "",
  );
  const retired = Object.fromEntries(
    ids.map((id, index) => [id, { address: `policy:p${index}`, reason: "replaced" as const }]),
  );
  const lock: Lock = { ...emptyLock(owner, "lineage"), serial: 1, writes: "w1", retired };
  return { emulator, ids, store: createMemoryStore(lockText(lock)) };
}

async function stateOf(store: LockStore) {
  const state = assembleState(await store.read(), owner, store);
  if (!state.ok) throw new Error(JSON.stringify(state));
  return state.lock;
}

async function pruneOnce(
  emulator: Emulator,
  store: LockStore,
  deployment = deletes,
  drain = new AbortController().signal,
) {
  const lock = await stateOf(store);
  const events: ApplyEvent[] = [];
  const url = emulator.url;
  const { service } = await calling(url, { raiBaseUrl: url, timeouts: { response: 300 } });
  const outside = () => [];
  const listed: ListedUsers = { unreadable: [], usersOf: () => [], isListed: () => undefined };
  const reached = { service: { base_url: url }, lock: { store: "file" as const } };
  const settings = { name: "test", environment: null, deployment, ...reached };
  const input = { lock, settings, source: "agentform.lock", ids: [], outside, listed, isEmulated: false };
  const { plan } = buildPrunePlan(input);
  const { version } = await store.read();
  const { summary } = await applyActions([], {
    plan,
    lock,
    version,
    write: `write-${lock.serial}`,
    store,
    service,
    serviceIdentity: { base_url: url },
    deployment,
    drain,
    onEvent: (event) => events.push(event),
  });
  return { summary, events };
}

/** How an object is after a fault: whether it is there, and how the prune ended. */
const cases: readonly (readonly [
  name: string,
  faults: readonly EmulatedFault[],
  ending: "done" | "failed" | "unknown",
  isThere: boolean,
])[] = [
  ["refused", [{ method: "DELETE", status: 409, body: { detail: "in use" } }], "failed", true],
  ["refused for its key", [{ method: "DELETE", status: 403 }], "failed", true],
  ["too many at first", [{ method: "DELETE", status: 429, count: 2 }], "done", false],
  ["a 500 once", [{ method: "DELETE", status: 500 }], "done", false],
  ["a 500 always", [{ method: "DELETE", status: 500, count: 3 }], "unknown", true],
  ["a reset before it", [{ method: "DELETE", drop: "before" }], "done", false],
  ["a reset after it", [{ method: "DELETE", drop: "after" }], "done", false],
  ["resets after it, always", [{ method: "DELETE", drop: "after", count: 3 }], "unknown", false],
  ["no answer at all", [{ method: "DELETE", hang: true, count: 3 }], "unknown", false],
  ["half an answer", [{ method: "DELETE", half: true, count: 9 }], "done", false],
  ["garbage", [{ method: "DELETE", garbage: "<html>fine</html>" }], "unknown", false],
  ["an error on 200", [{ method: "DELETE", garbage: '{"error":"in use"}' }], "unknown", false],
  ["a giant answer", [{ method: "DELETE", giant: 80_000_000 }], "unknown", false],
  ["a redirect", [{ method: "DELETE", redirect: "http://127.0.0.1:1/elsewhere" }], "unknown", true],
  ["gone already", [{ method: "DELETE", status: 404 }], "done", true],
];

describe("a delete that meets", () => {
  test.each(cases)("%s", async (_name, faults, ending, isThere) => {
    const { emulator, ids, store } = await openScene(1, faults);
    const { summary, events } = await pruneOnce(emulator, store);
    expect(events.map(({ type }) => type)).toEqual(["start", ending]);
    expect(summary?.[ending]).toBe(1);
    expect(emulator.objects().policies).toHaveLength(isThere ? 1 : 0);
    const [id = ""] = ids;
    const lock = await stateOf(store);
    expect(Object.keys(lock.retired)).toEqual(ending === "done" ? [] : [id]);
    expect(lock.deleted).toEqual(ending === "done" ? { [`policy ${id}`]: 2 } : undefined);
    expect(lock.retired[id]?.delete_sent !== undefined).toBe(ending === "unknown");
    // The lock has what the journal had, and is sound.
    expect((await store.read()).journal).toBeNull();
    expect(parseLock(lockText(lock), "agentform.lock", owner)).toEqual({ ok: true, lock });
    if (ending === "done") return;
    // The fault is over, and the delete is sent again.
    expect((await pruneOnce(emulator, store)).summary).toMatchObject({ done: 1 });
    expect(await stateOf(store)).toMatchObject({ retired: {} });
  });

  test("a 404 of a path that is wrong, for the object can still be read", async () => {
    const { emulator, ids, store } = await openScene(1, [{ method: "DELETE", status: 404, count: 9 }]);
    const { events } = await pruneOnce(emulator, store, readable);
    expect(events.at(-1)).toMatchObject({
      type: "failed",
      message: expect.stringContaining("still shows it"),
    });
    expect(Object.keys((await stateOf(store)).retired)).toEqual(ids);
  });

  test("a 404, and cannot find out more", async () => {
    const faults: EmulatedFault[] = [
      { method: "DELETE", status: 404 },
      // It is read before the delete as well.
      { method: "GET", status: 500, skip: 1, count: 9 },
    ];
    const { emulator, ids, store } = await openScene(1, faults);
    const { events } = await pruneOnce(emulator, store, readable);
    expect(events.at(-1)).toMatchObject({ type: "unknown" });
    expect(Object.keys((await stateOf(store)).retired)).toEqual(ids);
  });

  test("a refused key, starts nothing further", async () => {
    const { emulator, ids, store } = await openScene(3, [{ method: "DELETE", status: 401, count: 9 }]);
    const { summary } = await pruneOnce(emulator, store);
    expect(summary).toEqual({ done: 0, failed: 1, unknown: 0, skipped: 2, blocked: 0 });
    expect(emulator.requests.filter(({ method }) => method === "DELETE")).toHaveLength(1);
    expect(Object.keys((await stateOf(store)).retired).toSorted()).toEqual(ids.toSorted());
  });
});

test("killed at any record of the journal, a prune loses no entry, and the next one ends it", async () => {
  for (let at = 0; ; at++) {
    const { emulator, ids, store } = await openScene(3);
    let flushed = 0;
    const dying: LockStore = {
      ...store,
      async flush() {
        if (flushed++ >= at) throw new Error("killed");
      },
      async replace(text, version) {
        if (flushed > at) throw new Error("killed");
        return await store.replace(text, version);
      },
    };
    const ended = await pruneOnce(emulator, dying).catch(() => undefined);
    const lock = await stateOf(store);
    for (const id of ids) {
      const isNamed = lock.deleted?.[`policy ${id}`] !== undefined;
      expect(Object.hasOwn(lock.retired, id) || isNamed).toBe(true);
      // What the lock calls deleted is deleted.
      if (isNamed) expect(emulator.objects().policies.map((each) => each.id)).not.toContain(id);
    }
    // Only what the journal announced is gone.
    const announced = textOf((await store.read()).journal);
    if (!ended) {
      for (const id of ids) {
        const isThere = emulator.objects().policies.some((each) => each.id === id);
        expect(isThere || announced.includes(id)).toBe(true);
      }
    }
    // Whoever holds the store writes the journal into the lock first.
    const { version } = await store.read();
    await store.replace(lockText({ ...lock, serial: lock.serial + 1 }), version);
    await pruneOnce(emulator, store);
    expect(emulator.objects().policies).toEqual([]);
    const last = await stateOf(store);
    expect(last.retired).toEqual({});
    expect(Object.keys(last.deleted ?? {}).toSorted()).toEqual(ids.map((id) => `policy ${id}`).toSorted());
    if (ended) {
      expect(at).toBe(6);
      return;
    }
  }
});
