import { appendFileSync, createReadStream, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { constants } from "node:buffer";
import { expect, test } from "vitest";
import { JournalWriter, parseJournal } from "../../src/core/state/journal.js";
import { emptyLock, parseLock, renderLock, type Lock } from "../../src/core/state/lock.js";
import { nextWrite } from "../../src/core/state/lock-writes.js";
import { recover } from "../../src/store/recovery.js";
import { makeMedium, openStore } from "./medium.js";

const owner = { workspace: "test", environment: null };
const count = 60;
const prompt = "Be polite.".repeat(1_000_000);
const addresses = Array.from({ length: count }, (_, index) => `agent:a${index}`);
const longest = constants.MAX_STRING_LENGTH;

async function digestOf(file: string): Promise<string> {
  const digest = createHash("sha256");
  for await (const bytes of createReadStream(file)) digest.update(bytes as Buffer);
  return digest.digest("hex");
}

test("a lock that is longer than a string can be is written, read and changed", async () => {
  const medium = makeMedium();
  const entries = addresses.map(
    (address) => [address, { id: address, digest: "d", body: { prompt } }] as const,
  );
  const lock: Lock = { ...emptyLock(owner, "lineage"), resources: Object.fromEntries(entries) };
  const store = openStore(medium);
  await store.acquire();
  const version = await store.replace(renderLock(lock), null);
  expect(statSync(medium.lockFile).size).toBeGreaterThan(longest);
  expect(version).toBe(await digestOf(medium.lockFile));
  const stored = await store.read();
  expect(stored.version).toBe(version);
  const parsed = stored.lock === null ? [] : parseLock(stored.lock, medium.lockName, owner);
  if (Array.isArray(parsed)) throw new Error("the lock is refused");
  expect(Object.keys(parsed.resources)).toEqual(addresses.toSorted());
  expect(parsed.resources["agent:a59"]?.body["prompt"] === prompt).toBe(true);
  const { "agent:a0": _gone, ...rest } = parsed.resources;
  const changed = await store.replace(
    renderLock(nextWrite(parsed, { ...parsed, resources: rest }, "write")),
    version,
  );
  expect(changed).toBe(await digestOf(medium.lockFile));
  await store.release();
});

test("a journal that is longer than a string can be is written into the lock, and again if that is lost", async () => {
  const medium = makeMedium();
  const store = openStore(medium);
  await store.acquire();
  const writer = new JournalWriter();
  const service = { base_url: "https://agents.example.com" };
  const header = { type: "header", format: "agentform/journal/v1", ...owner, lineage: "lineage" } as const;
  store.append(writer.render({ ...header, serial: 0, service }));
  for (const [n, address] of addresses.entries()) {
    store.append(
      writer.render({
        type: "begin",
        n,
        time: "now",
        address,
        operation: "create",
        method: "POST",
        path: "/v3/agents/",
        body: { prompt },
        digest: "d",
      }),
    );
    if (n > 0) store.append(writer.render({ type: "done", n, id: `id-${n}` }));
  }
  await store.flush();
  await store.release();
  expect(statSync(medium.journalFile).size).toBeGreaterThan(longest);
  const again = openStore(medium);
  await again.acquire();
  const held = await recover(again, owner, () => "lineage");
  expect(statSync(medium.lockFile).size).toBeGreaterThan(longest);
  if (!("lock" in held)) throw new Error("the journal is refused");
  expect(Object.keys(held.lock.unknown)).toEqual(["agent:a0"]);
  expect(Object.values(held.lock.resources).map(({ id }) => id)).toHaveLength(count - 1);
  expect((await again.read()).journal).toBeNull();
  const reread = await recover(again, owner, () => "other");
  expect(reread).toMatchObject({ version: held.version, lock: { lineage: "lineage" } });
  await again.release();
});

test("a gigabyte from elsewhere is refused with what it is", async () => {
  const medium = makeMedium();
  const gigabyte = 1_000_000_000;
  const write = (file: string, begin: string, end: string) => {
    writeFileSync(file, begin);
    truncateSync(file, gigabyte);
    appendFileSync(file, end);
  };
  const readLock = async () => {
    const { lock } = await openStore(medium).read();
    return lock === null ? [] : parseLock(lock, medium.lockName, owner);
  };
  const message =
    "the lock has 1001 MB, and more than 500 MB are only read in the layout that agentform writes";
  write(medium.lockFile, "{", "\n");
  expect(await readLock()).toMatchObject([{ code: "lock-damaged", message }]);
  write(medium.lockFile, '{\n  "resources": {\n    "agent:a": {\n', "\n    }\n  }\n}\n");
  expect(await readLock()).toMatchObject([{ code: "lock-damaged", message }]);
  write(medium.lockFile, "{\n<<<<<<< HEAD\n", "\n>>>>>>> theirs\n");
  expect(await readLock()).toMatchObject([{ code: "lock-conflict" }]);
  rmSync(medium.lockFile);
  write(medium.journalFile, "0123456789abcdef {", "}\n");
  const { journal } = await openStore(medium).read();
  expect(journal && parseJournal(journal, "journal")).toMatchObject([
    { code: "journal-damaged", message: "line 1 of the journal is damaged" },
  ]);
});
