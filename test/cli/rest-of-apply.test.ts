import { expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { ofSpec, ruleText, where } from "../rules/rule-text.js";
import type { GuardrailNote } from "../../src/generated/plan.js";
import type { Lock } from "../../src/core/state/lock.js";
import { agentText, documents, openDesk, policyText } from "./desk.js";

const set = documents["toolsets/desk.yaml"] ?? "";

/** A desk where a change was applied, but for the agents: the service refused their updates. */
async function halfApplied(
  change: Readonly<Record<string, string>>,
  count = 2,
  before: Readonly<Record<string, string>> = {},
) {
  const faults = [{ method: "PUT", path: "/v3/agents/*", status: 400, count }];
  const second = documentText("Agent", "second", {
    name: "Second",
    features: [{ type: "RAI", config: { policy_id: "${policy:strict}" } }],
  });
  const desk = await openDesk({ ...documents, "agents/second.yaml": second, ...before }, { faults });
  const { run, workspace } = desk;
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  workspace.write(change);
  expect(await run("apply", "--yes")).toMatchObject({ code: 1 });
  return desk;
}

function moved(text: string, from: string, to: string): string {
  const document = JSON.parse(text) as object;
  return JSON.stringify({ ...document, metadata: { name: to }, lifecycle: { moved_from: from } });
}

async function notesOf(run: (...args: string[]) => Promise<{ out: string }>, ...args: string[]) {
  const { out } = await run("plan", "--format", "json", ...args);
  const { notes } = JSON.parse(out) as { notes: { code: string; effect: string; address: string }[] };
  return notes.map(({ code, effect, address }) => `${effect} ${address} ${code}`);
}

const banGone = "weakens policy:strict banned-topic-gone";
const fewer = { "policies/strict.yaml": policyText([]) };

test("the rest of an apply is shown with what the policy that it gives to agents lacks", async () => {
  const { run } = await halfApplied(fewer);
  expect(await notesOf(run)).toEqual([banGone]);
  expect(await run("plan", "--fail-on", "weakens")).toMatchObject({ code: 1 });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  expect(await notesOf(run)).toEqual([]);
});

test("an agent that got the new policy is no reason to compare again, one that did not is", async () => {
  const { run } = await halfApplied(fewer);
  expect(await run("apply", "--yes", "--target", "agent:second")).toMatchObject({ code: 0 });
  expect(await notesOf(run, "--exclude", "agent:support")).toEqual([]);
  expect(await notesOf(run)).toEqual([banGone]);
});

test("where the policy is edited again, what agents have is compared with that", async () => {
  const { run, workspace } = await halfApplied(fewer);
  workspace.write({ "policies/strict.yaml": policyText(["weapons"]) });
  expect(await notesOf(run)).toEqual([]);
  workspace.write({ "policies/strict.yaml": policyText(["drugs"]) });
  expect(await notesOf(run)).toEqual([banGone]);
  workspace.write({ "policies/strict.yaml": policyText(["weapons"]) });
  expect(await notesOf(run, "--exclude", "policy:strict")).toEqual([banGone]);
});

test("what takes back an update that may have arrived is compared with that", async () => {
  const { run, workspace } = await openDesk(documents);
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  const state = JSON.parse(workspace.read("agentform.lock")) as Lock;
  const entry = state.resources["agent:support"];
  const guard = { type: "RAI", priority: 0, config: { policy_id: "${policy:strict}" } };
  const body = { ...entry?.body, features: [guard, { type: "GUARD", config: {} }] };
  const bodies = Array.from({ length: 12 }, (_, nth) => ({ body: { ...body, name: `Support ${nth}` } }));
  state.resources["agent:support"] = {
    ...entry,
    uncertain: true,
    attempted: bodies,
  } as Lock["resources"][string];
  workspace.write({ "agentform.lock": JSON.stringify(state) });
  expect(await notesOf(run)).toEqual(["weakens agent:support feature-removed"]);
  workspace.write({ "agents/support.yaml": agentText({ features: [] }) });
  const { notes } = JSON.parse((await run("plan", "--format", "json")).out) as { notes: GuardrailNote[] };
  expect(notes.map(({ code, path }) => [code, path])).toEqual([
    ["policy-detached", "features[RAI]"],
    ["feature-removed", undefined],
  ]);
  workspace.write({ "agents/support.yaml": documents["agents/support.yaml"] ?? "" });
  expect(await run("plan", "--fail-on", "weakens")).toMatchObject({ code: 1 });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  expect(await notesOf(run)).toEqual([]);
});

test("a policy that agents no longer refer to is compared with nothing", async () => {
  const { run, workspace } = await halfApplied(fewer);
  workspace.remove("agents/second.yaml");
  workspace.write({ "agents/support.yaml": agentText({ features: [] }) });
  const notes = await notesOf(run);
  expect(notes).toContain("weakens agent:support policy-detached");
  expect(notes).not.toContain(banGone);
});

test("of a tool set, of which the state has no earlier one, it says that nothing is compared", async () => {
  const { run, workspace } = await halfApplied(
    { "toolsets/desk.yaml": set.replace("/tickets", "/all-tickets") },
    1,
  );
  expect(await notesOf(run)).toEqual(["weakens agent:support used-id-changed"]);
  expect((await run("plan")).out).toContain(
    "`toolset:desk` stands for another object than was last sent here; the state does not have the earlier one",
  );
  // To rules, all that the agent has of it is gained.
  const change = { properties: { gained: { properties: { operations: { maxItems: 0 } } } } };
  const rule = { for: { kind: "Agent" }, effect: "error", message: "No agent gains a tool.", change };
  workspace.write({ "rules/gains.yaml": ruleText("no-gains", rule) });
  const refused = await run("plan");
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("error[no-gains]: No agent gains a tool");
  workspace.remove("rules/gains.yaml");
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  expect(await notesOf(run)).toEqual([]);
});

test("a credential is compared with the one that it replaced", async () => {
  const text = documents["credentials/provider.yaml"] ?? "";
  const { run } = await halfApplied(
    { "credentials/provider.yaml": text.replace("PROVIDER_KEY@1", "DESK_TOKEN") },
    1,
  );
  expect(await notesOf(run)).toEqual(["widens credential:provider secret-changed"]);
});

test("a policy that has moved since is compared with the one that it replaced", async () => {
  const { run, workspace } = await halfApplied(fewer);
  workspace.remove("policies/strict.yaml");
  workspace.remove("agents/second.yaml");
  const config = { policy_id: "${policy:tight}" };
  workspace.write({
    "policies/tight.yaml": moved(policyText([]), "policy:strict", "tight"),
    "agents/support.yaml": agentText({ features: [{ type: "RAI", priority: 0, config }] }),
  });
  expect(await notesOf(run)).toContain("weakens policy:tight banned-topic-gone");
});

test("what is at another address now is not said to be unknown", async () => {
  const next = set.replace('"name":"desk"', '"name":"next"').replace("listTickets", "listAll");
  const { run, workspace } = await openDesk({ ...documents, "toolsets/next.yaml": next });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  workspace.write({
    "toolsets/desk.yaml": moved(set, "toolset:desk", "former"),
    "toolsets/next.yaml": moved(next, "toolset:next", "desk"),
  });
  const notes = await notesOf(run);
  expect(notes).toContain("widens agent:support writing-tool-gained");
  expect(notes.filter((note) => note.endsWith("used-id-changed"))).toEqual([]);
});

test("single tools of a set are told once", async () => {
  const tools = ["listTickets", "createTicket"].map((operation) => `\${toolset:desk/${operation}}`);
  const faults = [{ method: "PUT", path: "/v3/agents/*", status: 400 }];
  const files = { ...documents, "agents/support.yaml": agentText({ tools }) };
  const { run, workspace } = await openDesk(files, { faults, answers: "names" });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  workspace.write({ "toolsets/desk.yaml": set.replace("/tickets", "/all-tickets") });
  expect(await run("apply", "--yes")).toMatchObject({ code: 1 });
  expect(await notesOf(run)).toEqual(["weakens agent:support used-id-changed"]);
});

const scored = (threshold: number) =>
  documentText("Policy", "strict", { name: "Strict", toxicity_check: { enabled: true, threshold } });

const ofThreshold = { required: ["path"], properties: { path: { const: "toxicity_check.threshold" } } };
const falling = { items: where(ofThreshold, { properties: { delta: { maximum: 0 } } }) };

/** A rule on the policies that a plan replaces. */
const falls = (effect: string) =>
  ruleText("threshold-falls", {
    for: { kind: "Policy" },
    effect,
    change: where({ properties: { action: { const: "replace" } } }, { properties: { changes: falling } }),
  });

test("rules of a team's own judge what the rest gives to agents as if this plan did it", async () => {
  const before = {
    "policies/strict.yaml": scored(0.3),
    "rules/policies.yaml": [
      falls("widens"),
      ruleText("low", {
        effect: "widens",
        document: ofSpec({ properties: { toxicity_check: { properties: { threshold: { maximum: 0.3 } } } } }),
      }),
      ruleText("others", {
        for: { kind: "Policy", selector: { team: "care" } },
        effect: "error",
        change: false,
      }),
    ].join("\n---\n"),
  };
  const { run, workspace } = await halfApplied({ "policies/strict.yaml": scored(0.5) }, 2, before);
  const found = ["widens policy:strict low", "widens policy:strict threshold-falls"];
  const builtIn = "weakens policy:strict threshold-changed";
  expect(await notesOf(run)).toEqual([builtIn, ...found]);
  expect(await run("plan", "--fail-on", "threshold-falls")).toMatchObject({ code: 1 });
  // It is another value than that which the earlier apply left, and still more than what the agents have.
  workspace.write({ "policies/strict.yaml": scored(0.4) });
  expect(await notesOf(run)).toEqual([builtIn, builtIn, ...found]);
  workspace.write({ "policies/strict.yaml": scored(0.5) });
  workspace.write({ "rules/policies.yaml": falls("error") });
  const refused = await run("apply", "--yes");
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("error[threshold-falls]");
  workspace.write({ "rules/policies.yaml": before["rules/policies.yaml"] });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  expect(await notesOf(run)).toEqual([]);
});

test("they judge what is taken over again by what it was last sent", async () => {
  const rises = {
    required: ["delta"],
    properties: { path: { const: "temperature" }, delta: { exclusiveMinimum: 0 } },
  };
  const change = { properties: { changes: { not: { contains: rises } } } };
  const warm = (temperature: number, more: object = {}) =>
    JSON.stringify({
      ...(JSON.parse(documentText("Agent", "warm", { name: "Warm", temperature })) as object),
      ...more,
    });
  const files = { "agents/warm.yaml": warm(0.1), "rules/agents.yaml": ruleText("cool", { change }) };
  const { run, workspace, lock } = await openDesk(files);
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  const adopt = lock().resources["agent:warm"]?.id;
  workspace.remove("agents/warm.yaml");
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  workspace.write({ "agents/warm.yaml": warm(0.2, { lifecycle: { adopt } }) });
  expect(await notesOf(run)).toContain("review agent:warm cool");
  workspace.write({ "agents/warm.yaml": warm(0.1, { lifecycle: { adopt } }) });
  expect(await notesOf(run)).not.toContain("review agent:warm cool");
});
