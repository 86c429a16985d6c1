import { expect, test } from "vitest";
import { lackedId, withNewIds } from "../../../src/core/apply/new-ids.js";
import type { UsedWorkspaces } from "../../../src/core/resources/used.js";
import type { LockEntry } from "../../../src/core/state/lock.js";
import { actionOf } from "../../render/markdown-plans.js";

const waiting = actionOf("agent:support", "update", {
  used: { "policy:strict@guard": null, "policy:other@guard": "66bb" },
});
const entry = (id: string): LockEntry => ({ id, body: {}, digest: "" });

function guardWith(now: LockEntry | undefined, before: LockEntry | undefined): UsedWorkspaces {
  const guard = {
    name: "guard",
    source: "../guard",
    environment: null,
    entries: now ? { "policy:strict": now } : {},
    pending: new Map([["policy:strict", before]]),
    documents: () => undefined,
  };
  return new Map([["guard", guard]]);
}

test("an ID that was waited for is taken once the other workspace has a new one", () => {
  for (const before of [undefined, entry("66aa")]) {
    const filled = withNewIds(waiting, guardWith(entry("66cc"), before));
    expect(filled.used).toEqual({ "policy:strict@guard": "66cc", "policy:other@guard": "66bb" });
    expect(lackedId(filled, guardWith(entry("66cc"), before))).toBeUndefined();
  }
});

test("one that is not there, and one that is still the old one, are no ID, each for its reason", () => {
  const missing = guardWith(undefined, entry("66aa"));
  expect(lackedId(withNewIds(waiting, missing), missing)).toMatchObject({ code: "not-applied-there" });
  const old = guardWith(entry("66aa"), entry("66aa"));
  expect(lackedId(withNewIds(waiting, old), old)).toMatchObject({
    code: "old-id-there",
    parts: { address: "policy:strict", use: "guard" },
  });
  expect(lackedId(withNewIds(waiting), undefined)).toMatchObject({ code: "not-applied-there" });
});
