import { expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { documents, openDesk } from "./desk.js";

const toolset = (paths: object, more: object = {}): Record<string, string> => ({
  "toolsets/desk.yaml": documentText("ToolSet", "desk", {
    tool_set_name: "desk",
    openapi_schema: {
      openapi: "3.1.0",
      info: { title: "Desk", version: "1" },
      paths: { "/tickets": { get: { operationId: "listTickets", responses: {} } }, ...paths },
      ...more,
    },
  }),
});
const through = (file: string) => [
  { "/users": { $ref: "#/components/pathItems/users" } },
  { components: { pathItems: { users: { $ref: `${file}#/users` } } } },
];

test.each([
  ["a path that leads out of its document", [{}], [{ "/users": { $ref: "users.yaml" } }]],
  ["another file behind a path", [{ "/users": { $ref: "a.yaml" } }], [{ "/users": { $ref: "b.yaml" } }]],
  ["another file behind what a path refers to", through("a.yaml"), through("b.yaml")],
])(
  "%s makes a tool set anew, and the plan shows it",
  async (_name, [before = {}, ...parts], [after = {}, ...others]) => {
    const desk = await openDesk({ ...documents, ...toolset(before, ...parts) });
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    desk.workspace.write(toolset(after, ...others));
    const { out } = await desk.run("plan", "--out", "saved.json");
    expect(out).toContain("Plan: 1 to replace, 1 to update, 2 unchanged.");
    expect(out).toContain("openapi_schema.paths");
    expect(out).toContain("[openapi-external-ref]");
    expect((await desk.run("apply", "saved.json", "--yes")).code).toBe(0);
    expect((await desk.run("plan")).out).toContain("No changes.");
  },
);

test("a path without operations of the document itself makes no tool set anew", async () => {
  const desk = await openDesk({ ...documents, ...toolset({}) });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  desk.workspace.write(toolset({ "/users": { summary: "Later" }, "x-users": { $ref: "users.yaml" } }));
  expect((await desk.run("plan")).out).toContain("No changes.");
});
