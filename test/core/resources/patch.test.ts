import { expect, test } from "vitest";
import { mergePatch } from "../../../src/json/merge-patch.js";
import { plan } from "../../../src/sync/plan.js";
import { documentText, makeWorkspace, manifest } from "../../harness/disk-workspace.js";

// The examples of RFC 7386, appendix A.
test.each([
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])("%j with %j gives %j", (target, patch, merged) => {
  expect(mergePatch(target, patch)).toEqual(merged);
});

test("what a patch or a document replaces refers to nothing, whatever it is replaced by", async () => {
  const { directory } = makeWorkspace({
    "agentform.yaml": `${manifest}  environments: {default: {}, production: {}}
  ignore: [environment-same-service]
  defaults: [{kind: Agent, spec: {llm_credential_id: "\${credential:a}", examples: ["\${credential:a}"]}}]
  extra_fields: {agent: [examples, notes]}
`,
    "agents/support.yaml": documentText("Agent", "support", {
      name: "Support",
      llm_credential_id: null,
      examples: { none: true },
      notes: ["${credential:a}"],
    }),
    "credentials/a.yaml": documentText("Credential", "a", { name: "A" }),
    "environments/production/agents.yaml": documentText("Agent", "support", { notes: { none: true } }),
  });
  const planned = await plan({ directory, environment: "production" });
  expect(planned.diagnostics).toEqual([]);
  const action = planned.plan?.actions.find(({ address }) => address === "agent:support");
  expect(action?.body).toEqual({ name: "Support", examples: { none: true }, notes: { none: true } });
  expect(action?.waits_for).toEqual([]);
});

test("a patch changes one environment, and what it includes is beside it", async () => {
  const { directory } = makeWorkspace({
    "agentform.yaml": `${manifest}  environments: {production: {}, staging: {}}\n  ignore: [environment-same-service]\n`,
    "agents/support.yaml": documentText("Agent", "support", {
      name: "Support",
      model: "small-1",
      top_p: 0.9,
      llm_credential_id: "${credential:provider}",
    }),
    "credentials/provider.yaml": documentText("Credential", "provider", { name: "Provider" }),
    "environments/production/agents.yaml": documentText("Agent", "support", {
      model: "large-2",
      top_p: null,
      system_prompt: "${file:prompt.md}",
      llm_credential_id: "fixed-7",
    }),
    "environments/production/prompt.md": "Only here.",
  });
  const bodyIn = async (environment: string) => {
    const planned = await plan({ directory, environment });
    expect(planned.diagnostics).toEqual([]);
    return planned.plan?.actions.find(({ address }) => address === "agent:support");
  };
  expect((await bodyIn("staging"))?.body).toEqual({
    name: "Support",
    model: "small-1",
    top_p: 0.9,
    llm_credential_id: "${credential:provider}",
  });
  const patched = await bodyIn("production");
  expect(patched?.body).toEqual({
    name: "Support",
    model: "large-2",
    system_prompt: "Only here.",
    llm_credential_id: "fixed-7",
  });
  // The reference that the patch replaced is none any more.
  expect(patched?.waits_for).toEqual([]);
});
