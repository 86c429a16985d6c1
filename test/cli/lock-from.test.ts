import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../../src/cli/main.js";
import { emptyLock, type Lock } from "../../src/core/state/lock.js";
import { lockText } from "../harness/lock-text.js";
import { documentText, makeWorkspace, manifest } from "../harness/disk-workspace.js";
import { needProgram } from "../harness/need.js";
import { wholeTest } from "../harness/tier.js";

const title = "State edited by this change";
const lock: Lock = {
  ...emptyLock({ workspace: "test", environment: null }, "lineage"),
  serial: 1,
  writes: "w1",
  resources: { "agent:support": { id: "a1", body: { name: "Support" }, digest: "d" } },
};
const withId = (id: string): Lock => ({
  ...lock,
  serial: 2,
  writes: "w2 w1",
  resources: { "agent:support": { id, body: { name: "Support" }, digest: "d" } },
});
const withRetired = (id: string, from: Lock = lock): Lock => ({
  ...from,
  retired: { [id]: { address: "agent:old", reason: "forgotten", body: {} } },
});

function desk(lockText: string | null, manifestText = manifest) {
  needProgram("git");
  const made = makeWorkspace({
    "agentform.yaml": manifestText,
    "agents/support.yaml": documentText("Agent", "support", { name: "Support" }),
    ...(lockText !== null && { "agentform.lock": lockText }),
  });
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
      cwd: made.directory,
      encoding: "utf8",
      stdio: "pipe",
    });
  const commit = (message: string) => {
    git("add", "--all", "--force");
    git("commit", "--quiet", "--allow-empty", "-m", message);
  };
  git("init", "--quiet", "--initial-branch=main");
  commit("begin");
  const run = async (...args: readonly string[]) => {
    let [out, err] = ["", ""];
    const code = await main(args, {
      env: { AGENT_API_KEY: "key" },
      cwd: made.directory,
      isTerminal: false,
      canAsk: false,
      showsProgress: false,
      out: (text) => void (out += text),
      err: (text) => void (err += text),
    });
    return { code, out, err };
  };
  const plan = async (...args: readonly string[]) => await run("plan", ...args);
  return { ...made, git, commit, run, plan };
}

wholeTest("a branch that is behind edits nothing, and is planned with the newer state", async () => {
  const { git, commit, plan, write } = desk(lockText(lock));
  git("checkout", "--quiet", "-b", "change");
  git("checkout", "--quiet", "main");
  write({ "agentform.lock": lockText(withId("a2")) });
  commit("applied");
  git("checkout", "--quiet", "change");
  const { code, out } = await plan("--lock-from", "main", "--resend", "agent:support");
  expect(code).toBe(0);
  expect(out).not.toContain(title);
  expect(out).toContain("agentform.lock of main");

  write({ "agentform.lock": lockText(withRetired("gone")) });
  const edited = await plan("--lock-from", "main", "--detailed-exitcode");
  expect(edited.code).toBe(2);
  expect(edited.out).toContain("+ gone  retired object of agent:old, added");
  expect(edited.out.replace(/^Digest: .*$/m, "")).not.toContain("a1");
});

test("an edit of the lock that was not reviewed changes the digest, and what was reviewed is not applied", async () => {
  const { plan, run, write } = desk(lockText(lock));
  const from = ["--lock-from", "main", "--format", "json"];
  const digestIn = (out: string) => (JSON.parse(out) as { digest: string }).digest;
  const reviewed = digestIn((await plan(...from)).out);
  write({ "agentform.lock": lockText(withId("a2")) });
  const edited = await plan(...from);
  expect(digestIn(edited.out)).not.toBe(reviewed);
  const { code, err } = await run("apply", "--yes", "--lock-from", "main", "--expect", reviewed);
  expect([code, err]).toEqual([4, expect.stringContaining(digestIn(edited.out))]);
});

test("an edit of what the base has changed too is an error that names it", async () => {
  const { git, commit, plan, write } = desk(lockText(lock));
  git("checkout", "--quiet", "-b", "change");
  write({ "agentform.lock": lockText(withId("mine")) });
  commit("edit");
  git("checkout", "--quiet", "main");
  write({ "agentform.lock": lockText(withId("theirs")) });
  commit("applied");
  git("checkout", "--quiet", "change");
  const { code, err } = await plan("--lock-from", "main");
  expect(code).toBe(1);
  expect(err).toContain("lock-conflict");
  expect(err).toContain("were both edited at agent:support");
});

test("a change that was merged into the base is no edit of whoever has the base", async () => {
  const { git, commit, plan, write } = desk(lockText(lock));
  git("checkout", "--quiet", "-b", "main-newer");
  write({ "agentform.lock": lockText(withId("a2")) });
  commit("applied");
  git("checkout", "--quiet", "main");
  // As a job has it that runs for an older commit with the newest state.
  write({ "agentform.lock": lockText(withId("a2")) });
  const { out } = await plan("--lock-from", "main-newer");
  expect(out).not.toContain(title);
});

wholeTest("where the histories have nothing in common, every difference is an edit", async () => {
  const { git, commit, plan, write } = desk(lockText(lock));
  git("checkout", "--quiet", "--orphan", "other");
  write({ "agentform.lock": lockText(withId("a2")) });
  commit("other");
  const { out } = await plan("--lock-from", "main");
  expect(out).toContain("~ id: a1 → a2");
});

wholeTest("a lock that cannot be read in the working tree is an error, whatever the base has", async () => {
  const { plan, write } = desk(lockText(lock));
  write({ "agentform.lock": "{" });
  const { code, err } = await plan("--lock-from", "HEAD");
  expect([code, err]).toEqual([1, expect.stringContaining("lock-damaged")]);
});

test("a store of another medium and the emulator have no lock to compare", async () => {
  const { plan } = desk(null, `${manifest}  lock: {store: git}\n`);
  const refused = await plan("--lock-from", "HEAD");
  expect([refused.code, refused.err]).toEqual([64, expect.stringContaining("on a separate ref")]);
  const emulated = await plan("--lock-from", "HEAD", "--emulator");
  expect([emulated.code, emulated.err]).toEqual([64, expect.stringContaining("--emulator")]);
});

wholeTest(
  "a folder that git has moved has the state that it had, and only what was edited in it is shown",
  async () => {
    const { git, commit, plan, write, directory } = desk(lockText(lock));
    mkdirSync(join(directory, "moved"));
    git("mv", "agentform.yaml", "agentform.lock", "agents", "moved");
    expect((await plan("-C", "moved", "--lock-from", "main")).out).not.toContain(title);
    git("checkout", "--quiet", "-b", "change");
    commit("move");
    expect((await plan("-C", "moved", "--lock-from", "main")).out).not.toContain(title);
    write({ "moved/agentform.lock": lockText(withId("a2")) });
    commit("edit");
    const { out } = await plan("-C", "moved", "--lock-from", "main");
    expect(out).toContain("The change edits the state in 2 places");
    expect(out).toContain("~ agent:support  managed object, changed");
    write({ "agentform.lock": lockText(lock) });
    commit("copy");
    expect((await plan("-C", "moved", "--lock-from", "main")).out).toContain(
      "+ agent:support  managed object, added",
    );
  },
);

wholeTest(
  "the state of a workspace that is gone is not that of another one which looks like it",
  async () => {
    const { git, commit, plan, write, directory } = desk(lockText(lock));
    mkdirSync(join(directory, "other"));
    git("mv", "agentform.yaml", "agentform.lock", "agents", "other");
    write({
      "other/agentform.yaml": manifest.replace("name: test", "name: other"),
      "other/agentform.lock": lockText({ ...lock, workspace: "other" }),
    });
    commit("another");
    git("checkout", "--quiet", "-b", "change");
    git("branch", "--quiet", "--force", "main", "HEAD^");
    const { code, out } = await plan("-C", "other", "--lock-from", "main");
    expect([code, out]).toEqual([0, expect.stringContaining("+ agent:support  managed object, added")]);
  },
);

test("a new workspace with the name of one that is gone begins without a state", async () => {
  const { git, commit, plan, directory } = desk(lockText(lock));
  git("checkout", "--quiet", "-b", "change");
  mkdirSync(join(directory, "other"));
  git("mv", "agentform.yaml", "agents", "other");
  git("rm", "--quiet", "agentform.lock");
  commit("begin anew");
  const { code, out } = await plan("-C", "other", "--lock-from", "main");
  expect([code, out]).toEqual([0, expect.not.stringContaining(title)]);
});

wholeTest(
  "a change that renames the workspace, and moves its state to the new name, is compared with that of the old",
  async () => {
    const { git, run, plan, write } = desk(lockText(lock));
    write({ "agentform.yaml": manifest.replace("name: test", "name: office") });
    expect((await run("lock", "move", "--from-workspace", "test")).code).toBe(0);
    git("commit", "--quiet", "--all", "-m", "rename");
    const renamed = await plan("--lock-from", "HEAD~1");
    expect(renamed.code, renamed.err).toBe(0);
    expect(renamed.out).not.toContain("to create");
  },
);
