import { expect, test } from "vitest";
import { textOf } from "../../../src/core/finding/said.js";
import { emptyLock, type Lock } from "../../../src/core/state/lock.js";
import { nextWrite } from "../../../src/core/state/lock-writes.js";
import { explainAhead, locksAhead } from "../../../src/core/state/newest-lock.js";

/** A lock after so many further writes. */
function written(from: Lock, count: number, name = "w"): Lock {
  let lock = from;
  for (let number = 1; number <= count; number++) lock = nextWrite(lock, lock, `${name}${lock.serial + 1}`);
  return lock;
}

const digest = `sha256:${"0".repeat(64)}`;
const first = written(
  {
    ...emptyLock({ workspace: "desk", environment: null }, "l1"),
    resources: { "agent:a": { id: "a1", body: {}, digest } },
  },
  3,
);
const copy = (lock: Lock) => ({ lock, where: "the last write of this machine", copyName: "copy.lock" });

test.each([1, 99, 150, 400])(
  "the copy of a machine is under the lock that others wrote %i times since",
  (times) => {
    expect(locksAhead(written(first, times), [copy(first)])).toEqual([]);
  },
);

test("it is not under one that lost an ID since, that is older, or that began anew", () => {
  const without = { ...written(first, 400), resources: {} };
  expect(locksAhead(without, [copy(first)])).toHaveLength(1);
  expect(locksAhead(first, [copy(written(first, 2))])).toHaveLength(1);
  const anew = written({ ...first, lineage: "l2", writes: "", serial: 0 }, 400, "x");
  expect(locksAhead(anew, [copy(first)])).toHaveLength(1);
  const forked = written(first, 20, "x");
  expect(locksAhead(forked, [copy(written(first, 5))])).toHaveLength(1);
});

test("an ID that an object of another kind has is not there all the same", () => {
  const named = { "agent:a": { id: "main", body: {}, digest }, "policy:a": { id: "main", body: {}, digest } };
  const both = { ...first, resources: named };
  expect(locksAhead(written(both, 1), [copy(both)])).toEqual([]);
  const { "policy:a": _gone, ...rest } = named;
  expect(locksAhead({ ...written(both, 1), resources: rest }, [copy(both)])).toHaveLength(1);
});

test("what a lock lacks is named, and only one with a lower serial is older", () => {
  const said = (present: Lock, other: Lock) =>
    explainAhead(present, [copy(other)], "agentform.lock").map(({ message }) => textOf(message));
  expect(said(first, written(first, 2))).toEqual([
    "agentform.lock is older than what was applied: it has serial 3, and the last write of this machine has serial 5",
  ]);
  const lacking =
    "agentform.lock lacks IDs that were applied: agent:a of the last write of this machine (serial 3)";
  expect(said({ ...first, resources: {} }, first)).toEqual([lacking]);
  expect(said({ ...first, serial: 91, resources: {} }, first)).toEqual([lacking]);
  // As of an apply that has died there before it knew an ID.
  expect(said(first, first)).toEqual([
    "agentform.lock does not contain an apply that was made elsewhere: serial 3 of the last write of this machine",
  ]);
  expect(said(written(first, 1, "x"), written(first, 1))).toEqual([
    "agentform.lock does not contain an apply that was made elsewhere: serial 4 of the last write of this machine",
  ]);
});

test("where a state was removed to begin anew, the copy to delete is named only if nothing else has kept it", () => {
  const hintOf = (...others: Parameters<typeof locksAhead>[1]) =>
    explainAhead({ ...first, serial: 0, writes: "", resources: {} }, others, "agentform.lock").map(
      ({ hint }) => hint && textOf(hint),
    );
  expect(hintOf(copy(first))).toEqual([expect.stringMatching(/begin anew, delete copy\.lock$/)]);
  const commit = { lock: first, where: "commit 3442d10b1b" };
  for (const others of [[copy(first), commit], [commit]])
    expect(hintOf(...others)).toEqual([expect.stringMatching(/begin anew, give the workspace a new name$/)]);
  const [{ hint } = {}] = explainAhead(first, [copy(written(first, 2))], "agentform.lock");
  expect(hint && textOf(hint)).toMatch(/keeps every ID; then plan again$/);
});

test("versions without a seal lead to a sealed one that is too old to be named, and to no other", () => {
  const sealed = { lock: first, where: "a commit", seal: "right" } as const;
  const between = { lock: written(first, 60), where: "a commit", seal: "missing" } as const;
  expect(locksAhead(written(first, 150), [sealed, between])).toEqual([]);
  const later = { ...sealed, lock: written(first, 2) };
  const forged = { ...between, lock: { ...later.lock, writes: `w3 ${later.lock.writes}` } };
  expect(locksAhead(first, [later, forged])).toEqual([later]);
});
