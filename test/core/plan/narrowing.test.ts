import { describe, expect, test } from "vitest";
import { buildPlan } from "../../../src/core/plan/plan.js";
import { noOptions, type PlanOptions } from "../../../src/core/plan/plan-options.js";
import type { Lock } from "../../../src/core/state/lock.js";
import { applyTo, noLock, planOf } from "../../plan/history.js";
import { pieceOf, workspaceOf, type Piece } from "../../plan/world.js";

const policy = (name: string, description: string) => pieceOf(`policy:${name}`, { name, description });
const agent = (name: string, description: string, policies: string[], team: string) =>
  pieceOf(
    `agent:${name}`,
    { name, description, tools: policies.map((each) => `\${policy:${each}}`) },
    { labels: { team } },
  );

function desk(version: string, more: Piece[] = []): Piece[] {
  return [
    policy("p", version),
    policy("q", version),
    agent("a", version, ["p"], "care"),
    agent("b", "stays", ["p"], "care"),
    agent("c", version, ["q"], "sales"),
    ...more,
  ];
}

async function applied(pieces: Piece[]): Promise<Lock> {
  return (await applyTo(noLock, planOf(workspaceOf(pieces), noLock).plan)).after;
}

const before = await applied(desk("old"));

function narrowed(options: Partial<PlanOptions>, pieces = desk("new"), lock = before) {
  const input = { fleet: workspaceOf(pieces), lock, source: "agentform.lock" };
  const { plan } = buildPlan({ ...input, options: { ...noOptions, ...options } });
  const actions = plan.actions.map(({ address, action }) => `${action} ${address}`);
  return { ...plan, actions, notes: plan.notes.map(({ code, message }) => `${code}: ${message}`) };
}

test("a plan that is not narrowed takes everything in", () => {
  const { actions, partial } = narrowed({});
  expect(partial).toBe(false);
  expect(actions).toHaveLength(5);
});

test("a target brings what it needs, and the dependents of what that replaces", () => {
  const { actions, partial, summary } = narrowed({ target: new Set(["agent:a"]) });
  expect(actions).toEqual(["replace policy:p", "update agent:a", "update agent:b"]);
  expect(partial).toBe(true);
  expect(summary.unchanged).toBe(0);
});

test("what is to be replaced or sent again is in, whatever else the plan is narrowed to", () => {
  const stays = desk("old");
  const nothing = {
    ref: "main",
    files: new Set<string>(),
    named: new Set<string>(),
    made: [],
    variables: new Set<string>(),
    uses: new Set<string>(),
  };
  const forced = (options: Partial<PlanOptions>) => narrowed(options, stays).actions;
  expect(forced({ changedSince: nothing, replace: new Set(["agent:c"]) })).toEqual(["replace agent:c"]);
  expect(forced({ changedSince: nothing, resend: new Set(["agent:c"]) })).toEqual(["update agent:c"]);
  expect(forced({ target: new Set(["agent:a"]), replace: new Set(["policy:q"]) })).toEqual([
    "replace policy:q",
    "update agent:c",
  ]);
  const both = new Set(["agent:c"]);
  expect(forced({ exclude: both, replace: both })).toEqual([]);
});

test("several targets add up, labels narrow by all of their keys and by any value of one key", () => {
  expect(narrowed({ target: new Set(["policy:p", "policy:q"]) }).actions).toHaveLength(5);
  expect(narrowed({ selector: new Set(["team=sales"]) }).actions).toEqual([
    "replace policy:q",
    "update agent:c",
  ]);
  expect(narrowed({ selector: new Set(["team=sales", "tier=1"]) }).actions).toEqual([]);
  expect(narrowed({ selector: new Set(["team=sales", "team=care"]) }).actions).toHaveLength(5);
});

test("labels select what had them when it was last applied, once its document is gone", () => {
  const gone = desk("old").filter(({ address }) => address !== "agent:c");
  const selector = new Set(["team=sales"]);
  expect(narrowed({ selector }, gone).actions).toEqual(["forget agent:c"]);
  const { "agent:c": entry, ...resources } = before.resources;
  const { body = {}, digest = "", references = {}, labels = {} } = entry ?? {};
  const request = { operation: "create", method: "POST", path: "/v3/agents/", since: "now" } as const;
  const unknown = { "agent:c": { ...request, body, digest, references, labels } };
  expect(narrowed({ selector }, gone, { ...before, resources, unknown })).toMatchObject({
    actions: ["unknown agent:c"],
    diagnostics: [],
  });
});

test("what is excluded is out, and a replacement that it does not see is noted", () => {
  const { actions, notes } = narrowed({ exclude: new Set(["agent:b", "policy:q"]) });
  expect(actions).toEqual(["replace policy:p", "update agent:a", "update agent:c"]);
  expect(notes).toEqual([
    "replacement-not-in-effect: the new object is not in effect on 1 resource, left out of this plan: agent:b",
  ]);
});

test("a dependent that is excluded does not bring what it needs", async () => {
  const both = [agent("d", "stays", ["p", "q"], "care")];
  const options = { target: new Set(["agent:a"]), exclude: new Set(["agent:d"]) };
  const { actions } = narrowed(options, desk("new", both), await applied(desk("old", both)));
  expect(actions).toEqual(["replace policy:p", "update agent:a", "update agent:b"]);
});

test("a create of unknown outcome whose document is gone can be a target", async () => {
  const { plan } = planOf(workspaceOf(desk("old")), noLock);
  const { after } = await applyTo(noLock, plan, { fates: ["unknown"] });
  const { actions } = narrowed({ target: new Set(["policy:p"]) }, [], after);
  expect(actions).toEqual(["unknown policy:p"]);
});

test("what needs something new that is excluded is blocked", async () => {
  const lock = await applied([policy("p", "old")]);
  const { actions } = narrowed({ exclude: new Set(["policy:q"]) }, desk("old"), lock);
  expect(actions).toContain("blocked agent:c");
  expect(actions).toContain("create agent:a");
});

describe("changed files", () => {
  const since = (...files: string[]) => ({
    changedSince: {
      ref: "main",
      files: new Set(files),
      named: new Set<string>(),
      made: [],
      variables: new Set<string>(),
      uses: new Set<string>(),
    },
  });

  test("choose their documents", () => {
    expect(narrowed(since("agents/c.yaml")).actions).toEqual(["replace policy:q", "update agent:c"]);
    expect(narrowed(since("README.md")).actions).toEqual([]);
  });

  test("choose what was in them and is gone", () => {
    const gone = desk("old").filter(({ address }) => address !== "agent:c");
    expect(narrowed(since("agents/c.yaml"), gone).actions).toEqual(["forget agent:c"]);
    expect(narrowed(since("agents/a.yaml"), gone).actions).toEqual([]);
  });

  test("choose everything if the manifest is among them", () => {
    expect(narrowed(since("agentform.yaml")).actions).toHaveLength(5);
  });
});

test("a move is done even where its document is left out, so that no entry is lost", async () => {
  const lock = await applied([agent("x", "1", [], "care"), agent("y", "1", [], "care")]);
  const swapped = [
    pieceOf(
      "agent:x",
      { name: "y", description: "2" },
      { lifecycle: { moved_from: "agent:y", protect: true } },
    ),
    pieceOf(
      "agent:y",
      { name: "x", description: "2" },
      { lifecycle: { moved_from: "agent:x", protect: true } },
    ),
  ];
  const fleet = workspaceOf(swapped);
  const { plan } = planOf(fleet, lock, { ...noOptions, target: new Set(["agent:x"]) });
  expect(plan.actions).toMatchObject([
    { address: "agent:x", action: "update", from: "agent:y", protect: true },
    { address: "agent:y", action: "record", from: "agent:x", changes: [] },
  ]);
  const { after } = await applyTo(lock, plan);
  expect(after.resources["agent:x"]?.id).toBe(lock.resources["agent:y"]?.id);
  expect(after.resources["agent:y"]?.id).toBe(lock.resources["agent:x"]?.id);
  expect(after.resources["agent:y"]).not.toHaveProperty("protect");
});
