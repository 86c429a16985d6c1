import { expect, test } from "vitest";
import { emptyLock } from "../../../src/core/state/lock.js";
import { findUsers } from "../../../src/core/state/object-users.js";

const policy = { address: "policy:p", id: "p1" };
const body = { policy_id: "${policy:p}" };
const empty = emptyLock({ workspace: "test", environment: null }, "lineage");

test("an update that may have arrived uses what it referred to", () => {
  const attempted = [{ body, references: { "policy:p": "p1" } }];
  const resources = { "agent:a": { id: "a1", body: {}, digest: "d", attempted } };
  expect(findUsers({ ...empty, resources }, [policy])(policy)).toEqual([
    { address: "agent:a", use: "refers" },
  ]);
});

test("what is left behind uses what it referred to, but for an earlier object of its address", () => {
  const retired = {
    p0: { address: "policy:p", reason: "replaced", body: { description: "${policy:p}" } },
    a0: { address: "agent:a", reason: "replaced", body, references: { "policy:p": "p1" } },
    b0: { address: "agent:b", reason: "replaced", body },
  } as const;
  expect(findUsers({ ...empty, retired }, [policy])(policy)).toEqual([
    { address: "agent:a", retired: "a0", use: "retired-refers" },
    { address: "agent:b", retired: "b0", use: "retired-may-refer" },
  ]);
});
