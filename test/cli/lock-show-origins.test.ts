import { expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { manifestAt, openDesk, policyText } from "./desk.js";

test("lock show says which fields come from defaults and patches, and where they are written", async () => {
  const { workspace, emulator, run } = await openDesk();
  workspace.write({
    "agentform.yaml": manifestAt(
      emulator.url,
      `  environments: {production: {}}
  extra_fields: {agent: [notes]}
  defaults:
    - kind: Agent
      selector: {team: care}
      spec:
        model: small-1
        description: An agent
        notes:
          own: {a: 1}
          mixed: {a: 1, b: 2}
    - kind: ToolSet
      spec: {default_query_params: {lang: en}}
`,
    ),
    "agents/support.yaml": JSON.stringify({
      apiVersion: "agentform/v1",
      kind: "Agent",
      metadata: { name: "support", labels: { team: "care" } },
      spec: { name: "Support", notes: { mixed: { b: 3 }, more: {} } },
    }),
    "policies/strict.yaml": policyText(),
    "environments/production/support.yaml": documentText("Agent", "support", { description: "Live" }),
  });
  expect(await run("apply", "--yes", "-e", "production")).toMatchObject({ code: 0 });
  const shown = await run("lock", "show", "agent:support", "-e", "production");
  expect(shown.out).toContain(`
From defaults and patches, as the workspace is now
  spec.notes.mixed.a  default  agentform.yaml:16
  spec.notes.own      default  agentform.yaml:15
  spec.model          default  agentform.yaml:12
  spec.description    patch    environments/production/support.yaml:1
`);
  const json = JSON.parse(
    (await run("lock", "show", "toolset:desk", "-e", "production", "--format", "json")).out,
  );
  expect(json.origins).toEqual([
    { path: "spec.default_query_params", layer: "default", file: "agentform.yaml", line: 18 },
  ]);
  const plain = await run("lock", "show", "policy:strict", "-e", "production");
  expect(plain.out).not.toContain("From defaults");
});
