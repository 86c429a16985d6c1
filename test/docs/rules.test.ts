import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { documents, openDesk } from "../cli/desk.js";

interface Written {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly examples?: { readonly good?: readonly object[]; readonly bad?: readonly object[] };
  };
}

const page = readFileSync("docs/how-to/rules.md", "utf8");
const rules = [
  ...page.slice(page.indexOf("## Ten rules")).matchAll(/```yaml\n# (rules\/[a-z-]+\.yaml)\n([^]*?)```/g),
].map(([, file = "", text = ""]) => ({ file, text, rule: parse(text) as Written }));

describe("the rules of docs/how-to/rules.md", () => {
  test("are ten, each with an example that satisfies it and one that does not", () => {
    expect(rules).toHaveLength(10);
    for (const { rule } of rules) {
      expect(rule.spec.examples?.good?.length, rule.metadata.name).toBeGreaterThan(0);
      expect(rule.spec.examples?.bad?.length, rule.metadata.name).toBeGreaterThan(0);
    }
  });

  test.each(rules.map(({ file, text, rule }) => [rule.metadata.name, file, text] as const))(
    "%s judges its examples as it says, and an example in the wrong place is found",
    async (_name, file, text) => {
      const desk = await openDesk({
        ...documents,

        "agentform.yaml": manifest,
        [file]: text,
      });
      const right = await desk.run("validate", "-e", "production");
      expect(right.out).not.toContain("rule-");
      const swapped = text.replace("good:", "GOOD:").replace("bad:", "good:").replace("GOOD:", "bad:");
      desk.workspace.write({ [file]: swapped });
      const wrong = await desk.run("validate", "-e", "production");
      expect(wrong.code).toBe(1);
      expect(wrong.out).toContain("error[rule-example]");
    },
  );
});

test("the rules about tools see what an OpenAPI document has behind a reference or at an operation", async () => {
  const about = rules.filter(({ rule }) => /^(own-hosts|no-deletes)/.test(rule.metadata.name));
  const openapi = {
    openapi: "3.1.0",
    info: { title: "Desk", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: {
      "/tickets": {
        get: { operationId: "list", responses: {}, servers: [{ url: "https://example.org" }] },
      },
      "/tickets/{id}": { $ref: "#/components/pathItems/ticket" },
    },
    components: { pathItems: { ticket: { delete: { operationId: "drop", responses: {} } } } },
  };
  const toolset = {
    apiVersion: "agentform/v1",
    kind: "ToolSet",
    metadata: { name: "hidden" },
    spec: { tool_set_name: "hidden", openapi_schema: openapi },
  };
  const desk = await openDesk({
    ...documents,
    "agentform.yaml": manifest,
    "toolsets/hidden.yaml": JSON.stringify(toolset),
    ...Object.fromEntries(about.map(({ file, text }) => [file, text])),
  });
  const { err } = await desk.run("plan", "-e", "production");
  expect(about).toHaveLength(2);
  expect(err).toContain(
    "error[own-hosts]: Tools call hosts of example.com: `gained.hosts[1]` is `example.org`",
  );
  expect(err).toContain("error[no-deletes-in-production]");
});

const manifest = `apiVersion: agentform/v1
kind: Workspace
metadata: {name: desk}
spec:
  service: {base_url: "https://agents.example.com", rai_base_url: "https://rai.example.com", api_key: "\${env:AGENT_API_KEY}"}
  environments: {production: {}}
  ignore: [rule-unused]
`;
