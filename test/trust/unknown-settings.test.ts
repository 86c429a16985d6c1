import { expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { openDesk } from "../cli/desk.js";

const checks = { name: "Mild", toxicity_check: { enabled: true, threshold: 0.4 } };

test.each([
  ["enabled", { ...checks, enabled: false }],
  ["mode", { ...checks, mode: "off" }],
  ["toxicity_check.active", { ...checks, toxicity_check: { ...checks.toxicity_check, active: false } }],
])(
  "a setting of a policy that nobody knows is shown as one that may switch it off: %s",
  async (path, spec) => {
    const desk = await openDesk();
    desk.workspace.write({ "policies/mild.yaml": documentText("Policy", "mild", checks) });
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    desk.workspace.write({ "policies/mild.yaml": documentText("Policy", "mild", spec) });
    const { notes } = JSON.parse((await desk.run("plan", "--format", "json")).out) as { notes: object[] };
    expect(notes[0]).toMatchObject({ code: "policy-setting-changed", effect: "weakens", path });
  },
);
