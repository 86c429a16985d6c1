import { expect, test } from "vitest";
import { emptyLock, type Lock } from "../../../src/core/state/lock.js";
import { nextWrite } from "../../../src/core/state/lock-writes.js";
import { locksAhead } from "../../../src/core/state/newest-lock.js";

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
