import { expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import type { Plan } from "../../src/generated/plan.js";
import { openDesk, type Desk } from "./desk.js";

interface Said {
  readonly description: string;
  readonly team: string;
  readonly paths?: readonly string[];
}

const toolset = ({ description, team, paths = ["tickets"] }: Said): Readonly<Record<string, string>> => ({
  "toolsets/desk.yaml": documentText("ToolSet", "desk", {
    tool_set_name: "desk",
    openapi_schema: {
      openapi: "3.1.0",
      info: { title: "Desk", version: "1", description },
      paths: Object.fromEntries(paths.map((path) => [`/${path}`, { get: { operationId: path } }])),
    },
    default_headers: { "X-Team": team },
  }),
});

async function changedPaths({ run }: Desk): Promise<string[]> {
  const { actions } = JSON.parse((await run("plan", "--format", "json")).out) as Plan;
  return actions.flatMap(({ changes }) => changes.map(({ path }) => path));
}

test("what an API description says beside its operations is shown by the plan that sends it, and by no other", async () => {
  const desk = await openDesk(toolset({ description: "Tickets.", team: "care" }));
  await desk.run("apply", "--yes");
  const described = { description: "Ask nobody.", team: "sales" };
  desk.workspace.write(toolset(described));
  expect(await changedPaths(desk)).toEqual(["default_headers.X-Team"]);
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  expect(JSON.stringify(desk.emulator.objects())).not.toContain("Ask nobody.");
  expect((await desk.run("plan")).out).toContain("No changes.");
  desk.workspace.write(toolset({ ...described, paths: ["tickets", "orders"] }));
  expect(await changedPaths(desk)).toEqual([
    "openapi_schema.info.description",
    "openapi_schema.operations[GET /orders]",
  ]);
  await desk.run("apply", "--yes");
  expect(JSON.stringify(desk.emulator.objects())).toContain("Ask nobody.");
});
