import { describe, expect, test } from "vitest";
import { lockChanges, layEditsOver, stateNotes } from "../../../src/core/plan/lock-changes.js";
import { emptyLock, type Lock } from "../../../src/core/state/lock.js";

const empty = emptyLock({ workspace: "desk", environment: null }, "lineage");
const lock: Lock = {
  ...empty,
  service: { base_url: "https://agents.example.com" },
  resources: {
    "policy:strict": { id: "p1", body: { name: "Strict", limit: 1 }, digest: "d1" },
    "agent:support": {
      id: "a1",
      body: { name: "Support", policy: "${policy:strict}" },
      references: { "policy:strict": "p1" },
      digest: "d2",
    },
  },
  retired: { p0: { address: "policy:strict", reason: "replaced", body: {} } },
};

const changesOf = (after: Lock) =>
  lockChanges(lock, after).map(({ part, key, edit, changes }) => [
    `${edit} ${part} ${key ?? ""}`.trim(),
    ...changes.map(({ path }) => path),
  ]);

test("an ID and the references to it are fields of the entries that have them", () => {
  const after = structuredClone(lock);
  Object.assign(after.resources["policy:strict"] ?? {}, { id: "p2" });
  Object.assign(after.resources["agent:support"] ?? {}, { references: { "policy:strict": "p2" } });
  expect(changesOf(after)).toEqual([
    ["changed resources agent:support", 'references."policy:strict"'],
    ["changed resources policy:strict", "id"],
  ]);
});

describe.each<[string, Lock, string[][]]>([
  ["the serial alone", { ...lock, serial: 9 }, []],
  ["the lineage", { ...lock, lineage: "other" }, [["changed lineage", "lineage"]]],
  [
    "the service",
    { ...lock, service: { base_url: "https://evil.example.com" } },
    [["changed service", "base_url"]],
  ],
  ["the ledger", { ...lock, retired: {} }, [["removed retired p0", "address", "reason", "body"]]],
  [
    "an unknown create",
    {
      ...lock,
      unknown: {
        "agent:new": {
          operation: "create",
          since: "s",
          method: "POST",
          path: "/",
          message: "m",
          body: {},
          digest: "d",
        },
      },
    },
    [["added unknown agent:new", "operation", "since", "method", "path", "message", "body", "digest"]],
  ],
])("%s", (_, after, expected) => {
  test("is seen for what it is", () => {
    expect(changesOf(after)).toEqual(expected);
  });
});

test("the digests tell edits apart that read alike", () => {
  const withList = (list: string[]): Lock => ({
    ...empty,
    resources: { "agent:a": { body: { list: list.map((name) => ({ name })) }, digest: "d" } },
  });
  const [first, second] = [
    ["a", "new", "b"],
    ["a", "b", "new"],
  ].map((list) => lockChanges(withList(["a", "b"]), withList(list)));
  expect(first?.[0]?.changes).toEqual(second?.[0]?.changes);
  expect(first).not.toEqual(second);
});

test("each edit is a note, on the entry's address where it has one", () => {
  const notes = stateNotes(lockChanges(lock, { ...empty, lineage: "other" }), {
    hasDocument: (address) => address === "agent:support",
    ownersOf: () => [],
  });
  expect(notes.map(({ code, effect, address }) => [code, effect, address])).toEqual([
    ["state-edited", "weakens", "agentform.lock"],
    ["state-edited", "weakens", "agentform.lock"],
    ["state-edited", "weakens", "agent:support"],
    ["state-edited", "weakens", "policy:strict"],
    ["state-edited", "weakens", "policy:strict"],
  ]);
  expect(notes[0]?.message).toBe("the change itself edits `lineage` of the lock: lineage");
  expect(notes.slice(2).map(({ message }) => message)).toMatchInlineSnapshot(`
    [
      "the change itself removes from \`resources\` of the lock; its object stays in the service, no longer managed here, and the next apply creates another one, for its document is still there",
      "the change itself removes from \`resources\` of the lock; its object stays in the service, no longer managed here, and nothing here names it",
      "the change itself removes from \`retired\` (\`p0\`) of the lock; the object stays in the service, and neither a plan nor a prune knows of it any more",
    ]
  `);
});

test("a merge takes the later state of the base, and the edit of the change", () => {
  const base: Lock = {
    ...lock,
    serial: 5,
    resources: { ...lock.resources, "agent:new": { id: "n", body: {}, digest: "d" } },
  };
  const own: Lock = { ...lock, retired: {} };
  expect(layEditsOver(base, lock, own)).toEqual({ ok: true, lock: { ...base, retired: {} } });
  const strict = (id: string): Lock => ({
    ...lock,
    resources: { ...lock.resources, "policy:strict": { id, body: {}, digest: "d" } },
  });
  expect(layEditsOver(strict("x"), lock, strict("y"))).toEqual({ ok: false, clashes: ["policy:strict"] });
  expect(layEditsOver(strict("x"), lock, strict("x"))).toEqual({ ok: true, lock: strict("x") });
});
