import { expect, test } from "vitest";
import type { Action, Change } from "../../../src/generated/plan.js";
import { originForm } from "../../../src/core/review/alike-names.js";

function actionOf(key: string, file = "agents/help.yaml"): Action {
  const address = `agent:help-${key}`;
  const made_from = { key };
  return {
    address,
    action: "update",
    reasons: [],
    changes: [],
    affects: [],
    waits_for: [],
    reads: {},
    file,
    made_from,
  };
}

const collection = (key: string, rest: Partial<Change> = {}): Change => ({
  path: "collection",
  before: `shop-${key}`,
  after: `help-${key}`,
  ...rest,
});
const keyOf = (key: string, change: Change, file?: string) => originForm(actionOf(key, file), change)?.key;

test("values that differ by the keys of their resources are of one form", () => {
  const [de, fr] = ["de", "fr"].map((key) => originForm(actionOf(key), collection(key)));
  expect(de?.key).toBe(fr?.key);
  expect(de?.change).toEqual({ path: "collection", before: "shop-${each:key}", after: "help-${each:key}" });
});

test("what differs in anything else is apart", () => {
  const de = keyOf("de", collection("de"));
  expect(keyOf("fr", collection("de"))).not.toBe(de);
  expect(keyOf("fr", { ...collection("fr"), after: "help-frx" })).not.toBe(de);
  expect(keyOf("fr", { ...collection("fr"), before: "old-fr" })).not.toBe(de);
  expect(keyOf("fr", collection("fr"), "agents/other.yaml")).not.toBe(de);
  expect(keyOf("fr", collection("fr", { origin: { file: "agentform.yaml", line: 9 } }))).not.toBe(de);
  expect(keyOf("fr", collection("fr", { path: "catalogue" }))).not.toBe(de);
});

test("what is under another title is apart, unless the key is all that differs", () => {
  const under = (key: string, title: string) =>
    keyOf(key, { path: "p", before: "", after: `- ${key}`, under: [title] });
  expect(under("de", "# Never")).not.toBe(under("fr", "# Allowed"));
  expect(under("de", "# Desk de")).toBe(under("fr", "# Desk fr"));
  expect(under("never", "# never do")).not.toBe(under("always", "# always do"));
  expect(under("do-not", "# do-not")).not.toBe(under("do", "# do"));
});

test("a line of the manifest makes one edit in documents of all files", () => {
  const origin = { file: "agentform.yaml", line: 9 };
  expect(keyOf("de", collection("de", { origin }), "agents/a.yaml")).toBe(
    keyOf("fr", collection("fr", { origin }), "agents/b.yaml"),
  );
});

test("what has no key in it is of its resource alone", () => {
  expect(keyOf("de", { path: "model", before: "a", after: "b" })).toBeUndefined();
  expect(keyOf("de", { path: "name", before: "under", after: "ideal" })).toBeUndefined();
});

test("a default that ceased takes from each what follows from its name", () => {
  const lost = (key: string): Change => ({
    path: "features",
    before: [{ type: "RAI", config: { policy_id: `\${policy:customer-${key}}` } }],
    ceased: { selector: "audience=customer", why: "removed" },
  });
  const { made_from: _made, ...byHand } = actionOf("de");
  expect(originForm(byHand, lost("de"))?.change.before).toEqual([
    { type: "RAI", config: { policy_id: "${policy:customer-*}" } },
  ]);
  expect(keyOf("de", lost("de"))).toBe(keyOf("fr", lost("fr"), "agents/other.yaml"));
  expect(keyOf("fr", lost("de"))).not.toBe(keyOf("fr", lost("fr")));
});
