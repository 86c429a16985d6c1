import { expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { documents, openDesk } from "./desk.js";

const { "toolsets/desk.yaml": desk = "" } = documents;
const toolset = { "toolsets/desk.yaml": desk };
const agent = { "agents/triage.yaml": documentText("Agent", "triage", { name: "Triage" }) };

test("one ID for two tools is called that, and not a missing ID", async () => {
  const { run } = await openDesk(toolset, {
    faults: [{ path: "/v3/tools/", status: 200, body: { tool_ids: ["t-1", "t-1"] } }],
  });
  const { code, err } = await run("apply", "--yes");
  expect(code).toBe(3);
  expect(err).toContain("the service answered 200 with the same ID for several tools");
  expect(err).not.toContain("without the ID");
  expect(err).toContain("--adopt listTickets=ID,createTicket=ID");
});

test("an answer without the ID hints at id_pointers", async () => {
  const { run } = await openDesk(agent, {
    faults: [{ path: "/v3/agents/", status: 200, body: { data: { id: "a-1" } } }],
  });
  const { code, err } = await run("apply", "--yes");
  expect(code).toBe(3);
  expect(err).toContain("without the ID, but with data");
  expect(err).toContain("`service.id_pointers: {agent: /…}`");
});

test("what needs an ID that was not answered says how to give it", async () => {
  const { run } = await openDesk(documents, { answers: "minimal" });
  const { code, err } = await run("apply", "--yes");
  expect(code).toBe(1);
  expect(err).toContain("the ID of credential:provider is not known");
  expect(err).toContain("`agentform lock resolve credential:provider --adopt ID`");
});

test("the columns of the ledger are aligned, however long its IDs are", async () => {
  const { run } = await openDesk(toolset, {
    faults: [{ path: "/v3/tools/", status: 200, body: { tool_ids: ["t-1", `t-${"x".repeat(80)}`] } }],
  });
  expect((await run("apply", "--yes")).code).toBe(0);
  await run("apply", "--yes", "--replace", "toolset:desk");
  const [head = "", ...rows] = (await run("lock", "retired")).out.trimEnd().split("\n").slice(2);
  expect(rows).toHaveLength(2);
  for (const row of rows) expect(row.indexOf("toolset:desk")).toBe(head.indexOf("address"));
  for (const row of rows) expect(row.indexOf("replaced")).toBe(head.indexOf("reason"));
});
