import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/json/json.js";
import { emptyLock, type Lock, type LockEntry, type UnknownCreate } from "../../../src/core/state/lock.js";
import { moveEntries } from "../../../src/core/plan/move.js";
import { pieceOf, workspaceOf } from "../../plan/world.js";

const unknown: UnknownCreate = {
  operation: "create",
  since: "now",
  method: "POST",
  path: "/v3/agents/",
  body: {},
  digest: "d",
};

function lockOf(ids: Readonly<Record<string, string>>, more: Partial<LockEntry> = {}): Lock {
  const entries = Object.entries(ids).map(([address, id]) => [
    address,
    { id, body: {}, digest: "d", ...more },
  ]);
  return {
    ...emptyLock({ workspace: "test", environment: null }, "lineage"),
    resources: Object.fromEntries(entries) as Lock["resources"],
  };
}

/** Moves by documents, given as what each moves from; null is a document that moves from nowhere. */
function move(lock: Lock, documents: Readonly<Record<string, string | string[] | null>>) {
  const pieces = Object.entries(documents).map(([address, from]) => {
    const lifecycle: JsonObject = from === null ? {} : { moved_from: from };
    return pieceOf(address, { name: address }, { lifecycle });
  });
  const { lock: moved, moves, findings } = moveEntries(lock, workspaceOf(pieces).resources);
  const ids = Object.entries(moved.resources).map(([address, { id }]) => [address, id]);
  return { ids: Object.fromEntries(ids), moves: Object.fromEntries(moves), findings, lock: moved };
}

test("an entry goes where its document went, and remembers it", () => {
  const { ids, moves, lock, findings } = move(lockOf({ "agent:a": "1" }), { "agent:b": "agent:a" });
  expect(ids).toEqual({ "agent:b": "1" });
  expect(moves).toEqual({ "agent:b": "agent:a" });
  expect(lock.resources["agent:b"]?.moved_from).toEqual(["agent:a"]);
  expect(findings).toEqual([]);
});

test("a chain moves all at once", () => {
  const { ids } = move(lockOf({ "agent:a": "1", "agent:b": "2" }), {
    "agent:b": "agent:a",
    "agent:c": "agent:b",
  });
  expect(ids).toEqual({ "agent:b": "1", "agent:c": "2" });
});

test("two documents can swap their names", () => {
  const { ids } = move(lockOf({ "agent:a": "1", "agent:b": "2" }), {
    "agent:b": "agent:a",
    "agent:a": "agent:b",
  });
  expect(ids).toEqual({ "agent:b": "1", "agent:a": "2" });
});

test("a create of unknown outcome moves too", () => {
  const lock = { ...lockOf({}), unknown: { "agent:a": unknown } };
  expect(move(lock, { "agent:b": "agent:a" }).lock.unknown).toEqual({
    "agent:b": { ...unknown, moved_from: ["agent:a"] },
  });
});

test("of several old names the one that exists moves, and older ones stay remembered", () => {
  const lock = lockOf({ "agent:b": "1" }, { moved_from: ["agent:a", "agent:gone"] });
  const { lock: moved } = move(lock, { "agent:c": ["agent:a", "agent:b"] });
  expect(moved.resources["agent:c"]?.moved_from).toEqual(["agent:a", "agent:b"]);
});

describe("nothing moves, which is no error,", () => {
  test.each([
    ["where the old name is unknown", lockOf({ "agent:b": "1" }), { "agent:b": "agent:a" }],
    [
      "where the move was honoured",
      lockOf({ "agent:b": "1" }, { moved_from: ["agent:a"] }),
      { "agent:b": "agent:a" },
    ],
    [
      "where the old name was given to another document since",
      lockOf({ "agent:a": "2", "agent:b": "1" }, { moved_from: ["agent:a"] }),
      { "agent:b": "agent:a", "agent:a": null },
    ],
    [
      "where both names have a document and an object",
      lockOf({ "agent:a": "2", "agent:b": "1" }),
      { "agent:b": "agent:a", "agent:a": null },
    ],
  ])("%s", (_, lock, documents) => {
    const { lock: moved, findings } = move(lock, documents);
    expect(moved).toEqual(lock);
    expect(findings).toMatchObject([{ code: "move-done", severity: "note" }]);
  });
});

test("an old name that two claim and that has a document and an object of its own moves nowhere", () => {
  const lock = lockOf({ "agent:a": "1", "agent:b": "2", "agent:c": "3" });
  const documents = { "agent:a": null, "agent:b": "agent:a", "agent:c": "agent:a" };
  const { lock: moved, findings } = move(lock, documents);
  expect(moved).toEqual(lock);
  expect(findings).toMatchObject([{ severity: "note" }, { severity: "note" }]);
});

describe("an error is", () => {
  test.each([
    ["a taken address", lockOf({ "agent:a": "1", "agent:b": "2" }), { "agent:b": "agent:a" }],
    [
      "an old name that two claim",
      lockOf({ "agent:a": "1" }),
      { "agent:b": "agent:a", "agent:c": "agent:a" },
    ],
    [
      "two old names that both exist",
      lockOf({ "agent:a": "1", "agent:b": "2" }),
      { "agent:c": ["agent:a", "agent:b"] },
    ],
    [
      "an old name with a document that stays",
      lockOf({ "agent:a": "1" }),
      { "agent:b": "agent:a", "agent:a": null },
    ],
  ])("%s", (_, lock, documents) => {
    const { findings, ids } = move(lock, documents);
    expect(findings).toMatchObject([{ code: "move-invalid", severity: "error" }]);
    expect(Object.keys(ids)).toHaveLength(Object.keys(lock.resources).length);
  });

  test("a chain whose end is taken: no entry is lost", () => {
    const lock = lockOf({ "agent:a": "1", "agent:b": "2", "agent:c": "3" });
    const { findings, ids } = move(lock, { "agent:b": "agent:a", "agent:c": "agent:b" });
    expect(findings.map(({ code }) => code)).toContain("move-invalid");
    expect(ids).toEqual({ "agent:a": "1", "agent:b": "2", "agent:c": "3" });
  });
});
