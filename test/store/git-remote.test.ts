import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer, type AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { StoreChangedError, StoreFailedError } from "../../src/core/state/lock-store.js";
import { certificate, certificateKey } from "../service/certificate.js";
import { dieHolding } from "./git-killing.js";
import { fetchState, git, makeGitMedium, openGitStore, ref, type GitMedium } from "./git-medium.js";
import { Lines, lockOf } from "./git-records.js";
import { wholeTest } from "../harness/tier.js";

/** Has the remote run a script for each push; gives a function that removes it. */
function hook({ remote }: GitMedium, name: string, script: string): () => void {
  const file = join(remote, "hooks", name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return () => rmSync(file);
}

/** Takes the remote away; gives a function that brings it back. */
function takeAway({ remote }: GitMedium): () => void {
  renameSync(remote, `${remote}.away`);
  return () => renameSync(`${remote}.away`, remote);
}

async function failureOf(promise: Promise<unknown>): Promise<string> {
  const thrown = await promise.catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(StoreFailedError);
  return (thrown as Error).message;
}

wholeTest("a remote that refuses pushes is told with its reason, and nothing is held or sent", async () => {
  const medium = makeGitMedium();
  const directory = medium.clone("runner");
  const allow = hook(medium, "pre-receive", "echo secret chatter >&2; exit 1");
  expect(await failureOf(openGitStore(directory).acquire())).toBe(
    `the remote \`origin\` refused the push: pre-receive hook declined, so ${ref} was not changed`,
  );
  expect(spawnSync("git", ["-C", directory, "rev-parse", "-q", "--verify", ref]).status).toBe(1);

  allow();
  const store = openGitStore(directory, { patience: 60_000 });
  await store.acquire();
  hook(medium, "pre-receive", "exit 1");
  store.append(new Lines().header());
  expect(await failureOf(store.flush())).toContain("refused the push: pre-receive hook declined");
});

test("a ref that another one is in the way of is told", async () => {
  const medium = makeGitMedium();
  const directory = medium.clone("runner");
  git(directory, "push", "-q", "origin", `HEAD:${dirname(ref)}`);
  const failure = await openGitStore(directory)
    .acquire()
    .catch((thrown: unknown) => thrown);
  expect(failure).toBeInstanceOf(StoreFailedError);
  expect((failure as StoreFailedError).hint).toContain("git has no ref below another");
});

wholeTest("a ref that a push which died left locked is waited for once, and told", async () => {
  const medium = makeGitMedium();
  const directory = medium.clone("runner");
  const store = openGitStore(directory);
  await store.acquire();
  await store.release();
  const lock = join(medium.remote, `${ref}.lock`);
  writeFileSync(lock, "");
  const failing = openGitStore(directory, { timeout: 1500, patience: 60_000 });
  expect(await failureOf(failing.acquire())).toBe(
    `the remote \`origin\` refused the push: its ${ref} is locked by another push, or by one that died, so ${ref} was not changed`,
  );
  rmSync(lock);
  await failing.acquire();
  await failing.release();
});

wholeTest("a claim that a refusal kept from the remote does not come back with the next apply", async () => {
  const medium = makeGitMedium();
  const directory = medium.clone("runner");
  const store = openGitStore(directory);
  await store.acquire();
  const allow = hook(medium, "pre-receive", "exit 1");
  const lines = new Lines();
  store.append(lines.header() + lines.claim("agent:a"));
  await failureOf(store.flush());
  allow();
  await store.release();
  const next = openGitStore(directory);
  await next.acquire();
  expect((await next.read()).journal).toBeNull();
  expect(existsSync(join(directory, ".agentform/default.journal"))).toBe(false);
});

test("a remote that does not show what was pushed is refused, as where it pushes to a fork", async () => {
  const medium = makeGitMedium();
  const directory = medium.clone("runner");
  const fork = join(medium.folder, "fork.git");
  git(medium.folder, "clone", "-q", "--bare", medium.remote, fork);
  git(directory, "remote", "set-url", "--push", "origin", fork);
  const failure = await failureOf(openGitStore(directory, { patience: 60_000 }).acquire());
  expect(failure).toContain("does not show what was pushed to it");
  expect(git(medium.remote, "for-each-ref", "refs/agentform")).toBe("");
  expect(git(directory, "for-each-ref", "refs/agentform")).toBe("");

  // Two addresses of one repository are common, with `pushInsteadOf`.
  git(directory, "remote", "set-url", "--push", "origin", `file://${medium.remote}`);
  const store = openGitStore(directory);
  await store.acquire();
  await store.replace("one\n", null);
  await store.release();
  expect(await openGitStore(medium.clone("other")).read()).toMatchObject({ lock: "one\n", holder: null });
});

test("a remote that shows a moment later what was pushed is used, as where a replica is read", async () => {
  const medium = makeGitMedium();
  const directory = medium.clone("runner");
  const first = join(medium.folder, "first.git");
  git(medium.folder, "clone", "-q", "--bare", medium.remote, first);
  git(directory, "remote", "set-url", "--push", "origin", first);
  const hook = join(first, "hooks/post-receive");
  const copying = `git push -q '${medium.remote}' '+refs/agentform/*:refs/agentform/*'`;
  writeFileSync(hook, `#!/bin/sh\n(sleep 0.2; ${copying}) >/dev/null 2>&1 &\n`, { mode: 0o755 });
  const store = openGitStore(directory, { patience: 60_000 });
  await store.acquire();
  expect((await openGitStore(medium.clone("other")).read()).holder).not.toBeNull();
  await store.release();
});

test("what somebody else pushes behind a push counts as seen, and is told by the next one", async () => {
  const medium = makeGitMedium();
  const user = "-c user.name=o -c user.email=o@localhost";
  const more = `git ${user} commit-tree -m other -p ${ref} '${ref}^{tree}'`;
  const allow = hook(medium, "post-receive", `git update-ref ${ref} "$(${more})"`);
  const store = openGitStore(medium.clone("runner"));
  await store.acquire();
  allow();
  await expect(store.replace("one\n", null)).rejects.toBeInstanceOf(StoreChangedError);
});

test("a push that arrived though its answer was lost counts as arrived", async () => {
  const medium = makeGitMedium();
  const store = openGitStore(medium.clone("runner"));
  await store.acquire();
  // What serves the push dies as soon as the ref is moved.
  const allow = hook(medium, "reference-transaction", '[ "$1" != committed ] || kill -9 $PPID');
  const version = await store.replace("one\n", null);
  allow();
  expect(await store.read()).toMatchObject({ version, lock: "one\n" });
  expect(git(medium.remote, "log", "--format=%s", ref)).toBe("apply: serial unknown\nacquire");
  await store.release();
});

wholeTest(
  "progress that cannot be pushed does not end an apply: after an interval it waits for the remote",
  async () => {
    const medium = makeGitMedium();
    const store = openGitStore(medium.clone("runner"), { pushInterval: 30, patience: 600_000 });
    await store.acquire();
    const lines = new Lines();
    const start = lines.header() + lines.claim("agent:a");
    store.append(start);
    await store.flush();
    const bringBack = takeAway(medium);
    const more = lines.begin(1, "agent:a") + lines.done(1, "id-a");
    await sleep(300);
    store.append(more);
    await store.flush();
    let isConfirmed = false;
    const confirming = store.confirm(false).then(() => (isConfirmed = true));
    await sleep(300);
    expect(isConfirmed).toBe(false);
    bringBack();
    await confirming;
    await expect.poll(() => `${git(medium.remote, "show", `${ref}:journal`)}\n`).toBe(start + more);
  },
);

wholeTest("a lock is stored as soon as a remote that went away is back within its patience", async () => {
  const medium = makeGitMedium();
  const store = openGitStore(medium.clone("runner"), { patience: 600_000 });
  await store.acquire();
  const bringBack = takeAway(medium);
  const replaced = store.replace("one\n", null);
  await sleep(700);
  bringBack();
  await replaced;
  expect(git(medium.remote, "show", `${ref}:lock.json`)).toBe("one");
});

wholeTest(
  "when the remote stays away, this machine's journal has everything, and its next apply stores it",
  async () => {
    const medium = makeGitMedium();
    const directory = medium.clone("runner");
    const lines = new Lines();
    // Its lock and its release never arrived; the process is gone, its journal is here.
    await dieHolding(directory, [
      [lines.header(), lines.claim("agent:a", "agent:b")],
      [lines.begin(1, "agent:a"), lines.done(1, "id-a")],
    ]);
    const store = openGitStore(directory);
    await store.acquire();
    const { resources, unknown } = lockOf({ ...(await store.read()), holder: null });
    expect(resources).toMatchObject({ "agent:a": { id: "id-a" } });
    expect(unknown).toEqual({});
  },
);

wholeTest("what to do when lock and release do not arrive is said", async () => {
  const medium = makeGitMedium();
  const directory = medium.clone("runner");
  const store = openGitStore(directory, { patience: 500 });
  await store.acquire();
  const nonce = (await store.read()).holder?.nonce ?? "";
  const lines = new Lines();
  store.append(lines.header() + lines.claim("agent:a") + lines.begin(1, "agent:a"));
  await store.flush();
  store.append(lines.done(1, "id-a"));
  await store.flush();
  const bringBack = takeAway(medium);
  const journal = readFileSync(join(directory, ".agentform/default.journal"), "utf8");
  expect(await failureOf(store.replace("one\n", null))).toBe(
    `the remote \`origin\` is not configured in this repository, or its address has no repository, so the new lock is not in ${ref}: .agentform/default.journal has everything, and the next apply in this folder stores it`,
  );
  expect(await failureOf(store.release())).toBe(
    `the remote \`origin\` is not configured in this repository, or its address has no repository, so ${ref} is still held; .agentform/default.journal has everything that was done: the next apply in this folder takes it over, any other needs \`agentform lock unlock ${nonce}\` first`,
  );
  expect(readFileSync(join(directory, ".agentform/default.journal"), "utf8")).toBe(journal);

  bringBack();
  const next = openGitStore(directory);
  expect(await next.unlock(nonce)).toBe(true);
  await next.acquire();
  expect(lockOf({ ...(await next.read()), holder: null }).resources).toMatchObject({
    "agent:a": { id: "id-a" },
  });
});

test("what is wrong with a remote is not read out of the words in its address", async () => {
  const medium = makeGitMedium();
  const directory = medium.clone("runner");
  for (const name of ["plan-403", "our-network-connection", "permission denied"]) {
    git(directory, "remote", "set-url", "origin", join(medium.folder, name));
    expect(await failureOf(openGitStore(directory).acquire())).toBe(
      "the remote `origin` is not configured in this repository, or its address has no repository",
    );
  }
});

test("no message holds the remote's address, for a key may be in it", async () => {
  const directory = makeGitMedium().clone("runner");
  git(directory, "remote", "set-url", "origin", "http://user:sesame@127.0.0.1:9/x.git");
  const message = await failureOf(openGitStore(directory).acquire());
  expect(message).toBe("the remote `origin` cannot be reached");
});

test("a certificate that git does not accept is said, and no lack of a network", async () => {
  const directory = makeGitMedium().clone("runner");
  const server = createHttpsServer({ cert: certificate, key: certificateKey });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  git(directory, "remote", "set-url", "origin", `https://127.0.0.1:${port}/x.git`);
  expect(await failureOf(openGitStore(directory).acquire())).toBe(
    "the remote `origin` has a certificate that git does not accept",
  );
});

wholeTest("a remote that never answers is given up in time", async () => {
  const directory = makeGitMedium().clone("runner");
  const silent = createServer();
  onTestFinished(() => void silent.close());
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo;
  git(directory, "remote", "set-url", "origin", `git://127.0.0.1:${port}/x.git`);
  expect(await failureOf(openGitStore(directory, { timeout: 500 }).acquire())).toBe(
    "the remote `origin` did not answer in time",
  );
});

test("a short answer of something else in front of the remote is no remote without a state, and waited for", async () => {
  const medium = makeGitMedium();
  const directory = medium.clone("runner");
  const proxy = createHttpServer((_request, response) => response.end("OK"));
  onTestFinished(() => void proxy.close());
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  const lead = (url: string) => git(directory, "remote", "set-url", "origin", url);
  const store = openGitStore(directory);
  await store.acquire();
  lead(`http://127.0.0.1:${port}/x.git`);
  expect(await failureOf(store.confirm(true))).toContain("shows no ref at all");
  lead(medium.remote);
  await store.confirm(true);
  await store.release();

  const other = medium.clone("other");
  git(other, "remote", "set-url", "origin", `http://127.0.0.1:${port}/x.git`);
  expect(await failureOf(openGitStore(other).read())).toContain("shows no ref at all");
  git(other, "remote", "set-head", "origin", "--delete");
  git(other, "branch", "-rd", "origin/main");
  expect((await openGitStore(other).read()).lock).toBeNull();
});

wholeTest(
  "an apply leaves nothing of the user's repository changed but the ref, and runs none of its hooks",
  async () => {
    const medium = makeGitMedium();
    const directory = medium.clone("runner");
    writeFileSync(join(directory, "staged"), "staged\n");
    git(directory, "add", "staged");
    writeFileSync(join(directory, "staged"), "changed\n");
    writeFileSync(join(directory, "untracked"), "untracked\n");
    for (const name of ["pre-push", "reference-transaction", "post-checkout", "pre-auto-gc"]) {
      const file = join(directory, ".git/hooks", name);
      writeFileSync(file, `#!/bin/sh\ntouch '${medium.folder}/ran'\nexit 1\n`);
      chmodSync(file, 0o755);
    }
    git(directory, "config", "push.followTags", "true");
    git(directory, "config", "push.gpgSign", "if-asked");
    const look = (): unknown => ({
      files: readdirSync(directory).filter((name) => name !== ".agentform"),
      git: readdirSync(join(directory, ".git")),
      status: git(directory, "status", "--porcelain"),
      index: readFileSync(join(directory, ".git/index"), "base64"),
      head: readFileSync(join(directory, ".git/HEAD"), "utf8"),
      config: readFileSync(join(directory, ".git/config"), "utf8"),
      refs: git(directory, "for-each-ref")
        .split("\n")
        .filter((line) => !line.includes("refs/agentform/")),
      remote: git(medium.remote, "for-each-ref")
        .split("\n")
        .filter((line) => !line.includes("refs/agentform/")),
    });
    const before = look();
    const other = openGitStore(medium.clone("other"));
    await other.acquire();
    await other.replace("one\n", null);
    await other.release();
    const store = openGitStore(directory);
    await store.acquire();
    store.append(new Lines().header());
    await store.flush();
    await store.replace("two\n", (await store.read()).version);
    await store.release();
    expect(look()).toEqual(before);
    expect(existsSync(join(medium.folder, "ran"))).toBe(false);
    expect(git(directory, "for-each-ref", "--format=%(refname)", "refs/agentform")).toBe(ref);
  },
);

test("neither a git identity nor the settings of the one who runs it matter", async () => {
  const medium = makeGitMedium();
  const directory = medium.clone("runner");
  fetchState(directory);
  const [home, author] = [process.env["HOME"], process.env["GIT_AUTHOR_DATE"]];
  process.env["HOME"] = "/nowhere";
  process.env["GIT_DIR"] = "/nowhere";
  try {
    const store = openGitStore(directory);
    await store.acquire();
    await store.release();
  } finally {
    delete process.env["GIT_DIR"];
    process.env["HOME"] = home;
    if (author !== undefined) process.env["GIT_AUTHOR_DATE"] = author;
  }
  expect(git(medium.remote, "log", "-1", "--format=%an %ae %cn", ref)).toBe(
    "agentform agentform@localhost agentform",
  );
});
