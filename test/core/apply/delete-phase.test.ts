import { expect, test, vi } from "vitest";
import type { Deployment } from "../../../src/core/kind/deployment.js";
import { emptyLock, type Lock, type LockEntry } from "../../../src/core/state/lock.js";
import { JournalFailedError } from "../../../src/core/state/lock-store.js";
import type { Outcome } from "../../../src/core/observation/service.js";
import { creation, settled, startHeldApply, told, typesIn } from "./applying.js";

const deployment: Deployment = {
  agent: { delete: { host: "base", method: "DELETE", path: "/agents/{id}", gone: [404] } },
  policy: { delete: { host: "rai", method: "DELETE", path: "/policies/{id}", gone: [404] } },
};

const refused: Outcome = { type: "rejected", status: 500, message: "HTTP 500" };

function lockWith(resources: Record<string, LockEntry>): Lock {
  return { ...emptyLock({ workspace: "test", environment: null }, "lineage"), serial: 1, resources };
}

function entry(id: string, more: Partial<LockEntry> = {}): LockEntry {
  return { id, body: { name: id }, digest: "d", ...more };
}

function deletion(address: string, id: string) {
  return { ...creation("x"), address, action: "delete" as const, ids: [id] };
}

/** The replacement of an agent whose old object is to be deleted. */
function replacement(name: string, old: string) {
  return { ...creation(name), action: "replace" as const, ids: [old], deletes: 1 };
}

function requests({ asked }: { readonly asked: readonly { readonly request: string }[] }): string[] {
  return asked.map(({ request }) => request);
}

/** Runs an apply whose journal fails at the end of its first delete. */
async function failAtEnd(...given: Parameters<typeof startHeldApply>) {
  const started = startHeldApply(...given);
  const { service, held, applied } = started;
  await settled();
  held.hold();
  service.asked[0]?.answer();
  await settled();
  held.letGo(new JournalFailedError("the disk failed", "make room"));
  await expect(applied).rejects.toThrow("the disk failed");
  return started;
}

test("an interrupt before the deletes lets none begin, and tells each", async () => {
  const drain = new AbortController();
  const lock = lockWith({ "agent:old": entry("1") });
  const actions = [creation("a"), deletion("agent:old", "1")];
  const { service, events, applied } = startHeldApply(actions, { lock, deployment, drain: drain.signal });
  await settled();
  drain.abort();
  service.sent[0]?.answer();
  expect((await applied).summary).toMatchObject({ done: 1, skipped: 1 });
  expect(requests(service)).toEqual([]);
  expect(told(events).at(-1)).toBe("skipped agent:old");
});

test("an interrupt among the deletes lets no further begin", async () => {
  const drain = new AbortController();
  const lock = lockWith({ "agent:a": entry("1"), "agent:b": entry("2") });
  const actions = [deletion("agent:a", "1"), deletion("agent:b", "2")];
  const { service, events, applied } = startHeldApply(actions, { lock, deployment, drain: drain.signal });
  await settled();
  drain.abort();
  service.asked[0]?.answer();
  expect((await applied).summary).toMatchObject({ done: 1, skipped: 1 });
  expect(requests(service)).toEqual(["DELETE /agents/1"]);
  expect(told(events)).toEqual(["start agent:a", "done agent:a", "skipped agent:b"]);
});

test("a journal that fails at a delete ends the apply, with the lock written", async () => {
  const lock = lockWith({ "agent:a": entry("1"), "agent:b": entry("2") });
  const actions = [deletion("agent:a", "1"), deletion("agent:b", "2")];
  const onSummary = vi.fn();
  const { service, held, events } = await failAtEnd(actions, { lock, deployment, onSummary });
  expect(told(events)).toEqual(["start agent:a", "done agent:a", "skipped agent:b"]);
  expect(onSummary).toHaveBeenCalledWith(expect.objectContaining({ done: 1, skipped: 1 }));
  expect(requests(service)).toEqual(["DELETE /agents/1"]);
  const [written] = held.locks.map((text) => JSON.parse(text) as Lock);
  expect(Object.keys(written?.resources ?? {})).toEqual(["agent:b"]);
  expect(written?.retired).toEqual({});
});

test("a delete that could not be journalled is withdrawn and skipped, and not sent", async () => {
  const lock = lockWith({ "agent:a": entry("1") });
  const onSummary = vi.fn();
  const more = { lock, deployment, onSummary };
  const { service, held, events, applied } = startHeldApply([deletion("agent:a", "1")], more);
  // That it is forgotten, and then the delete.
  held.hold();
  await settled();
  held.letGo();
  held.hold();
  await settled();
  held.letGo(new JournalFailedError("the disk failed", "make room"));
  await expect(applied).rejects.toThrow("the disk failed");
  expect(requests(service)).toEqual([]);
  expect(typesIn(held.lines)).toEqual(["header", "forget", "delete", "not-sent"]);
  expect(told(events)).toEqual(["start agent:a", "skipped agent:a"]);
  expect(onSummary).toHaveBeenCalledWith(expect.objectContaining({ done: 0, skipped: 1 }));
});

test("of several objects none is deleted before the end of the one before it is journalled", async () => {
  const lock = lockWith({ "agent:a": entry("1") });
  const actions = [{ ...deletion("agent:a", "1"), ids: ["1", "2"] }];
  const { service, held } = await failAtEnd(actions, { lock, deployment });
  expect(requests(service)).toEqual(["DELETE /agents/1"]);
  expect(typesIn(held.lines)).toEqual(["header", "forget", "delete", "done"]);
});

test("a cause that all deletes share is tried once", async () => {
  const names = ["a", "b", "c"];
  const lock = lockWith(Object.fromEntries(names.map((name) => [`agent:${name}`, entry(name)])));
  const actions = names.map((name) => deletion(`agent:${name}`, name));
  const { service, events, applied } = startHeldApply(actions, { lock, deployment });
  await settled();
  const common = { why: "the service refused the key", after: 1 };
  service.asked[0]?.answer({ type: "rejected", status: 401, message: "HTTP 401", common });
  expect((await applied).summary).toMatchObject({ failed: 1, skipped: 2 });
  expect(requests(service)).toEqual(["DELETE /agents/a"]);
  expect(events.at(-1)).toMatchObject({ type: "skipped", because: common.why });
});

test("what an object uses is not deleted where the object could not be", async () => {
  const references = { "policy:p": "2" };
  const body = { features: [{ type: "RAI", config: { policy_id: "${policy:p}" } }] };
  const lock = lockWith({ "agent:a": entry("1", { body, references }), "policy:p": entry("2") });
  const actions = [deletion("agent:a", "1"), deletion("policy:p", "2")];
  const { service, events, applied } = startHeldApply(actions, { lock, deployment });
  await settled();
  service.asked[0]?.answer(refused);
  expect((await applied).summary).toMatchObject({ failed: 1, skipped: 1 });
  expect(requests(service)).toEqual(["DELETE /agents/1"]);
  expect(told(events).at(-1)).toBe("skipped policy:p");
});

test.each([
  { id: "new", deleted: ["DELETE /agents/old"], last: "old-deleted agent:a" },
  // The ID is not left behind then, and nothing is said about it.
  { id: "old", deleted: [], last: "done agent:a" },
])("the old object of a replacement with the ID `$id`: $last", async ({ id, deleted, last }) => {
  const lock = lockWith({ "agent:a": entry("old") });
  const { service, events, applied } = startHeldApply([replacement("a", "old")], { lock, deployment });
  await settled();
  service.sent[0]?.answer({ type: "success", status: 200, answer: { agent_id: id } });
  await settled();
  service.asked[0]?.answer();
  expect((await applied).lock.resources["agent:a"]?.id).toBe(id);
  expect(requests(service)).toEqual(deleted);
  expect(told(events).at(-1)).toBe(last);
});

test("the old object of a replacement stays where the new one has come into doubt", async () => {
  const lock = lockWith({ "agent:a": entry("old") });
  const actions = [replacement("a", "old"), creation("b")];
  const { service, applied } = startHeldApply(actions, { lock, deployment });
  for (const index of [0, 1]) {
    await settled();
    service.sent[index]?.answer({ type: "success", status: 200, answer: { agent_id: "same" } });
  }
  await settled();
  service.asked[0]?.answer();
  expect((await applied).summary).toMatchObject({ done: 0, unknown: 2 });
  expect(requests(service)).toEqual([]);
});
