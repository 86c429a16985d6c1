import { expect, test } from "vitest";
import { entriesBefore } from "../../src/core/plan/move.js";
import { emptyLock, type Lock, type LockEntry } from "../../src/core/state/lock.js";

const entry: LockEntry = { id: "7", write: "0123456789abcdef", digest: "sha256:0", body: {} };

function lockOf(resources: Lock["resources"]): Lock {
  return { ...emptyLock({ workspace: "desk", environment: null }, "lineage"), resources };
}

test("an object is not guarded by the entry of another kind whose object has the same number", () => {
  const now = lockOf({ "policy:strict": entry });
  const base = lockOf({ "agent:support": { ...entry, protect: true } });
  expect(entriesBefore(now, base, new Map())("policy:strict")).toEqual([entry]);
});

test("an entry guards its object at another address, whatever capitals a change gives its ID", () => {
  const id = "66f1c09a8b7e5d4c3b2a1908";
  const guarded = { ...entry, id, protect: true };
  const base = lockOf({ "policy:strict": guarded });
  for (const own of [id, id.toUpperCase(), id.replace("f", "F")]) {
    const moved = { ...entry, id: own };
    const before = entriesBefore(lockOf({ "policy:other": moved }), base, new Map());
    expect(before("policy:other")).toEqual([moved, guarded]);
  }
});
