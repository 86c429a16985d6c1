import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { startEmulator } from "../../src/emulator/emulator.js";
import { fullManifest } from "../cli/full-desk.js";
import { codeBlocks } from "../docs/code-block.js";
import { documentText } from "../harness/disk-workspace.js";
import { runCli } from "../package/run-cli.js";
import { installed } from "./desk.js";
import { Machine } from "./job-process.js";
import { Repository } from "./repository.js";
import { runWorkflow } from "./workflow.js";

const page = readFileSync("docs/how-to/drift.md", "utf8");
const job = codeBlocks(page).find(({ text }) => text.startsWith("name: agentform drift"))?.text ?? "";
const secrets = { AGENT_API_KEY: "k3y-value", STATE_SEAL: "5eal-value-of-32-characters-or-more" };

test("the nightly job sees, in a fresh clone, what somebody changed in the service", async () => {
  const emulator = await startEmulator({ operations: "full" });
  onTestFinished(() => emulator.close());
  const more = `  environments: {production: {}}\n  lock: {store: git, seal: "\${env:STATE_SEAL}"}\n`;
  const repository = new Repository({
    "agentform.yaml": fullManifest(emulator.url, undefined, more),
    "agents/support.yaml": documentText("Agent", "support", { name: "Support", temperature: 0.2 }),
    ...installed(".github/agentform"),
  });
  const machine = new Machine(repository.folder);
  const setting = {
    repository,
    machine,
    ref: "refs/heads/main",
    env: {},
    contexts: Object.fromEntries(Object.entries(secrets).map(([name, value]) => [`secrets.${name}`, value])),
    artifacts: repository.folder,
  };
  const lastCode = async () => (await runWorkflow(job, setting)).codes[""];

  const clone = repository.checkOut("refs/heads/main", 0);
  const applied = await runCli(["apply", "-e", "production", "--yes"], { cwd: clone, env: secrets });
  expect(applied.code, applied.stderr).toBe(0);
  expect(await lastCode()).toBe(0);

  const [, id = ""] = /agent:support: created \((\w+)\)/.exec(applied.stdout + applied.stderr) ?? [];
  emulator.edit({ kind: "agent", id, changes: { temperature: 0.9 } });
  expect(await lastCode()).toBe(2);
});
