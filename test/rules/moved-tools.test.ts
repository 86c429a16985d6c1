import { expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { openDesk } from "../cli/desk.js";
import { onlyReads } from "./rule-text.js";

const set = (name: string, method: string, lifecycle?: object) =>
  documentText(
    "ToolSet",
    name,
    {
      tool_set_name: method,
      openapi_schema: { openapi: "3.1.0", paths: { "/tickets": { [method]: { operationId: method } } } },
    },
    lifecycle,
  );

const agent = (toolset: string, prompt: string) =>
  documentText("Agent", "support", {
    name: "Support",
    system_prompt: prompt,
    tools: [`\${toolset:${toolset}}`],
  });

const openTools = async (used: string) => {
  const desk = await openDesk({
    "toolsets/reads.yaml": set("reads", "get"),
    "toolsets/writes.yaml": set("writes", "delete"),
    "agents/support.yaml": agent(used, "Help."),
  });
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  desk.workspace.write({ "rules/reads.yaml": onlyReads });
  return desk;
};

test("an agent gains what a tool set has that takes the name of its own", async () => {
  const { run, workspace } = await openTools("reads");
  workspace.write({
    "toolsets/reads.yaml": set("writes", "get", { moved_from: "toolset:reads" }),
    "toolsets/writes.yaml": set("reads", "delete", { moved_from: "toolset:writes" }),
  });
  const { code, err, out } = await run("plan");
  expect([code, err]).toEqual([1, expect.stringContaining("error[only-reads]: An agent only reads")]);
  expect(out).toContain("gains `delete` (DELETE /tickets) of toolset:reads, which writes");
});

test("an agent gains nothing by a new name of its tool set", async () => {
  const { run, workspace } = await openTools("writes");
  workspace.write({
    "toolsets/writes.yaml": set("changes", "delete", { moved_from: "toolset:writes" }),
    "agents/support.yaml": agent("changes", "Help at once."),
  });
  const { code, out } = await run("plan");
  expect([code, out]).toEqual([0, expect.stringContaining("1 to update, 1 to record")]);
});
