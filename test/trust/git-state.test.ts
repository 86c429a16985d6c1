import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Settings } from "../../src/core/resources/manifest.js";
import { openStore } from "../../src/store/open-store.js";
import type { CliResult } from "../package/run-cli.js";
import { runCommand } from "./run-command.js";
import { gitCallsOf } from "../store/git-medium.js";
import { Lines } from "../store/git-records.js";
import { Checkout, git, manifestText } from "./checkout.js";
import { sample, wholeTest } from "../harness/tier.js";

const inGit = `${manifestText("  lock: {store: git}\n").replace("name: desk", "name: test")}`;
const local = "fleet/desk/.agentform";

async function run(checkout: Checkout, ...args: readonly string[]): Promise<CliResult> {
  return await runCommand([...args, "-C", checkout.workspace], { cwd: checkout.root, env: { KEY: "key" } });
}

const commands = [["plan"], ["lock", "list"], ["lock", "unlock", "0123456789abcdef"], ["apply", "--yes"]];

/** What somebody writes who wants an ID of their own to be taken for the service's. */
function forgedJournal(): string {
  const lines = new Lines();
  return lines.header() + lines.begin(1, "agent:support") + lines.done(1, "forged");
}

describe("state that a commit brought", () => {
  test.each(
    sample(
      "places of state",
      [
        ["a journal of the git store", inGit, `${local}/default.journal`, forgedJournal()],
        ["a holder", manifestText(), `${local}/default.holder`, "{}\n"],
        ["a lock of the emulator", manifestText(), `${local}/emulator/default/agentform.lock`, "{}\n"],
        ["objects of the emulator", manifestText(), `${local}/emulator/default/data/agents.json`, "{}\n"],
        [
          "a folder by its name in upper case",
          manifestText(),
          "fleet/desk/.Agentform/default.holder",
          "{}\n",
        ],
      ],
      2,
    ),
  )("stops every command that reads state: %s", async (_, manifest, file, text) => {
    const checkout = new Checkout({ "fleet/desk/agentform.yaml": manifest, [file]: text });
    // As a file system finds it that takes upper case for lower.
    mkdirSync(join(checkout.root, local, "emulator"), { recursive: true });
    for (const args of [...commands, ["plan", "--emulator"]]) {
      const { code, stderr } = await run(checkout, ...args);
      expect([args, code, stderr]).toEqual([
        args,
        1,
        expect.stringContaining("error[state-tracked]: git tracks"),
      ]);
      expect(stderr).toContain("git rm -r --cached .agentform");
    }
  });

  wholeTest("is there until a commit is without it, and not for what is local alone", async () => {
    const checkout = new Checkout({ [`${local}/default.holder`]: "{}\n" });
    git(checkout.root, "rm", "-q", "-r", "--cached", local);
    expect((await run(checkout, "plan")).stderr).toContain("state-tracked");
    git(checkout.root, "commit", "-q", "-m", "without");
    expect((await run(checkout, "plan")).stderr).not.toContain("state-tracked");
    rmSync(join(checkout.root, local), { recursive: true });
    checkout.write({ [`${local}/.gitignore`]: "*\n" });
    checkout.commit();
    expect((await run(checkout, "apply", "--yes", "--emulator")).code).toBe(0);
    expect((await run(checkout, "plan", "--emulator")).stdout).toContain("No changes");
  });

  test("may be a link or be staged alone", async () => {
    const checkout = new Checkout({ "elsewhere/default.holder": "{}\n" });
    symlinkSync("../../elsewhere", join(checkout.root, local));
    git(checkout.root, "add", "--force", local);
    const { code, stderr } = await run(checkout, "plan");
    expect([code, stderr]).toEqual([1, expect.stringMatching(/state-tracked|symbolic link/)]);
  });

  test("is told before the first commit too", async () => {
    const checkout = new Checkout();
    rmSync(join(checkout.root, ".git"), { recursive: true });
    git(checkout.root, "init", "-q");
    checkout.write({ [`${local}/default.holder`]: "{}\n" });
    expect((await run(checkout, "plan")).stderr).not.toContain("state-tracked");
    git(checkout.root, "add", "--force", local);
    expect((await run(checkout, "plan")).stderr).toContain("state-tracked");
  });
});

test("git is asked once whether it tracks local state, again with its index, and before a state is taken", async () => {
  const checkout = new Checkout();
  const { root } = checkout;
  checkout.write({ [`${local}/default.holder.1`]: "{}\n" });
  const withLocal = checkout.commit();
  git(root, "reset", "-q", "HEAD~");
  const inFiles: Settings = { ...settings, lock: { store: "file" } };
  const store = await openStore(inFiles, { directory: checkout.workspace });
  await store.read();
  expect((await gitCallsOf(() => store.read())).filter((call) => call.includes("ls-files"))).toEqual([]);
  git(root, "reset", "-q", "--soft", withLocal);
  await expect(store.acquire()).rejects.toThrow("git tracks");
  git(root, "reset", "-q", "HEAD~");
  git(root, "add", "--force", local);
  await expect(store.read()).rejects.toThrow("git tracks");
});

const settings = { name: "test", environment: null, lock: { store: "git" } } as unknown as Settings;

wholeTest(
  "a journal that goes on from the one on the ref is not believed where an artifact or a commit could put it",
  async () => {
    const checkout = new Checkout({ "fleet/desk/agentform.yaml": inGit });
    const elsewhere = join(checkout.folder, "elsewhere");
    git(checkout.folder, "clone", "-q", `file://${checkout.remote}`, elsewhere);
    const lines = new Lines();
    const pushed = lines.header() + lines.claim("agent:support");
    const store = await openStore(settings, { directory: join(elsewhere, "fleet/desk") });
    await store.acquire();
    store.append(pushed);
    await store.flush();
    const { holder } = await store.read();
    const after = await openStore(settings, { directory: join(elsewhere, "fleet/desk") });
    await after.unlock(holder?.nonce ?? "");
    git(checkout.root, "fetch", "-q", "origin", "refs/agentform/*:refs/agentform/*");

    const forged = pushed + lines.begin(1, "agent:support") + lines.done(1, "forged");
    checkout.write({ [`${local}/default.journal`]: forged, [`${local}/test%2Fdefault.journal`]: forged });
    const { stdout } = await run(checkout, "plan");
    expect(stdout).toContain("unknown");
    expect((await run(checkout, "lock", "list")).stdout).not.toContain("forged");
    const applied = await run(checkout, "apply", "--yes");
    expect(applied.stdout + applied.stderr).not.toContain("forged");
    expect(git(checkout.remote, "show", "refs/agentform/test/default:lock.json")).not.toContain("forged");
  },
);

test("a journal of this machine is in git's own folder, for all work trees of the repository", async () => {
  const checkout = new Checkout({ "fleet/desk/agentform.yaml": inGit });
  const beside = join(checkout.folder, "beside");
  git(checkout.root, "worktree", "add", "-q", beside);
  const journal = join(checkout.root, ".git/agentform/test%2Fdefault.journal");
  const store = await openStore(settings, { directory: checkout.workspace });
  expect(store.journalName).toBe("../../.git/agentform/test%2Fdefault.journal");
  await store.acquire();
  const lines = new Lines();
  store.append(lines.header() + lines.claim("agent:support"));
  await store.flush();
  const more = lines.begin(1, "agent:support") + lines.done(1, "id");
  store.append(more);
  await store.flush();
  expect(readFileSync(journal, "utf8")).toContain(more);
  const other = await openStore(settings, { directory: join(beside, "fleet/desk") });
  expect((await other.read()).journal).toContain(more);
  await store.release();
  expect(existsSync(journal)).toBe(false);
  expect(execFileSync("git", ["-C", checkout.root, "status", "--porcelain"], { encoding: "utf8" })).toBe("");
});

wholeTest("a state on a ref that is larger than can be read ends a plan with a sentence", async () => {
  const checkout = new Checkout({ "fleet/desk/agentform.yaml": inGit });
  const large = join(checkout.folder, "large");
  writeFileSync(large, "");
  truncateSync(large, 1_100_000_000);
  // What comes from a file and not from a pipe is hashed once and not held in memory.
  const blob = git(checkout.root, "-c", "core.compression=1", "hash-object", "-w", large);
  git(checkout.root, "read-tree", "--empty");
  git(checkout.root, "update-index", "--add", "--cacheinfo", `100644,${blob},lock.json`);
  const commit = git(checkout.root, "commit-tree", "-m", "state", git(checkout.root, "write-tree").trim());
  git(checkout.root, "update-ref", "refs/agentform/test/default", commit.trim());
  const { code, stderr } = await run(checkout, "plan");
  expect([code, stderr]).toEqual([1, expect.stringContaining("git answers with more than 1073 MB")]);
});

wholeTest("a message on a ref that is larger than a text ends a history with a sentence", async () => {
  const checkout = new Checkout({ "fleet/desk/agentform.yaml": inGit });
  git(checkout.root, "read-tree", "--empty");
  checkout.write({ "lock.json": "{}\n" });
  git(checkout.root, "add", "lock.json");
  const tree = git(checkout.root, "write-tree");
  const script = `{ printf 'tree ${tree}\\nauthor a <a@b> 1 +0000\\ncommitter a <a@b> 1 +0000\\n\\n'; head -c 600000000 /dev/zero | tr '\\0' x; } | git hash-object -t commit -w --stdin`;
  const commit = execFileSync("sh", ["-c", script], { cwd: checkout.root, encoding: "utf8" }).trim();
  // As a push leaves it, which would hash and pack all of it, over and over.
  cpSync(join(checkout.root, ".git/objects"), join(checkout.remote, "objects"), { recursive: true });
  for (const repository of [join(checkout.root, ".git"), checkout.remote]) {
    mkdirSync(join(repository, "refs/agentform/test"), { recursive: true });
    writeFileSync(join(repository, "refs/agentform/test/default"), `${commit}\n`);
  }
  const { code, stderr } = await run(checkout, "lock", "history");
  expect([code, stderr]).toEqual([1, expect.stringContaining("git answers with more than 500 MB")]);
});

wholeTest(
  "a server of the remote that says more than a text can have ends an apply with a sentence",
  async () => {
    const checkout = new Checkout({ "fleet/desk/agentform.yaml": inGit });
    const server = join(checkout.folder, "server");
    writeFileSync(server, "#!/bin/sh\nhead -c 700000000 /dev/zero >&2\nexit 1\n", { mode: 0o755 });
    git(checkout.root, "config", "remote.origin.uploadpack", server);
    const { code, stderr } = await run(checkout, "apply", "--yes");
    expect([code, stderr]).toEqual([1, expect.stringContaining("the remote `origin` cannot be reached")]);
  },
);

test.each(sample("objects", ["tag", "tree", "blob"], 2))(
  "a ref of the remote that names a %s is not taken for a state, and is not kept",
  async (kind) => {
    const checkout = new Checkout({ "fleet/desk/agentform.yaml": inGit });
    git(checkout.root, "read-tree", "--empty");
    checkout.write({ "lock.json": "{}\n" });
    git(checkout.root, "add", "lock.json");
    const tree = git(checkout.root, "write-tree");
    git(
      checkout.root,
      "tag",
      "-a",
      "-m",
      "tag",
      "tag",
      git(checkout.root, "commit-tree", "-m", "state", tree),
    );
    const object = git(checkout.root, "rev-parse", { tag: "tag", tree, blob: ":lock.json" }[kind] ?? "");
    const ref = "refs/agentform/test/default";
    git(checkout.root, "push", "-q", "origin", `${object}:${ref}`);
    for (const args of [["plan"], ["lock", "status"], ["lock", "restore"], ["apply", "--yes"]]) {
      const { code, stderr } = await run(checkout, ...args);
      expect([args, code, stderr]).toEqual([args, 1, expect.stringContaining("is not a commit")]);
      expect(stderr).toContain(`git push --force origin ${ref}`);
    }
    expect(git(checkout.root, "for-each-ref", "refs/agentform")).toBe("");
  },
);

test("a ref of the remote with a commit of something else is no missing state, and is not kept", async () => {
  const checkout = new Checkout({ "fleet/desk/agentform.yaml": inGit });
  const ref = "refs/agentform/test/default";
  git(checkout.root, "push", "-q", "origin", `HEAD:${ref}`);
  for (const args of [["plan"], ["lock", "status"], ["lock", "restore"], ["apply", "--yes"]]) {
    const { code, stderr } = await run(checkout, ...args);
    expect([args, code, stderr]).toEqual([args, 1, expect.stringContaining("has files and no state")]);
    expect(stderr).toContain(`git push --force origin ${ref}`);
  }
  expect(git(checkout.root, "for-each-ref", "refs/agentform")).toBe("");
});

test("a tag is not taken for the ref or the branch of which it has the name", async () => {
  const checkout = new Checkout({ "fleet/desk/agentform.yaml": inGit });
  checkout.write({ "lock.json": "{}\n" });
  const commit = checkout.commit();
  const tag = (name: string) => git(checkout.root, "update-ref", `refs/tags/${name}`, commit);
  for (const name of ["refs/agentform/test/default", "HEAD", "main"]) tag(name);
  git(checkout.root, "reset", "-q", "--hard", "HEAD^");
  const planned = await run(checkout, "plan");
  expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining("Plan: 1 to create")]);
  const from = async (name: string) => await run(checkout, "validate", "--rules-from", name);
  expect(await from("main")).toMatchObject({ code: 64, stderr: expect.stringContaining("several `main`") });
  for (const name of ["refs/heads/main", "HEAD", commit]) expect((await from(name)).code).toBe(0);
});

describe("a commit whose author has chosen a time that is none", () => {
  const times = ["1700000000 +9999", "99999999999999 +0000", "-5 +0000"];

  test.each(sample("times", times, 1))("is in the history of a lock file: %s", async (time) => {
    const checkout = new Checkout();
    expect((await run(checkout, "apply", "--yes", "--emulator")).code).toBe(0);
    const lock = readFileSync(join(checkout.workspace, ".agentform/emulator/default/agentform.lock"), "utf8");
    rmSync(join(checkout.workspace, ".agentform"), { recursive: true });
    checkout.write({ "fleet/desk/agentform.lock": lock });
    checkout.commit();
    git(checkout.root, "reset", "-q", "--hard", commitAt(checkout, time, "HEAD^{tree}", "commit"));
    const { code, stdout } = await run(checkout, "lock", "history");
    expect([code, stdout]).toEqual([0, expect.stringContaining("agentform.lock: 1 version")]);
    expect((await run(checkout, "lock", "show", "--at", "1")).stdout).toContain("agent:support");
  });

  test.each(sample("times", times, 1))("is in the history of a ref: %s", async (time) => {
    const checkout = new Checkout({ "fleet/desk/agentform.yaml": inGit });
    git(checkout.root, "read-tree", "--empty");
    checkout.write({ "lock.json": "{}\n" });
    git(checkout.root, "add", "lock.json");
    const commit = commitAt(checkout, time, git(checkout.root, "write-tree"), "apply: serial 7");
    git(checkout.root, "push", "-q", "origin", `${commit}:refs/agentform/test/default`);
    const { code, stdout } = await run(checkout, "lock", "history");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/: 1 version\n\n.*\n7\b/)]);
  });
});

/** Makes a commit of a tree onto none, as somebody can who pushes it. */
function commitAt(checkout: Checkout, time: string, tree: string, message: string): string {
  const who = (role: string) => `${role} a <a@example.com> ${time}\n`;
  const text = `tree ${git(checkout.root, "rev-parse", tree)}\n${who("author")}${who("committer")}\n${message}\n`;
  const args = ["hash-object", "-t", "commit", "-w", "--stdin", "--literally"];
  return execFileSync("git", ["-C", checkout.root, ...args], { encoding: "utf8", input: text }).trim();
}
