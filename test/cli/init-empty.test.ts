import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openEmulator, runIn } from "./desk.js";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "agentform-empty-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("init --empty makes a workspace without documents, which import fills", async () => {
  const folder = makeFolder();
  const made = await runIn(folder, ["init", "--empty"]);
  expect(made).toMatchObject({ code: 0, err: "" });
  expect(made.out).toContain("agentform import --all");
  expect(readdirSync(folder).toSorted()).toEqual([
    ".gitattributes",
    ".gitignore",
    "AGENTS.md",
    "agentform.yaml",
  ]);
  expect(await runIn(folder, ["validate"])).toMatchObject({ code: 0, err: "" });
  const unasked = await runIn(folder, ["import", "--all", "--yes"]);
  expect(unasked.code).toBe(1);
  expect(unasked.err).toContain(
    "error[operation-missing]: `agentform import` needs `service.operations.policy.list`, `service.operations.toolset.list`, `service.operations.credential.list`, `service.operations.agent.list`, which the manifest does not name",
  );
  expect(unasked.err).toContain("if not, write the document with `lifecycle: {adopt: ID}`");
  expect(unasked.err).toContain("\n1 error\n");
  const twice = await runIn(folder, ["init", "--empty"]);
  expect(twice.err).toContain("agentform.yaml already exists in .");

  const emulator = await openEmulator({ operations: "full" });
  emulator.edit({ kind: "agent", create: { name: "Support", model: "small-1" } });
  const file = join(folder, "agentform.yaml");
  const manifest = readFileSync(file, "utf8")
    .replaceAll(/https:\/\/(agents|rai)\.example\.com/g, emulator.url)
    .replaceAll(/^ {4}# (?=operations:| {2}\w+:)/gm, "    ");
  writeFileSync(file, manifest);
  expect(await runIn(folder, ["import", "--all", "--yes"])).toMatchObject({ code: 0, err: "" });
  expect(await runIn(folder, ["plan", "--detailed-exitcode"])).toMatchObject({ code: 0, err: "" });
});

test("init --empty is of a new workspace, and no fleet", async () => {
  const folder = makeFolder();
  expect((await runIn(folder, ["init", "--empty", "--fleet"])).code).toBe(64);
  await runIn(folder, ["init"]);
  expect((await runIn(folder, ["init", "--empty", "--ci", "github"])).code).toBe(64);
  expect((await runIn(folder, ["init", "--empty"])).code).toBe(1);
});
