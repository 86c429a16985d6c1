import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { startEmulator } from "../../src/emulator/emulator.js";
import { documentText, makeWorkspace, manifest, type DiskWorkspace } from "../harness/disk-workspace.js";
import { needProgram } from "../harness/need.js";
import { startApply } from "./apply-process.js";
import { openGate } from "./gate.js";

function git({ directory }: DiskWorkspace, ...args: readonly string[]): string {
  needProgram("git");
  const author = ["-c", "user.name=author", "-c", "user.email=author@example.com"];
  return execFileSync("git", ["-C", directory, ...author, ...args], { encoding: "utf8", stdio: "pipe" });
}

function commit(workspace: DiskWorkspace): void {
  git(workspace, "add", "--all");
  git(workspace, "commit", "-q", "-m", "change");
}

const agent = (name: string) => ({ [`agents/${name}.yaml`]: documentText("Agent", name, { name }) });
const at = (url: string) => ({ "agentform.yaml": manifest.replaceAll("http://127.0.0.1:1", url) });

/** Makes a clone that has applied nothing, and adds linked work trees to it. */
function makeTrees(url: string, names: readonly string[]): DiskWorkspace[] {
  const first = makeWorkspace({ ".gitignore": ".agentform/\n", ...at(url), ...agent("support") });
  git(first, "init", "-q", "-b", "main");
  commit(first);
  const linked = names.map((name) => {
    const tree = makeWorkspace({});
    rmSync(tree.directory, { recursive: true });
    git(first, "worktree", "add", "-q", tree.directory, "-b", name);
    return tree;
  });
  return [first, ...linked];
}

async function openService() {
  const emulator = await startEmulator({});
  onTestFinished(() => emulator.close());
  return emulator;
}

async function run({ directory }: DiskWorkspace, ...command: readonly string[]) {
  const way = command.length === 0 ? {} : { command, args: [] };
  const { code, stdout, stderr } = await startApply(directory, way).ended;
  return { code, said: `${stdout}${stderr}` };
}

/** Starts an apply of a work tree, and gives it once it stands still with all that it holds. */
async function applyStopped(
  { directory }: DiskWorkspace,
  { directory: first }: DiskWorkspace,
  holders = join(first, ".git/agentform/holders/"),
) {
  const env = { STOP_AFTER: holders };
  const applying = startApply(directory, { preload: "stop-at.mjs", env });
  onTestFinished(() => void applying.child.kill("SIGKILL"));
  await vi.waitFor(() => expect(readdirSync(holders).join("\n")).toMatch(/holder$/m), 60_000);
  return applying;
}

test("applies of a state from several work trees keep apart, and those of another state go on", async () => {
  const [emulator, other] = [await openService(), await openService()];
  const [first, beside, apart] = makeTrees(emulator.url, ["beside", "apart"]) as [
    DiskWorkspace,
    DiskWorkspace,
    DiskWorkspace,
  ];
  apart.write(at(other.url));
  expect((await run(apart)).code).toBe(0);

  const begun = await applyStopped(beside, first);
  const refused = await run(first);
  expect(refused.code).not.toBe(0);
  expect(refused.said).toMatch(
    new RegExp(`held by process ${begun.child.pid} on [^ ]+, in \\.\\./agentform-`),
  );
  expect((await run(first, "lock", "status")).said).toContain(`process ${begun.child.pid} `);
  begun.child.kill("SIGCONT");
  expect((await begun.ended).code).toBe(0);
  commit(beside);
  git(first, "merge", "-q", "beside");

  for (const tree of [first, beside, apart]) tree.write(agent("sales"));
  const dying = await applyStopped(first, first);
  expect((await run(apart)).code).toBe(0);
  expect((await run(beside)).said).toContain(`held by process ${dying.child.pid} `);
  dying.child.kill("SIGKILL");
  await dying.ended;
  expect((await run(beside)).code).toBe(0);
  for (const { objects } of [emulator, other])
    expect(objects().agents.map(({ body }) => body.name)).toEqual(["support", "sales"]);
});

test("the only work tree has no record in git's folder, and is found by one that is added meanwhile", async () => {
  const emulator = await openService();
  const [first] = makeTrees(emulator.url, []) as [DiskWorkspace];
  const applying = await applyStopped(first, first, join(first.directory, ".agentform/"));
  expect(existsSync(join(first.directory, ".git/agentform/holders"))).toBe(false);
  const added = makeWorkspace({});
  rmSync(added.directory, { recursive: true });
  git(first, "worktree", "add", "-q", added.directory, "-b", "added");
  const { code, said } = await run(added);
  expect(code).not.toBe(0);
  expect(said).toMatch(new RegExp(`held by process ${applying.child.pid} on [^ ]+, in \\.\\./agentform-`));
  expect((await run(added, "lock", "status")).said).toContain(`process ${applying.child.pid} `);
  const [, nonce = ""] = /lock unlock ([0-9a-f]+)/.exec(said) ?? [];
  expect((await run(added, "lock", "unlock", nonce)).code).toBe(0);
  applying.child.kill("SIGCONT");
  expect((await applying.ended).code).toBe(4);
  expect((await run(added)).code).toBe(0);
  expect(emulator.objects().agents).toHaveLength(1);
});

test("a hold that is taken away from another work tree ends there, too", async () => {
  const emulator = await openService();
  const [first, beside] = makeTrees(emulator.url, ["beside"]) as [DiskWorkspace, DiskWorkspace];
  const applying = await applyStopped(beside, first);
  const { said } = await run(first);
  const [, nonce = ""] = /lock unlock ([0-9a-f]+)/.exec(said) ?? [];
  expect((await run(first, "lock", "unlock", nonce)).code).toBe(0);
  applying.child.kill("SIGCONT");
  const { code, stderr } = await applying.ended;
  expect(code, stderr).toBe(4);
  expect(stderr).toContain("was unlocked and is no longer held");
  expect((await run(first)).code).toBe(0);
  expect(emulator.objects().agents).toHaveLength(1);
});

test("an apply whose work tree is moved meanwhile sends nothing, and says why", async () => {
  const emulator = await openService();
  const [first, beside] = makeTrees(emulator.url, ["beside"]) as [DiskWorkspace, DiskWorkspace];
  expect((await run(beside)).code).toBe(0);
  beside.write(agent("sales"));
  const applying = await applyStopped(beside, first);
  const moved = { ...beside, directory: join(first.directory, "moved") };
  renameSync(beside.directory, moved.directory);
  git(first, "worktree", "prune");
  applying.child.kill("SIGCONT");
  const { code, stderr } = await applying.ended;
  expect(code, stderr).toBe(1);
  expect(stderr).toContain("the folder does not exist (ENOENT)");
  expect(stderr).toContain("look whether the workspace was moved or removed meanwhile");
  expect(emulator.objects().agents).toHaveLength(1);
});

test.each(["first", "later"])(
  "what a $0 apply began that died in a work tree is not created from others",
  async (which) => {
    const emulator = await openService();
    let kill: (() => void) | undefined;
    const gate = await openGate(emulator.url, (_, stage) => {
      if (stage === "before the answer") kill?.();
      return false;
    });
    onTestFinished(() => gate.close());
    const [first, beside] = makeTrees(gate.url, ["beside"]) as [DiskWorkspace, DiskWorkspace];
    if (which === "later") {
      expect((await run(first)).code).toBe(0);
      commit(first);
      git(beside, "merge", "-q", "main");
      for (const tree of [first, beside]) tree.write(agent("sales"));
    }
    // From each of the two, for git keeps the first one in another way.
    const [dead, living] = which === "first" ? [first, beside] : [beside, first];
    const dying = startApply(dead.directory);
    kill = () => dying.child.kill("SIGKILL");
    await dying.ended;
    kill = undefined;
    expect(existsSync(join(dead.directory, "agentform.lock.journal"))).toBe(true);
    const refused = await run(living);
    expect(refused.code).toBe(1);
    expect(refused.said).toContain("lacks an apply that the journal of the work tree ../agentform-");
    expect(refused.said).toContain("run `agentform apply` there");

    await run(dead);
    const { agents } = emulator.objects();
    const [made] = agents.slice(-1);
    const address = which === "first" ? "agent:support" : "agent:sales";
    const resolved = await run(dead, "lock", "resolve", address, "--adopt", String(made?.id));
    expect(resolved.code, resolved.said).toBe(0);
    commit(dead);
    if (which === "later") git(living, "clean", "-qfd", "agents");
    git(living, "merge", "-q", which === "first" ? "main" : "beside");
    expect((await run(living)).code).toBe(0);
    expect(emulator.objects().agents).toHaveLength(agents.length);
  },
);
