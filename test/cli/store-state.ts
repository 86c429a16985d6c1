import { createHash } from "node:crypto";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { JournalWriter } from "../../src/core/state/journal.js";
import { createFileStore } from "../../src/store/file/file-store.js";
import type { Desk } from "./desk.js";

const hash = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;

/** Holds the store of a desk as another apply would; gives the nonce. */
export async function hold({ workspace }: Desk): Promise<string> {
  const lockFile = join(workspace.directory, "agentform.lock");
  const holderFile = join(workspace.directory, ".agentform/default.holder");
  const names = { lockName: "agentform.lock", journalName: "agentform.lock.journal" };
  const store = createFileStore({ lockFile, holderFile, ...names });
  await store.acquire();
  onTestFinished(() => store.release());
  return (await store.read()).holder?.nonce ?? "";
}

/** Writes the journal of an apply that has begun to create an agent and went no further than its answer, if any. */
export function leaveJournal({ workspace, emulator, lock }: Desk, answered?: string): void {
  const writer = new JournalWriter();
  const service = { base_url: emulator.url, rai_base_url: emulator.url };
  const { lineage, serial } = lock();
  const header = writer.render({
    type: "header",
    format: "agentform/journal/v1",
    workspace: "desk",
    environment: null,
    lineage,
    serial,
    write: "w1",
    service,
  });
  const begin = writer.render({
    type: "begin",
    n: 1,
    address: "agent:triage",
    operation: "create",
    time: "2026-01-01T00:00:00.000Z",
    method: "POST",
    path: "/v3/agents/",
    body: { name: "Triage" },
    digest: hash("{}"),
  });
  const done = answered === undefined ? "" : writer.render({ type: "done", n: 1, id: answered });
  workspace.write({ "agentform.lock.journal": header + begin + done });
}
