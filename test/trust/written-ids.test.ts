import { expect, test } from "vitest";
import { agentText, openDesk } from "../cli/desk.js";

const withPolicy = (policy_id: string): string =>
  agentText({ features: [{ type: "RAI", priority: 0, config: { policy_id } }] });

test("an ID in the place of a reference is shown while nothing is sent, and an apply notes it down", async () => {
  const desk = await openDesk();
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  const id = String(desk.lock().resources["policy:strict"]?.id);
  desk.workspace.write({ "agents/support.yaml": withPolicy(id) });
  const { out } = await desk.run("plan");
  expect(out).toContain("1 weakens a guardrail.");
  expect(out).toContain("policy:strict is detached: the agent no longer refers to it  [policy-detached]");
  expect(out).toContain(`\${policy:strict} → ${id}`);
  expect((await desk.run("plan", "--fail-on", "weakens")).code).toBe(1);
  const sent = desk.emulator.requests.length;
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  expect(desk.emulator.requests.length).toBe(sent);
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
