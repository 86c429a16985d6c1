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
