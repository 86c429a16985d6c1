import { readdirSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { environmentSecrets } from "../../src/service/secret.js";
import { targetOf } from "../../src/service/target.js";
import { apply } from "../../src/sync/apply.js";
import { importObjects } from "../../src/sync/import.js";
import { moveState } from "../../src/sync/lock/move.js";
import { plan } from "../../src/sync/plan.js";
import type { PlanResult } from "../../src/sync/request.js";
import { makeWorkspace } from "../harness/disk-workspace.js";
import { StateServer } from "../store/state-server.js";
import { allOperations, fullManifest, openFullDesk } from "../cli/full-desk.js";

const secrets = environmentSecrets({ AGENT_API_KEY: "x" });
const asking = {
  target: (settings: Parameters<typeof targetOf>[0]) => targetOf(settings, secrets),
  userAgent: "agentform/test",
};

function refusals({ diagnostics }: Pick<PlanResult, "diagnostics">): string[] {
  return diagnostics.map(({ code, message }) => `${code}: ${message.replaceAll(/\d+ MB/g, "N MB")}`);
}

const tooLarge = (subject: string, noun: string) =>
  `lock-too-large: this ${subject} would make a ${noun} of about N MB, and the limit is N MB`;

test("a plan is refused where it, its journal or its lock would be too large, and an apply for the latter", async () => {
  const { workspace, emulator } = await openFullDesk();
  const { directory } = workspace;
  const journal = await plan({ directory, mostCharacters: 10 });
  expect(refusals(journal)).toEqual([tooLarge("plan", "journal"), tooLarge("plan", "saved plan")]);
  // Printing one of more than half a gigabyte fails.
  expect(journal.plan).toBeUndefined();
  const confirm = () => expect.fail("asked for a plan that cannot be applied");
  const applied = await apply({ ...asking, directory, confirm, mostCharacters: 10 });
  expect(applied.status).toBe("refused");
  expect(refusals(applied)).toEqual([tooLarge("plan", "journal")]);
  expect(emulator.requests).toEqual([]);
  expect(refusals(await plan({ directory }))).toEqual([]);
});

test("an import that would make the lock too large asks nobody, and writes nothing", async () => {
  const { emulator, run } = await openFullDesk();
  await run("apply", "--yes");
  const { directory } = makeWorkspace({ "agentform.yaml": fullManifest(emulator.url, allOperations) });
  const before = readdirSync(directory, { recursive: true }).toSorted();
  const request = { ...asking, directory, into: "", render: JSON.stringify };
  const confirm = () => expect.fail("asked for an import that cannot be written");
  const ended = await importObjects({ ...request, confirm, mostCharacters: 100 });
  expect(ended.status).toBe("refused");
  expect(refusals(ended)).toEqual([tooLarge("import", "lock")]);
  expect(readdirSync(directory, { recursive: true }).toSorted()).toEqual(before);
  expect(await importObjects({ ...request, confirm: async () => true })).toMatchObject({ status: "done" });
});

test("a lock that is too large is not moved, and stays where it is", async () => {
  const { workspace, run } = await openFullDesk();
  await run("apply", "--yes");
  const before = workspace.read("agentform.lock");
  const server = await StateServer.start();
  onTestFinished(() => server.close());
  const request = {
    directory: workspace.directory,
    moving: { to: { store: "http", address: `${server.origin}/state` } },
  };
  const ended = await moveState({ ...request, secrets, mostCharacters: 100 });
  expect(ended.status).toBe("refused");
  expect(refusals(ended)).toEqual([tooLarge("move", "lock")]);
  expect(workspace.read("agentform.lock")).toBe(before);
});
