import { expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { agentText, openDesk } from "../cli/desk.js";

test("a command that a message proposes runs nothing of a stranger's names when it is copied", async () => {
  const desk = await openDesk();
  const operation = "$(touch pwned)`touch pwned`;touch 'pwned";
  desk.workspace.write({
    "toolsets/desk.yaml": documentText("ToolSet", "desk", {
      tool_set_name: "desk",
      openapi_schema: {
        openapi: "3.0.0",
        info: { title: "Desk", version: "1" },
        servers: [{ url: "https://desk.example" }],
        paths: { "/a": { get: { operationId: operation, responses: {} } } },
      },
    }),
  });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  desk.workspace.write({ "agents/support.yaml": agentText({ tools: [`\${toolset:desk/${operation}}`] }) });
  const { out, err } = await desk.run("plan");
  const proposed = (out + err).match(/lock resolve toolset:desk --adopt .*/g) ?? [];
  expect(proposed.length).toBeGreaterThan(0);
  for (const line of proposed) {
    expect(line).toContain("--adopt '$(touch pwned)`touch pwned`;touch '\\''pwned=ID'");
  }
});
