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
