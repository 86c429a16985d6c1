import { expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { onlyReads } from "../rules/rule-text.js";
import { git, manifestOf, openPlatform } from "../uses/platform.js";
import { wholeTest } from "../harness/tier.js";

const tickets = (...methods: readonly string[]) =>
  documentText("ToolSet", "desk", {
    tool_set_name: "desk",
    openapi_schema: {
      openapi: "3.1.0",
      servers: [{ url: "https://desk.example.com" }],
      paths: { "/tickets": Object.fromEntries(methods.map((method) => [method, { operationId: method }])) },
    },
  });

const openTeams = async () => {
  const platform = await openPlatform({
    "guard/agentform.yaml": manifestOf("guard", "URL"),
    "guard/toolsets/desk.yaml": tickets("get"),
    "care/agentform.yaml": manifestOf("care", "URL", "uses: {guard: {workspace: ../guard}}"),
    "care/agents/support.yaml": documentText("Agent", "support", {
      name: "Support",
      tools: ["${toolset:desk@guard}"],
    }),
  });
  await platform.apply("guard");
  await platform.apply("care");
  git(platform.workspace.directory, "add", ".");
  git(platform.workspace.directory, "commit", "-qm", "before");
  platform.workspace.write({ "guard/toolsets/desk.yaml": tickets("get", "delete") });
  return platform;
};

const gains = "gains `delete` (DELETE /tickets) of toolset:desk@guard, which writes  [writing-tool-gained]";

test("an operation that a tool set of another workspace gains is one that an agent gains, in a plan of both", async () => {
  const platform = await openTeams();
  const planned = await platform.run(".", "plan", "--all");
  expect(planned.out).toContain(gains);
  expect(planned.out).not.toContain("gains `get`");
  platform.workspace.write({ "care/rules/reads.yaml": onlyReads });
  const refused = await platform.run(".", "plan", "--all");
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("error[only-reads]");
});

wholeTest("and in a plan after the other was applied, where nobody knows what the old set had", async () => {
  const platform = await openTeams();
  await platform.apply("guard");
  expect((await platform.run("care", "plan")).out).toContain(gains);
  platform.workspace.write({ "care/rules/reads.yaml": onlyReads });
  expect((await platform.run("care", "plan")).err).toContain("error[only-reads]");
  platform.workspace.remove("care/rules/reads.yaml");
  await platform.apply("care");
  expect((await platform.run("care", "plan")).out).toContain("No changes");
});
