import { expect, test } from "vitest";
import { findUsesInDocuments } from "../../../src/core/plan/object-uses.js";
import type { Lock, LockEntry } from "../../../src/core/state/lock.js";
import { applyTo, noLock, planOf } from "../../plan/history.js";
import { pieceOf, workspaceOf } from "../../plan/world.js";

const nothing = workspaceOf([]);

function entry(id: string, ...references: string[]): LockEntry {
  const resolved = references.map((text) => [text, "0"] as const);
  return { id, body: { name: id }, digest: "d", references: Object.fromEntries(resolved) };
}

function lockOf(resources: Record<string, LockEntry>): Lock {
  return { ...noLock, serial: 1, resources };
}

function order(lock: Lock) {
  return planOf(nothing, lock).plan.actions.map(({ address, waits_for }) => [address, waits_for]);
}

test("what refers to others is forgotten before them", () => {
  const lock = lockOf({
    "agent:a": entry("1"),
    "agent:b": entry("2", "agent:a"),
    "agent:c": entry("3", "agent:b"),
  });
  expect(order(lock)).toEqual([
    ["agent:c", []],
    ["agent:b", ["agent:c"]],
    ["agent:a", ["agent:b"]],
  ]);
});

test("two that were applied with references to each other do not wait for each other", async () => {
  const lock = lockOf({ "agent:a": entry("1", "agent:b"), "agent:b": entry("2", "agent:a") });
  expect(order(lock)).toEqual([
    ["agent:a", []],
    ["agent:b", ["agent:a"]],
  ]);
  const { after } = await applyTo(lock, planOf(nothing, lock).plan);
  expect(after.resources).toEqual({});
  expect(Object.keys(after.retired)).toEqual(["agent#1", "agent#2"]);
});

test("an object is forgotten once those that used it are told of it", () => {
  const workspace = workspaceOf([pieceOf("agent:b", { name: "2", tools: [] })]);
  const lock = lockOf({ "agent:a": entry("1"), "agent:b": entry("2", "agent:a") });
  expect(planOf(workspace, lock).plan.actions).toMatchObject([
    { address: "agent:b", action: "update" },
    {
      address: "agent:a",
      action: "forget",
      waits_for: ["agent:b"],
      affects: ["agent:b"],
      ids: ["1"],
      leaves: 1,
    },
  ]);
});

test("a replacement of unknown outcome is resolved before its document's object is forgotten", () => {
  const unknown = {
    operation: "replace",
    since: "now",
    method: "POST",
    path: "/v3/agents/",
    request_id: "r-1",
    body: {},
    digest: "d",
  } as const;
  const lock: Lock = { ...lockOf({ "agent:a": entry("1") }), unknown: { "agent:a": unknown } };
  const { actions } = planOf(nothing, lock).plan;
  expect(actions).toMatchObject([
    {
      address: "agent:a",
      action: "unknown",
      reasons: [
        "the replacement of now has an unknown outcome (POST /v3/agents/, request ID r-1)",
        "the workspace has no document for it any more",
      ],
    },
  ]);
  expect(actions[0]?.reads["agent:a"]).toMatch(/^sha256:/);
});

test("a document that takes a number over uses the object of its own kind alone", () => {
  const policy = pieceOf("policy:a", { name: "a" }, { lifecycle: { adopt: "7" } });
  const objects = ["policy:b", "agent:b"].map((address) => ({ address, id: "7" }));
  const usesOf = findUsesInDocuments(workspaceOf([policy]), noLock, objects);
  expect(objects.map((object) => usesOf(object).length)).toEqual([1, 0]);
});
