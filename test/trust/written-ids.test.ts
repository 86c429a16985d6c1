import { expect, test } from "vitest";
import { agentText, documents, openDesk, type Desk } from "../cli/desk.js";
import { ruleText } from "../rules/rule-text.js";

const withPolicy = (policy_id: string, more: object = {}): string =>
  agentText({ features: [{ type: "RAI", priority: 0, config: { policy_id } }], ...more });

/** Opens a desk where all is applied, and gives the ID of its policy. */
async function appliedDesk(agent = documents["agents/support.yaml"] ?? "") {
  const desk = await openDesk({ ...documents, "agents/support.yaml": agent });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  return { desk, id: String(desk.lock().resources["policy:strict"]?.id) };
}

async function writeAgent(desk: Desk, text: string): Promise<string> {
  desk.workspace.write({ "agents/support.yaml": text });
  return (await desk.run("plan")).out;
}

async function applySilently(desk: Desk): Promise<void> {
  const sent = desk.emulator.requests.length;
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  expect(desk.emulator.requests.length).toBe(sent);
  expect((await desk.run("plan")).out).toContain("No changes.");
}

const referencesOf = (desk: Desk) => desk.lock().resources["agent:support"]?.["references"];

test("an ID in the place of a reference is shown while nothing is sent, and an apply notes it down", async () => {
  const { desk, id } = await appliedDesk();
  const out = await writeAgent(desk, withPolicy(id));
  expect(out).toContain("1 weakens a guardrail.");
  expect(out).toContain("policy:strict is detached: the agent no longer refers to it  [policy-detached]");
  expect(out).toContain(`\${policy:strict} → ${id}`);
  expect((await desk.run("plan", "--fail-on", "weakens")).code).toBe(1);
  await applySilently(desk);
  expect(referencesOf(desk)).not.toHaveProperty("policy:strict");
});

test("a reference in the place of the ID that it stands for is recorded, with that ID", async () => {
  const { desk, id } = await appliedDesk(agentText({ features: [] }));
  await writeAgent(desk, withPolicy(id));
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  expect(referencesOf(desk)).not.toHaveProperty("policy:strict");
  const out = await writeAgent(desk, withPolicy("${policy:strict}"));
  expect(out).toContain("Plan: 1 to record, 3 unchanged.");
  expect(out).toContain(`${id} → \${policy:strict}`);
  await applySilently(desk);
  expect(referencesOf(desk)).toMatchObject({ "policy:strict": id });
  const { body } = desk.lock().resources["agent:support"] ?? {};
  expect(JSON.stringify(body)).toContain('"${policy:strict}"');
});

test("a tool that is written as an ID may write, for rules and for notes", async () => {
  const { desk } = await appliedDesk(agentText({ tools: [] }));
  const id = String([desk.lock().resources["toolset:desk"]?.ids].flat()[0]);
  const out = await writeAgent(desk, agentText({ tools: [id] }));
  expect(out).toContain(
    `gains \`${id}\`, of which only the ID is known, so it may write  [writing-tool-gained]`,
  );
  const reads = { items: { properties: { writes: { const: false } } } };
  desk.workspace.write({
    "rules/writes.yaml": ruleText("no-new-writes", {
      effect: "error",
      message: "No agent gains what writes.",
      change: { properties: { gained: { properties: { operations: reads } } } },
    }),
  });
  for (const more of [{ tools: [id] }, { tool: { id } }]) {
    await writeAgent(desk, agentText({ tools: [], ...more }));
    expect((await desk.run("plan")).err).toContain("error[no-new-writes]: No agent gains what writes");
  }
});

test("tools that are written as IDs are recorded as the whole set again", async () => {
  const { desk } = await appliedDesk();
  const { ids } = desk.lock().resources["toolset:desk"] ?? {};
  expect(await writeAgent(desk, agentText({ tools: ids }))).toContain("[writing-tool-gained]");
  await applySilently(desk);
  expect(referencesOf(desk)).not.toHaveProperty("toolset:desk");
  const out = await writeAgent(desk, agentText());
  expect(out).toContain("[writing-tool-gained]");
  expect(out).toContain("Plan: 1 to record, 3 unchanged.");
  await applySilently(desk);
  expect(referencesOf(desk)).toMatchObject({ "toolset:desk": ids });
});

test("an ID in the place of one of two references is shown", async () => {
  const mentions = { agent_role: "Keep to ${policy:strict}." };
  const { desk, id } = await appliedDesk(agentText(mentions));
  const out = await writeAgent(desk, withPolicy(id, mentions));
  expect(out).toContain("policy:strict is detached: the agent refers to it only inside a longer text");
  await applySilently(desk);
  expect(await writeAgent(desk, agentText(mentions))).toContain(`${id} → \${policy:strict}`);
});

test("an ID in the place of a reference is shown beside an edit, and the saved plan is one to apply", async () => {
  const { desk, id } = await appliedDesk();
  desk.workspace.write({ "agents/support.yaml": withPolicy(id, { name: "Other" }) });
  const { out } = await desk.run("plan", "--out", "saved.json");
  expect(out).toContain(`\${policy:strict} → ${id}`);
  expect(await desk.run("apply", "saved.json", "--yes")).toMatchObject({ code: 0 });
  expect((await desk.run("plan")).out).toContain("No changes.");
});

test("a reference to the same object by another name is no such ID", async () => {
  const desk = await openDesk();
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  const strict = { apiVersion: "agentform/v1", kind: "Policy", metadata: { name: "stern" } };
  const spec = { name: "Strict", banned_topics: { enabled: true, topics: ["weapons"] } };
  desk.workspace.write({
    "policies/strict.yaml": JSON.stringify({ ...strict, spec, lifecycle: { moved_from: "policy:strict" } }),
    "agents/support.yaml": withPolicy("${policy:stern}"),
  });
  const { out } = await desk.run("plan");
  expect(out).toContain("Plan: 1 to record, 3 unchanged.");
  expect(out).not.toContain("agent:support");
});

test("a reference by another name is shown beside an edit, and the saved plan is one to apply", async () => {
  const { desk } = await appliedDesk();
  const [name, document] = ["policies/strict.yaml", JSON.parse(documents["policies/strict.yaml"] ?? "")];
  const moved = { ...document, metadata: { name: "stern" }, lifecycle: { moved_from: "policy:strict" } };
  desk.workspace.write({ [name]: JSON.stringify(moved) });
  await writeAgent(desk, withPolicy("${policy:stern}", { name: "Other" }));
  const { out } = await desk.run("plan", "--out", "saved.json");
  expect(out).toContain("${policy:strict} → ${policy:stern}");
  expect(out).not.toContain("policy-detached");
  expect(await desk.run("apply", "saved.json", "--yes")).toMatchObject({ code: 0 });
  expect(referencesOf(desk)).toHaveProperty("policy:stern");
});
