import { expect, test } from "vitest";
import type { StoredState, WritableState } from "../../src/core/state/lock-store.js";
import { parseLock } from "../../src/core/state/lock.js";
import { recover } from "../../src/store/recovery.js";

const owner = { workspace: "desk", environment: null };

test("a journal whose first line was never written leaves a lock that the next command can read", async () => {
  let stored: StoredState = { version: null, lock: null, journal: "", holder: null };
  const store = {
    lockName: "agentform.lock",
    journalName: "agentform.lock.journal",
    read: async () => stored,
    replace: async (lock: string) => {
      stored = { ...stored, version: "v1", lock, journal: null };
      return "v1";
    },
  } as Pick<WritableState, "read" | "replace" | "lockName" | "journalName"> as WritableState;
  let names = 0;
  const held = await recover(
    store,
    owner,
    () => `name-${(names += 1)}`,
    async () => [],
  );
  expect(held).toMatchObject({ ok: true });
  expect(parseLock(stored.lock ?? "", "agentform.lock", owner)).toMatchObject({
    ok: true,
    lock: { serial: 1 },
  });
});
