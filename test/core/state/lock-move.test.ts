import { expect, test } from "vitest";
import { parse } from "yaml";
import { hasErrors } from "../../../src/core/finding/diagnostic.js";
import { emptyLock, parseLock } from "../../../src/core/state/lock.js";
import { lockText } from "../../harness/lock-text.js";
import { parseMove, renderMove, storeText } from "../../../src/core/state/lock-move.js";
import { explainAhead, locksAhead } from "../../../src/core/state/newest-lock.js";
import { nextWrite } from "../../../src/core/state/lock-writes.js";
import type { JsonObject } from "../../../src/json/json.js";
import { fc } from "../../harness/property.js";

const owner = { workspace: "desk", environment: "live" };
const end = { ...owner, lineage: "l", serial: 7, writes: "w7 w6" };
const to = { store: "http", gitlab: { project: 7 } };
const from = { store: "file" };
const codesOf = (text: string, of = owner) => {
  const lock = parseLock(text, "agentform.live.lock", of);
  return lock.ok ? "a lock" : lock.problems.map(({ code }) => code);
};

test("both ends of a move are read as they were written, also with other spacing, and never as a lock", () => {
  const departed = { ...end, to };
  const arriving = { ...end, from, lock: lockText(emptyLock(owner, "l")) };
  for (const each of [departed, arriving]) {
    expect(parseMove(renderMove(each))).toEqual(each);
    expect(parseMove(renderMove(each).replaceAll("\n", "\r\n"))).toEqual(each);
    expect(codesOf(renderMove(each), { workspace: "other", environment: "live" })).toEqual(["lock-foreign"]);
  }
  expect(codesOf(renderMove(departed))).toEqual(["lock-moved"]);
  expect(codesOf(renderMove(arriving))).toEqual(["lock-moving"]);
  expect(parseMove(lockText(emptyLock(owner, "l")))).toBeUndefined();
});

test("a damaged end is damaged, and a newer one is of a newer format", () => {
  const text = renderMove({ ...end, to });
  for (const key of ["workspace", "lineage", "serial", "writes", "to"]) {
    const damaged = JSON.stringify({ ...JSON.parse(text), [key]: [] });
    expect(parseMove(damaged)).toBeUndefined();
    expect(codesOf(damaged)).toEqual(["lock-damaged"]);
  }
  expect(codesOf(text.replace("move/v1", "move/v2"))).toEqual(["lock-format"]);
});

test("a store is written as YAML that is read as the same store", () => {
  const scalar = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "true",
      "null",
      "1e3",
      "a: b",
      "{environment}",
      "${env:KEY}",
      "~",
      "-",
      "https://x/y",
      "o'n",
    ),
    fc.integer(),
    fc.boolean(),
  );
  const store = fc.dictionary(
    fc.oneof(fc.stringMatching(/^[a-z_]+$/), fc.constantFrom("null", "no", "y")),
    fc.oneof(scalar, fc.array(scalar), fc.dictionary(fc.stringMatching(/^[a-z]+$/), scalar)),
  );
  fc.assert(
    fc.property(store, (value) => {
      const text = storeText({ ...value } as JsonObject);
      expect(text).not.toContain("\n");
      expect(parse(text)).toEqual({ ...value });
    }),
  );
});

test("a lock from before a move is behind it, and one that came back is not", () => {
  const before = nextWrite(emptyLock(owner, "l"), emptyLock(owner, "l"), "w1");
  const moved = nextWrite(before, before, "w2");
  const back = nextWrite(moved, moved, "w3");
  const mark = {
    lock: { ...emptyLock(owner, "l"), serial: 2, writes: "w2 w1" },
    where: "commit 1",
    movedTo: { to },
  };
  const codes = (present: typeof before, others: Parameters<typeof locksAhead>[1]) =>
    explainAhead(present, locksAhead(present, others), "agentform.lock").map(({ code }) => code);
  expect(codes(before, [mark])).toEqual(["lock-moved"]);
  expect(codes(emptyLock(owner, ""), [mark])).toEqual(["lock-moved"]);
  expect(codes(back, [mark])).toEqual([]);
  // It came back, and git has taken that back too.
  expect(codes(before, [mark, { lock: back, where: "commit 2" }])).toEqual(["lock-behind"]);
  const apart = nextWrite(before, before, "w4");
  const findings = explainAhead(
    before,
    locksAhead(before, [mark, { lock: apart, where: "c" }]),
    "agentform.lock",
  );
  expect(hasErrors(findings)).toBe(true);
  expect(findings.map(({ code }) => code)).toEqual(["lock-moved"]);
});
