import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ApplyRequest } from "../../src/sync/request.js";
import { startEmulator, type Emulator } from "../../src/emulator/emulator.js";
import { Secret } from "../../src/service/secret.js";
import { apply } from "../../src/sync/apply.js";
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

async function openFleet() {
  const emulator = await startEmulator({ latency: 5 });
  onTestFinished(() => emulator.close());
  const names = Array.from({ length: count }, (_, index) => `agent-${index}`);
  const workspace = makeWorkspace(
    Object.fromEntries(names.map((name) => [`agents/${name}.yaml`, documentText("Agent", name, { name })])),
  );
  return { emulator, names, workspace };
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
  const { emulator, names, workspace } = await openFleet();
  let made = 0;
  const first = await applyTo(workspace, emulator, ({ type }) => {
    if (type === "done" && ++made === 4) way.take(join(workspace.directory, "agentform.lock.journal"));
  });
  expect(first.status).toBe("refused");
  expect(first.diagnostics).toMatchObject([
    {
      code: "lock-medium",
      message: `another process ${way.done} agentform.lock.journal while it was in use`,
      hint: expect.stringMatching(/^all that was done is in the lock now.*find out who did it/),
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

test("a journal that another process has put in its place stays", async () => {
  const { emulator, workspace } = await openFleet();
  const journal = join(workspace.directory, "agentform.lock.journal");
  let made = 0;
  const { diagnostics } = await applyTo(workspace, emulator, ({ type }) => {
    if (type !== "done" || ++made !== 4) return;
    writeFileSync(`${journal}.new`, "with IDs of theirs\n");
    renameSync(`${journal}.new`, journal);
  });
  expect(diagnostics).toMatchObject([{ hint: expect.stringContaining("is in the lock now") }]);
  expect(readFileSync(journal, "utf8")).toBe("with IDs of theirs\n");
});

test.each([
  {
    when: "the store is taken",
    spoil: (directory: string) => rmSync(join(directory, ".agentform", "default.holder")),
    hint: "keep the IDs that are shown above",
  },
  {
    when: "the lock cannot be written either",
    spoil: (directory: string) => {
      rmSync(join(directory, "agentform.lock.journal"), { force: true });
      mkdirSync(join(directory, "agentform.lock"), { recursive: true });
    },
    hint: "what was done is in no file",
  },
])("where $when, each ID that was not saved is shown, and what to do with them", async ({ spoil, hint }) => {
  const { emulator, workspace } = await openFleet();
  const shown = new Set<string>();
  let unsaved = 0;
  const { diagnostics } = await applyTo(workspace, emulator, (event) => {
    if (event.type !== "done" && event.type !== "unsaved") return;
    if (event.type === "unsaved") unsaved++;
    for (const id of event.ids) shown.add(id);
    if (shown.size === 4) spoil(workspace.directory);
  });
  // Where nothing was on its way when the store was taken, its journal has all.
  const told = unsaved === 0 && diagnostics[0]?.code === "lock-changed" ? "plan again" : hint;
  expect(diagnostics).toMatchObject([{ hint: expect.stringContaining(told) }]);
  const made = emulator.objects().agents.map(({ id }) => id);
  expect([...shown].toSorted()).toEqual(made.toSorted());
});
