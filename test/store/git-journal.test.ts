import { existsSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { StoreChangedError, StoreHeldError, type LockStore } from "../../src/core/state/lock-store.js";
import { Secret } from "../../src/service/secret.js";
import { findSealKey } from "../../src/store/seal/seal-key.js";
import { SealedStore } from "../../src/store/seal/sealed-store.js";
import { dieHolding } from "./git-killing.js";
import { fetchState, git, makeGitMedium, openGitStore, ref } from "./git-medium.js";
import { accountedLock, Lines, lockOf } from "./git-records.js";
import { textOf } from "../harness/lock-text.js";
import { runs, wholeTest } from "../harness/tier.js";

/** The journal as the remote has it, with the newline that `git` here cuts off. */
function pushed({ remote }: { readonly remote: string }): string {
  return `${git(remote, "show", `${ref}:journal`)}\n`;
}

function subjects({ remote }: { readonly remote: string }): string[] {
  return git(remote, "log", "--reverse", "--format=%s", ref).split("\n");
}

test("header and claim are on the remote before the first flush resolves, a later line is not needed there", async () => {
  const medium = makeGitMedium();
  const store = openGitStore(medium.clone("runner"));
  await store.acquire();
  const lines = new Lines();
  const start = lines.header() + lines.claim("agent:a", "agent:b");
  store.append(start);
  await store.flush();
  expect(pushed(medium)).toBe(start);
  store.append(lines.begin(1, "agent:a"));
  await store.flush();
  expect(pushed(medium)).toBe(start);
  expect(subjects(medium)).toEqual(["acquire", "apply: claim of 2 creates"]);
});

/** Writes a move and then a claim; gives the line of the claim. */
async function claimAfterMove(store: LockStore): Promise<string> {
  await store.acquire();
  const lines = new Lines();
  store.append(lines.header());
  store.append(lines.move("agent:a", "agent:b"));
  await store.flush();
  const claim = lines.claim("agent:c");
  store.append(claim);
  await store.flush();
  return claim;
}

wholeTest("a claim after other lines is on the remote too before its flush resolves", async () => {
  const medium = makeGitMedium();
  const store = openGitStore(medium.clone("runner"));
  const claim = await claimAfterMove(store);
  expect(pushed(medium)).toContain(claim);
  expect(subjects(medium)).toEqual(["acquire", "apply: begin", "apply: claim of 1 create"]);
});

test("a claim after other lines is on the remote before its flush resolves where the state is sealed, too", async () => {
  const medium = makeGitMedium();
  const found = findSealKey("${env:SEAL}", () => new Secret("k".repeat(32)));
  const owner = { workspace: "test", environment: null };
  const store = new SealedStore(openGitStore(medium.clone("runner")), owner, { found, check: "needed" });
  const claim = await claimAfterMove(store);
  expect(pushed(medium)).toContain(claim.trimEnd());
  expect(subjects(medium)).toEqual(["acquire", "apply: begin", "apply: claim of 1 create"]);
});

wholeTest("progress is pushed in the background, some flushes to a push", async () => {
  const medium = makeGitMedium();
  const store = openGitStore(medium.clone("runner"), { pushInterval: 600_000 });
  await store.acquire();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const lines = new Lines();
  let all = "";
  for (let n = 0; n < 20; n++) {
    const line = n === 0 ? lines.header() : lines.begin(n, `agent:a${n}`);
    all += line;
    store.append(line);
    await store.flush();
  }
  expect(subjects(medium)).toEqual(["acquire", "apply: begin"]);
  vi.advanceTimersByTime(600_000);
  vi.useRealTimers();
  await expect.poll(() => pushed(medium)).toBe(all);
  expect(subjects(medium)).toEqual(["acquire", "apply: begin", "apply: progress"]);
});

wholeTest("after an unlock the next flush tells, and what was written here is kept", async () => {
  const medium = makeGitMedium();
  const directory = medium.clone("runner");
  const store = openGitStore(directory, { pushInterval: 20 });
  await store.acquire();
  const lines = new Lines();
  const all = [lines.header(), lines.begin(1, "agent:a"), lines.done(1, "id-a")];
  store.append(all[0] ?? "");
  await store.flush();
  const other = openGitStore(medium.clone("other"));
  expect(await other.unlock((await store.read()).holder?.nonce ?? "")).toBe(true);
  store.append(all[1] ?? "");
  await store.flush().catch(() => undefined);
  await expect
    .poll(() =>
      store.flush().then(
        () => "fine",
        (thrown: unknown) => thrown,
      ),
    )
    .toBeInstanceOf(StoreChangedError);
  store.append(all[2] ?? "");
  await expect(store.flush()).rejects.toThrow(StoreChangedError);
  await store.release();

  const next = openGitStore(directory);
  await next.acquire();
  // Who knows that it has lost the ref writes nothing more.
  const kept = all.slice(0, 2).join("");
  expect(await next.read()).toMatchObject({ journal: kept });
  expect(pushed(medium)).toBe(kept);
});

wholeTest(
  "a runner that is gone with its folder: held, unlocked, and its claims are accounted for",
  async () => {
    const medium = makeGitMedium();
    const directory = medium.clone("runner");
    const lines = new Lines();
    const start = lines.header() + lines.claim("agent:a", "agent:b", "agent:c");
    const more = lines.begin(1, "agent:a") + lines.done(1, "id-a") + lines.begin(2, "agent:b");
    const runner = openGitStore(directory, { pushInterval: 20 });
    await runner.acquire();
    runner.append(start);
    await runner.flush();
    runner.append(more);
    await runner.flush();
    await expect.poll(() => pushed(medium)).toBe(start + more);
    // In one step, for git may still be writing in it.
    renameSync(directory, `${directory}.gone`);

    const clone = medium.clone("other");
    const other = openGitStore(clone);
    const refusal = await other.acquire().catch((thrown: unknown) => thrown);
    expect(refusal).toBeInstanceOf(StoreHeldError);
    expect(await openGitStore(clone).unlock((refusal as StoreHeldError).holder.nonce)).toBe(true);

    const third = medium.clone("third");
    fetchState(third);
    const stored = await openGitStore(third).read();
    expect(stored.holder).toBeNull();
    const { resources, unknown } = lockOf(stored);
    expect(resources["agent:a"]).toMatchObject({ id: "id-a" });
    expect(Object.keys(resources)).toEqual(["agent:a"]);
    expect(Object.keys(unknown).toSorted()).toEqual(["agent:b", "agent:c"]);
    expect(unknown["agent:c"]?.message).toBe("the apply ended before it recorded whether this was sent");
  },
);

wholeTest(
  "a runner killed on this machine is taken over, and its own journal tells more than what it pushed",
  async () => {
    const medium = makeGitMedium();
    const directory = medium.clone("runner");
    const lines = new Lines();
    const start = lines.header() + lines.claim("agent:a", "agent:b", "agent:c");
    const more = lines.begin(1, "agent:a") + lines.done(1, "id-a") + lines.begin(2, "agent:b");
    await dieHolding(directory, [[start], [more]]);
    expect(pushed(medium)).toBe(start);
    await expect(openGitStore(medium.clone("other")).acquire()).rejects.toThrow(StoreHeldError);

    const store = openGitStore(directory);
    expect((await store.read()).holder).toMatchObject({ life: "dead" });
    await store.acquire();
    expect(pushed(medium)).toBe(start + more);
    const { holder: _holder, ...stored } = await store.read();
    const { resources, unknown } = lockOf({ ...stored, holder: null });
    expect(resources["agent:a"]).toMatchObject({ id: "id-a" });
    // It never began, and here that is certain.
    expect(Object.keys(unknown)).toEqual(["agent:b"]);
    await store.replace("{}\n", null);
    await store.release();
    expect(readdirSync(join(directory, ".agentform"))).toEqual([".gitignore"]);
  },
);

wholeTest("a runner killed before it claimed anything leaves nothing to unlock on its machine", async () => {
  const medium = makeGitMedium();
  const directory = medium.clone("runner");
  await dieHolding(directory, []);
  await openGitStore(medium.clone("other")).acquire();
});

wholeTest(
  "a journal that another machine has accounted for is kept aside, and the lock of the other stands",
  async () => {
    const medium = makeGitMedium();
    const directory = medium.clone("runner");
    const lines = new Lines();
    await dieHolding(directory, [[lines.header(), lines.claim("agent:a")], [lines.begin(1, "agent:a")]]);
    const other = openGitStore(medium.clone("other"));
    fetchState(directory);
    expect(await other.unlock((await openGitStore(directory).read()).holder?.nonce ?? "")).toBe(true);
    await other.acquire();
    await other.replace(accountedLock, null);
    await other.release();

    const store = openGitStore(directory);
    await store.acquire();
    expect(await store.read()).toMatchObject({ lock: accountedLock, journal: null });
    store.append("mine\n");
    await store.flush();
    const files = readdirSync(join(directory, ".agentform")).toSorted();
    expect(files).toEqual([
      ".gitignore",
      "default.journal",
      expect.stringMatching(/^default\.journal\.[0-9a-f]{8}\.old$/),
    ]);
  },
);

wholeTest("what an apply leaves that gives the store back without a lock is all on the remote", async () => {
  const medium = makeGitMedium();
  const directory = medium.clone("runner");
  const store = openGitStore(directory);
  await store.acquire();
  const lines = new Lines();
  store.append(lines.header() + lines.claim("agent:a", "agent:b"));
  await store.flush();
  store.append(lines.begin(1, "agent:a") + lines.done(1, "id-a") + lines.unsent());
  await store.flush();
  await store.release();
  expect(existsSync(join(directory, ".agentform/default.journal"))).toBe(false);
  const clone = medium.clone("other");
  fetchState(clone);
  const { resources, unknown } = lockOf(await openGitStore(clone).read());
  expect(resources["agent:a"]).toMatchObject({ id: "id-a" });
  expect(unknown).toEqual({});
});

test("who reads while an apply ends sees its last line or its lock, never neither", async () => {
  const rounds = runs("rounds of an apply", 1, 15);
  const directory = makeGitMedium().clone("runner");
  const [store, reader] = [openGitStore(directory), openGitStore(directory)];
  const over = new AbortController();
  let flushed = -1;
  const watch = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const least = flushed;
      const { lock, journal } = await reader.read();
      const seen = textOf(journal).includes(`last of ${least}\n`) || Number(lock ?? "-1") >= least;
      expect(seen, `after round ${least}: lock ${lock}, journal ${journal}`).toBe(true);
    }
  };
  const watching = Promise.all([watch(), watch()]);
  await store.acquire();
  let version: string | null = null;
  for (let round = 0; round < rounds; round++) {
    store.append(`first of ${round}\n`);
    await store.flush();
    store.append(`last of ${round}\n`);
    await store.flush();
    flushed = round;
    version = await store.replace(String(round), version);
  }
  over.abort();
  await watching;
});
