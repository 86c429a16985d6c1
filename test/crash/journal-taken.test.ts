import { copyFileSync, linkSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ApplyRequest } from "../../src/request.js";
import { startEmulator, type Emulator } from "../../src/emulator/emulator.js";
import { Secret } from "../../src/service/secret.js";
import { apply } from "../../src/sync.js";
import { documentText, makeWorkspace, type DiskWorkspace } from "../harness/disk-workspace.js";

const count = 12;

function applyTo({ directory }: DiskWorkspace, { url }: Emulator, onEvent?: ApplyRequest["onEvent"]) {
  const service = { base_url: "http://127.0.0.1:1", rai_base_url: "http://127.0.0.1:1" };
  return apply({
    directory,
    userAgent: "agentform/test",
    concurrency: 3,
    confirm: async () => true,
    target: () => ({
      identity: service,
      baseUrl: url,
      raiBaseUrl: url,
      apiKey: "${env:AGENT_API_KEY}",
      secrets: (name) => new Secret(`value of ${name}`),
    }),
    ...(onEvent && { onEvent }),
  });
}

test.each([
  { how: "removed", done: "removed", take: (journal: string) => rmSync(journal) },
  { how: "renamed", done: "removed", take: (journal: string) => renameSync(journal, `${journal}.bak`) },
  {
    how: "removed with a second name left",
    done: "removed",
    take: (journal: string) => {
      linkSync(journal, `${journal}.bak`);
      rmSync(journal);
    },
  },
  {
    how: "replaced by a copy",
    done: "changed",
    take: (journal: string) => {
      renameSync(journal, `${journal}.bak`);
      copyFileSync(`${journal}.bak`, journal);
    },
  },
  { how: "cut off", done: "changed", take: (journal: string) => truncateSync(journal) },
  {
    how: "added to",
    done: "changed",
    take: (journal: string) => writeFileSync(journal, "another line\n", { flag: "a" }),
  },
])("a journal that is $how while it is in use ends the apply, and nothing is lost", async (way) => {
  const emulator = await startEmulator({ latency: 5 });
  onTestFinished(() => emulator.close());
  const names = Array.from({ length: count }, (_, index) => `agent-${index}`);
  const workspace = makeWorkspace(
    Object.fromEntries(names.map((name) => [`agents/${name}.yaml`, documentText("Agent", name, { name })])),
  );
  let made = 0;
  const first = await applyTo(workspace, emulator, ({ type }) => {
    if (type === "done" && ++made === 4) way.take(join(workspace.directory, "agentform.lock.journal"));
  });
  expect(first.status).toBe("refused");
  expect(first.diagnostics).toMatchObject([
    {
      code: "lock-medium",
      message: `another process ${way.done} agentform.lock.journal while it was in use`,
      hint: expect.stringContaining("all that was done is in the lock now"),
    },
  ]);
  expect(emulator.objects().agents.length).toBeLessThan(count);

  const second = await applyTo(workspace, emulator);
  expect(second).toMatchObject({ status: "applied", diagnostics: [] });
  expect(
    emulator
      .objects()
      .agents.map(({ body }) => body.name)
      .toSorted(),
  ).toEqual(names.toSorted());
});

test("where the lock cannot be written either, each ID that was not saved is shown, and what to do with them", async () => {
  const emulator = await startEmulator({ latency: 5 });
  onTestFinished(() => emulator.close());
  const names = Array.from({ length: count }, (_, index) => `agent-${index}`);
  const workspace = makeWorkspace(
    Object.fromEntries(names.map((name) => [`agents/${name}.yaml`, documentText("Agent", name, { name })])),
  );
  const shown = new Set<string>();
  const { diagnostics } = await applyTo(workspace, emulator, (event) => {
    if (event.type !== "done" && event.type !== "unsaved") return;
    for (const id of event.ids) shown.add(id);
    if (shown.size !== 4) return;
    const lock = join(workspace.directory, "agentform.lock");
    rmSync(`${lock}.journal`, { force: true });
    mkdirSync(lock, { recursive: true });
  });
  expect(diagnostics).toMatchObject([{ hint: expect.stringContaining("what was done is in no file") }]);
  const made = emulator.objects().agents.map(({ id }) => id);
  expect([...shown].toSorted()).toEqual(made.toSorted());
});
