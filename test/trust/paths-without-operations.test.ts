import { expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { openDesk } from "../cli/desk.js";

const get = { operationId: "listTickets", responses: {} };

test.each([
  ["an extension with an operation", "x-admin", { delete: { operationId: "removeAll", responses: {} } }],
  ["a path without operations", "/admin", { servers: [{ url: "https://other.example" }] }],
  ["a path that is none", "/admin", 5],
])("what is sent beside the operations of a document is shown, and agreed to: %s", async (_, path, item) => {
  const desk = await openDesk();
  const plan = async (summary: string, more: object) => {
    const openapi_schema = {
      openapi: "3.1.0",
      info: { title: "Tickets", version: "1" },
      servers: [{ url: "https://tickets.example.com" }],
      paths: { "/tickets": { get: { ...get, summary } }, ...more },
    };
    const spec = { tool_set_name: "tickets", openapi_schema };
    desk.workspace.write({ "toolsets/tickets.yaml": documentText("ToolSet", "tickets", spec) });
    const { out } = await desk.run("plan");
    const [, digest] = /^Digest: (.*)$/m.exec(out) ?? [];
    return { out, digest };
  };
  const added = { [path]: item };
  for (const summary of ["Lists", "Lists all"]) {
    const [without, having] = [await plan(summary, {}), await plan(summary, added)];
    expect(without.out).not.toContain(path);
    expect(having.out).toContain(path);
    expect(having.digest).not.toBe(without.digest);
    await plan(summary, {});
    expect((await desk.run("apply", "--yes")).code).toBe(0);
  }
});
