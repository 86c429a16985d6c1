import { expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { openDesk } from "./desk.js";

const toolset = documentText("ToolSet", "plain", {
  tool_set_name: "plain",
  openapi_schema: {
    openapi: "3.1.0",
    info: { title: "Plain", version: "1" },
    paths: { "/tickets": { get: { operationId: "listTickets", responses: {} } } },
  },
});

test("an uncertain tool set without anything that an update sends is certain after the next apply", async () => {
  const { workspace, emulator, run, lock } = await openDesk({ "toolsets/plain.yaml": toolset });
  await run("apply", "--yes");
  const { length } = emulator.requests;
  const before = lock();
  // As a merge of two locks leaves an entry that both have changed.
  Object.assign(before.resources["toolset:plain"] ?? {}, { uncertain: true });
  workspace.write({ "agentform.lock": JSON.stringify(before) });
  const applied = await run("apply", "--yes");
  expect(applied).toMatchObject({ code: 0, out: expect.stringContaining("1 done") as string });
  expect(emulator.requests).toHaveLength(length);
  expect(lock().resources["toolset:plain"]).not.toHaveProperty("uncertain");
  expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
});
