import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { StoreChangedError, StoreFailedError, StoreHeldError } from "../../src/core/state/lock-store.js";
import { GitRef } from "../../src/store/git/git-ref.js";
import { readRemoteRefs } from "../../src/store/git/state-refs.js";
import { runs, wholeTest } from "../harness/tier.js";
import { describeLockStore } from "./conformance.js";
import { fetchState, git, gitCallsOf, makeGitMedium, openGitStore, ref } from "./git-medium.js";

const openPair = async () => {
  const directory = makeGitMedium().clone("runner");
  return { store: openGitStore(directory), second: openGitStore(directory) };
};
describeLockStore("the git store", openPair, "some");

const rounds = runs("rounds of two clones", 1, 12);
const mostWrites = runs("writes of three clones", 2, 8);

test("of two clones that ask at the same moment exactly one gets it, every time", async () => {
  const medium = makeGitMedium();
  const stores = ["a", "b"].map((name) => openGitStore(medium.clone(name)));
  for (let round = 1; round <= rounds; round++) {
    const outcomes = await Promise.allSettled(
      stores.map(async (store, index) => {
        await sleep(Math.random() * 20 * index);
        await store.acquire();
      }),
    );
    const ways = outcomes.map((one) => (one.status === "fulfilled" ? "in" : (one.reason as Error).name));
    expect(ways.toSorted(), `round ${round}`).toEqual(["StoreHeldError", "in"]);
    await stores[ways.indexOf("in")]?.release();
  }
});

wholeTest("who asks while the push of another is under way waits for it, however long it takes", async () => {
  const medium = makeGitMedium();
  const stores = ["a", "b"].map((name) => openGitStore(medium.clone(name)));
  const hook = (name: string, script: string) =>
    writeFileSync(join(medium.remote, "hooks", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const tries = join(medium.folder, "tries");
  hook("pre-receive", `echo >>'${tries}'`);
  // The one that has locked the ref goes on when the other has tried five times, or never will.
  const wait = `n=0; while [ $(wc -l <'${tries}') -lt 6 ] && [ $n -lt 400 ]; do sleep 0.1; n=$((n + 1)); done`;
  hook("reference-transaction", `[ "$1" != prepared ] || { ${wait}; }`);
  const outcomes = await Promise.allSettled(stores.map((store) => store.acquire()));
  const ways = outcomes.map((one) => (one.status === "fulfilled" ? "in" : (one.reason as Error).name));
  expect(ways.toSorted()).toEqual(["StoreHeldError", "in"]);
});

wholeTest(
  "clones that come and go are never in together, and each follows the lock of the other",
  async () => {
    const medium = makeGitMedium();
    let [inside, writes] = [0, 0];
    const work = async (name: string): Promise<void> => {
      const store = openGitStore(medium.clone(name));
      while (writes < mostWrites) {
        const isIn = await store.acquire().then(
          () => true,
          (thrown: unknown) => {
            if (thrown instanceof StoreHeldError) return false;
            throw thrown;
          },
        );
        if (!isIn) {
          await sleep(Math.random() * 60);
          continue;
        }
        expect(++inside).toBe(1);
        const { lock, version } = await store.read();
        expect(lock ?? "0").toBe(String(writes));
        writes++;
        await store.replace(String(writes), version);
        inside--;
        await store.release();
        await sleep(Math.random() * 60);
      }
    };
    await Promise.all([work("a"), work("b"), work("c")]);
    expect(git(medium.remote, "show", `${ref}:lock.json`)).toBe(String(writes));
  },
);

test("a ref below the name of the state's is not the state", async () => {
  const directory = makeGitMedium().clone("desk");
  const below = openGitStore(directory, { ref: `${ref}/below` });
  await below.acquire();
  await below.replace("theirs\n", null);
  await below.release();
  expect(await openGitStore(directory).read()).toMatchObject({ version: null, lock: null });
});

test("this machine's ref follows the remote's, whatever another process or person does to it meanwhile", async () => {
  const directory = makeGitMedium().clone("one");
  const [first = "", second = "", third = ""] = ["first", "second", "third"].map((name) => {
    git(directory, "commit", "-q", "--allow-empty", "-m", name);
    return git(directory, "rev-parse", "HEAD");
  });
  const own = new GitRef(directory, ref, "origin");
  const followed = async (present: string | null, seen: string | null) => {
    git(directory, "update-ref", ...(present === null ? ["-d", ref] : [ref, present]));
    await own.follow(second, seen);
    return git(directory, "rev-parse", ref);
  };
  expect(await followed(third, first)).toBe(third);
  expect(await followed(third, null)).toBe(third);
  for (const present of [second, first, null])
    for (const seen of [first, null]) expect(await followed(present, seen)).toBe(second);
});

test("reading asks the remote once, and then shows what this machine has, until that is fetched anew", async () => {
  const medium = makeGitMedium();
  const [directory, reader] = [medium.clone("runner"), medium.clone("reader")];
  const store = openGitStore(directory);
  const other = openGitStore(reader);
  const address = git(reader, "remote", "get-url", "origin");
  const unreachable = () => git(reader, "remote", "set-url", "origin", "/nowhere");
  unreachable();
  await expect(other.read()).rejects.toMatchObject({
    name: "StoreFailedError",
    message: expect.stringContaining("so whether anything was applied is not known: the remote `origin`"),
  });
  git(reader, "remote", "set-url", "origin", address);
  const empty = { version: null, lock: null, journal: null, holder: null };
  expect(await other.read()).toEqual(empty);
  await store.acquire();
  const version = await store.replace("one\n", null);
  const read = { version, lock: "one\n", holder: { pid: process.pid } };
  expect(await other.read()).toMatchObject(read);
  unreachable();
  expect(await other.read()).toMatchObject(read);
  git(reader, "remote", "set-url", "origin", address);
  await store.replace("two\n", version);
  expect(await other.read()).toMatchObject(read);
  fetchState(reader);
  expect(await other.read()).toMatchObject({ lock: "two\n" });
});

test("a store reads a commit once, and what is here is not fetched", async () => {
  const medium = makeGitMedium();
  const directory = medium.clone("desk");
  const store = openGitStore(directory);
  await store.acquire();
  await store.replace("one\n", null);
  await store.release();
  const calls = async (run: () => Promise<unknown>) => (await gitCallsOf(run)).join("\n");
  expect((await calls(() => store.read())).match(/ ls-tree /g)).toHaveLength(1);
  expect(await calls(() => store.read())).not.toContain(" ls-tree ");
  const ofRemote = (clone: string) => calls(() => readRemoteRefs(clone, "origin", 60_000));
  expect(await ofRemote(directory)).not.toContain(" fetch ");
  const fresh = medium.clone("fresh");
  expect((await ofRemote(fresh)).match(/ fetch /g)).toHaveLength(1);
  expect(await readRemoteRefs(fresh, "origin", 60_000)).toMatchObject([{ where: ref, lock: "one\n" }]);
});

test("reading asks the remote again where the first apply was seen, but not its lock", async () => {
  const medium = makeGitMedium();
  const [store, other] = [openGitStore(medium.clone("runner")), openGitStore(medium.clone("reader"))];
  await store.acquire();
  await expect(other.acquire()).rejects.toMatchObject({ name: "StoreHeldError" });
  await store.replace("one\n", null);
  await store.release();
  expect(await other.read()).toMatchObject({ lock: "one\n", holder: null });
});

wholeTest("unlocking takes the store from its holder by the nonce alone, from any clone", async () => {
  const medium = makeGitMedium();
  const [first, second] = [openGitStore(medium.clone("a")), openGitStore(medium.clone("b"))];
  expect(await second.unlock("0123456789abcdef")).toBe(false);
  await first.acquire();
  const nonce = (await first.read()).holder?.nonce ?? "";
  expect(await second.unlock("0123456789abcdef")).toBe(false);
  await expect(second.acquire()).rejects.toThrow(StoreHeldError);
  expect(await second.unlock(nonce)).toBe(true);
  await second.acquire();
  await expect(first.replace("one\n", null)).rejects.toThrow(StoreChangedError);
  await first.release();
  expect((await second.read()).holder?.nonce).not.toBe(nonce);
  expect(git(medium.remote, "log", "-3", "--format=%s", ref)).toBe(`acquire\nunlock ${nonce}\nacquire`);
});

wholeTest("a holder that nobody can read is held, and goes by the nonce that it is told with", async () => {
  const medium = makeGitMedium();
  const directory = medium.clone("a");
  const blob = git(directory, "hash-object", "-w", "--stdin");
  const tree = git(directory, "hash-object", "-t", "tree", "-w", "/dev/null");
  expect([blob, tree].every((each) => /^[0-9a-f]{40}$/.test(each))).toBe(true);
  const commit = git(directory, "commit-tree", "-m", "odd", writeTree(directory, blob));
  git(directory, "push", "-q", "origin", `${commit}:${ref}`);
  const store = openGitStore(directory);
  const refusal = await store.acquire().catch((thrown: unknown) => thrown);
  expect(refusal).toBeInstanceOf(StoreHeldError);
  const { nonce } = (refusal as StoreHeldError).holder;
  expect(nonce).toMatch(/^unreadable-/);
  expect(await store.unlock(nonce)).toBe(true);
  await store.acquire();
});

test("a ref that is gone from the remote, or was set back, is not taken for a first apply", async () => {
  const medium = makeGitMedium();
  const directory = medium.clone("a");
  const store = openGitStore(directory);
  await store.acquire();
  await store.replace("one\n", null);
  await store.release();
  const before = git(medium.remote, "rev-parse", `${ref}~1`);
  const now = git(medium.remote, "rev-parse", ref);
  git(medium.remote, "update-ref", ref, before);
  await expect(store.acquire()).rejects.toThrow(
    `${ref} of the remote \`origin\` lacks commits that this repository has`,
  );
  git(medium.remote, "update-ref", "-d", ref);
  const refusal = await store.acquire().catch((thrown: unknown) => thrown);
  expect(refusal).toBeInstanceOf(StoreFailedError);
  expect((refusal as Error).message).toContain(`${ref} exists in this repository but not on the remote`);
  expect(git(directory, "rev-parse", ref)).toBe(now);
  git(directory, "push", "-q", "origin", ref);
  await store.acquire();
});

wholeTest(
  "a name that git does not allow, a folder outside git and a missing remote are told in own words",
  async () => {
    const medium = makeGitMedium();
    const directory = medium.clone("a");
    await expect(openGitStore(directory, { ref: "refs/agentform/a..b" }).acquire()).rejects.toThrow(
      "refs/agentform/a..b is not a valid name for a ref in git",
    );
    await expect(openGitStore(medium.folder).read()).rejects.toThrow(
      "the workspace is not in a git repository",
    );
    await expect(openGitStore(directory, { remote: "upstream" }).acquire()).rejects.toThrow(
      "the remote `upstream` is not configured in this repository",
    );
  },
);

wholeTest("a clone that lacks the commit of the state is damaged, not outside of a repository", async () => {
  const medium = makeGitMedium();
  const directory = medium.clone("a");
  const store = openGitStore(directory);
  await store.acquire();
  await store.release();
  const commit = git(directory, "rev-parse", ref);
  rmSync(join(directory, ".git", "objects", commit.slice(0, 2), commit.slice(2)));
  const reading = openGitStore(directory).read();
  await expect(reading).rejects.toThrow(`a part of ${ref} is missing`);
});

function writeTree(directory: string, blob: string): string {
  git(directory, "update-index", "--add", "--cacheinfo", `100644,${blob},holder.json`);
  return git(directory, "write-tree");
}
