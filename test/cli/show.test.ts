import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openDesk, runIn } from "./desk.js";

test("a saved plan is shown as it was planned, without a workspace", async () => {
  const { workspace, run } = await openDesk();
  const asText = await run("plan", "--out", "plan.json");
  const asJson = await run("plan", "--format", "json");
  const elsewhere = mkdtempSync(join(tmpdir(), "agentform-"));
  onTestFinished(() => rmSync(elsewhere, { recursive: true }));
  const file = join(workspace.directory, "plan.json");
  expect(await runIn(elsewhere, ["show", file])).toEqual(asText);
  expect(await runIn(elsewhere, ["show", file, "--format", "json"])).toEqual(asJson);
});

test("the warnings of a saved plan are shown with it", async () => {
  const { workspace, run } = await openDesk();
  const warned = workspace
    .read("agents/support.yaml")
    .replace('"name":"Support"', '"name":"Support","colour":1');
  workspace.write({ "agents/support.yaml": warned });
  await run("plan", "--out", "plan.json");
  const shown = await run("show", "plan.json");
  expect(shown.code).toBe(0);
  expect(shown.err).toContain("colour");
});

test("a file that is no plan is a diagnostic with its place, a file that is not there a usage error", async () => {
  const { workspace, run } = await openDesk();
  workspace.write({ "plan.json": '{\n  "format": oops\n}' });
  const damaged = await run("show", "plan.json");
  expect(damaged).toMatchObject({ code: 1, out: "" });
  expect(damaged.err).toMatch(/plan\.json:\d+:\d+/);
  expect((await run("show", "missing.json")).code).toBe(64);
  expect((await run("show")).code).toBe(64);
  expect((await run("show", "plan.json", "--format", "xml")).code).toBe(64);
});
