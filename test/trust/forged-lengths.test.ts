import { expect, test } from "vitest";
import { planDigest } from "../../src/core/plan/plan-digest.js";
import { renderSavedPlan } from "../../src/core/review/saved-plan.js";
import type { Plan } from "../../src/generated/plan.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { runCommand } from "./run-command.js";

const long = "a".repeat(100_000);

test.each<[string, (plan: Plan) => Plan]>([
  ["workspace", (plan) => ({ ...plan, workspace: long })],
  ["environment", (plan) => ({ ...plan, environment: long })],
  ["source of the lock", (plan) => ({ ...plan, lock: { source: long, lineage: "l", serial: 1 } })],
  ["time of what was found", (plan) => ({ ...plan, observation: { at: long } })],
  ["file", (plan) => ({ ...plan, actions: plan.actions.map((action) => ({ ...action, file: long })) })],
])("a forged plan with a long %s is refused, and fills no terminal, comment or page", async (_, change) => {
  const workspace = makeWorkspace({ "agents/a.yaml": documentText("Agent", "a", { name: "A" }) });
  const run = async (...args: string[]) => await runCommand(args, { cwd: workspace.directory });
  expect((await run("plan", "--out", "plan.json")).code).toBe(0);
  const forged = change(JSON.parse(workspace.read("plan.json")) as Plan);
  // Whoever forges a plan can compute its digest and its checksum.
  workspace.write({ "plan.json": renderSavedPlan({ ...forged, digest: planDigest(forged) }) });
  for (const format of ["text", "json", "markdown", "html"]) {
    const { code, stdout, stderr } = await run("show", "plan.json", "--format", format);
    expect(code).toBe(1);
    expect(stderr).toContain("maxLength");
    expect(stdout.length + stderr.length).toBeLessThan(5000);
  }
});

test.each([
  ["format", { format: long }],
  ["workspace", { workspace: long }],
  ["environment", { environment: long }],
  ["address of the service", { service: { base_url: `https://${long}` } }],
  ["place after a move", { format: "agentform/move/v1", to: { store: "git", remote: long } }],
])("a forged lock with a long %s fills no terminal", async (_, forged) => {
  const lock = {
    format: "agentform/lock/v1",
    workspace: "test",
    environment: null,
    lineage: "l",
    serial: 1,
    writes: "w1",
    resources: {},
    retired: {},
    unknown: {},
    ...forged,
  };
  const { directory } = makeWorkspace({ "agentform.lock": JSON.stringify(lock) });
  for (const args of [["plan"], ["plan", "--format", "json"], ["lock", "list"]]) {
    const { code, stdout, stderr } = await runCommand(args, { cwd: directory });
    // A place after a move is told with 4, and a list of the lock's own says nothing of the service.
    expect([0, 1, 4]).toContain(code);
    expect(stdout.length + stderr.length).toBeLessThan(60_000);
  }
});
