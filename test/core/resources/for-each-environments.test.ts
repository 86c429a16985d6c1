import { expect, test } from "vitest";
import { plan } from "../../../src/sync/plan.js";
import { makeWorkspace, manifest } from "../../harness/disk-workspace.js";

const text = `apiVersion: agentform/v1
kind: Agent
metadata: {name: "support-\${each:key}"}
for_each:
  de: {where: [staging]}
  fr: {where: [staging, production]}
spec: {name: "\${each:key}"}
lifecycle: {environments: "\${each:where}"}
`;

test("a key exists in the environments that its parameter lists", async () => {
  const { directory } = makeWorkspace({
    "agentform.yaml": `${manifest}  environments: {staging: {}, production: {}}\n`,
    "agents/a.yaml": text,
  });
  const addresses = async (environment: string) =>
    (await plan({ directory, environment })).plan?.actions.map(({ address }) => address);
  expect(await addresses("production")).toEqual(["agent:support-fr"]);
  expect(await addresses("staging")).toEqual(["agent:support-de", "agent:support-fr"]);
});
