import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sample, wholeTest } from "../harness/tier.js";
import { runCli } from "../package/run-cli.js";
import { runCommand } from "./run-command.js";
import { agentText, Checkout, git, manifestText } from "./checkout.js";

const attributes = "* filter=evil diff=evil merge=evil\n";
const commands: readonly (readonly string[])[] = [
  ["validate", "--format", "github"],
  ["plan"],
  ["plan", "--changed-since", "HEAD"],
  ["plan", "--lock-from", "HEAD"],
  ["lock", "list"],
  ["lock", "unlock", "0123456789abcdef"],
  ["graph"],
];

async function runAll(checkout: Checkout, cwd = checkout.root): Promise<void> {
  for (const args of commands) {
    const { code, stderr } = await runCommand([...args, "-C", checkout.workspace], { cwd });
    expect([args, code, stderr], stderr).not.toEqual([args, 70, stderr]);
    expect([args, checkout.ran()]).toEqual([args, []]);
  }
  await runCommand(["init", checkout.workspace, "--ci", "github"], { cwd });
  expect(checkout.ran()).toEqual([]);
}

test.each(sample("repositories", ["file", "git"], 1))(
  "with a %s store, a workspace that is a repository for git is only a folder, and nothing that it names is run",
  async (store) => {
    const checkout = new Checkout({
      "fleet/desk/agentform.yaml": manifestText(`  lock: {store: ${store}}\n`),
    });
    checkout.write({ "fleet/desk/.gitattributes": attributes });
    checkout.plantRepository("fleet/desk");
    // The attack is one: git itself obeys the folder.
    for (const args of [["status"], ["rev-parse", "--verify", "HEAD^{commit}"], ["diff", "HEAD"]]) {
      spawnSync("git", args, { cwd: checkout.workspace });
    }
    expect(checkout.ran()).toEqual(expect.arrayContaining(["included-fsmonitor", "uploadpack"]));
    checkout.forget();
    for (const cwd of sample("folders to run in", [checkout.workspace, checkout.root], 1)) {
      await runAll(checkout, cwd);
    }
  },
);

wholeTest("without any repository around it, it is in none", async () => {
  const checkout = new Checkout();
  checkout.plantRepository("fleet/desk");
  renameSync(join(checkout.root, ".git"), join(checkout.folder, "kept"));
  await runAll(checkout, checkout.workspace);
  const { code, stderr } = await runCommand(["plan", "--changed-since", "HEAD"], { cwd: checkout.workspace });
  expect([code, stderr]).toEqual([64, expect.stringContaining("is not in a git repository")]);
});

test.each(sample("repositories", ["gitdir: .\n", "gitdir: evil\n", "gitdir: ../evil\n"], 1))(
  "a .git file that an archive brought leads nowhere: %s",
  async (text) => {
    const checkout = new Checkout();
    for (const folder of ["fleet/desk", "fleet/desk/evil", "fleet/evil"]) checkout.plantRepository(folder);
    writeFileSync(join(checkout.workspace, ".git"), text);
    await runAll(checkout);
    const { code } = await runCommand(["plan", "--changed-since", "HEAD"], { cwd: checkout.workspace });
    expect(code).not.toBe(0);
  },
);

wholeTest("what a checkout's own configuration names is not run for what is only read", async () => {
  const checkout = new Checkout();
  checkout.write({ "fleet/desk/.gitattributes": attributes, ".gitattributes": attributes });
  checkout.commit();
  checkout.write({
    "fleet/desk/agents/support.yaml": agentText(),
    "fleet/desk/agents/other.yaml": agentText("other"),
  });
  appendFileSync(join(checkout.root, ".git/config"), checkout.hostileConfig());
  await runAll(checkout);
  const { stdout } = await runCommand(["plan", "--changed-since", "HEAD"], { cwd: checkout.workspace });
  expect(stdout).toContain("agent:other");
  expect(stdout).not.toContain("agent:support");
  expect(checkout.ran()).toEqual([]);
});

wholeTest("objects that a checkout lacks are not fetched with the program that it names", async () => {
  const checkout = new Checkout();
  const first = git(checkout.root, "rev-parse", "HEAD");
  checkout.write({ "fleet/desk/agents/support.yaml": agentText("renamed") });
  checkout.commit();
  appendFileSync(join(checkout.root, ".git/config"), checkout.hostileConfig());
  const tree = execFileSync("git", ["-C", checkout.remote, "rev-parse", `${first}^{tree}`], {
    encoding: "utf8",
  });
  const object = join(checkout.root, ".git/objects", tree.slice(0, 2), tree.trim().slice(2));
  renameSync(object, join(checkout.folder, "object"));
  const since = await runCommand(["plan", "--changed-since", first], { cwd: checkout.workspace });
  const from = await runCommand(["plan", "--lock-from", first], { cwd: checkout.workspace });
  expect([since.code, from.code]).toEqual([64, 64]);
  expect(checkout.ran()).toEqual([]);
});

describe("the remote that a manifest names", () => {
  test.each(
    sample(
      "repositories",
      [
        ["an address that is a command", (canary: string) => `ext::${canary}`, "document-invalid"],
        [
          "a folder that the commit brought",
          () => "evil",
          "the remote `evil` is not configured in this repository",
        ],
        ["a folder by its way", () => "./evil", "document-invalid"],
        ["an option", (canary: string) => `--upload-pack=${canary}`, "document-invalid"],
        ["the repository itself", () => ".", "document-invalid"],
      ],
      2,
    ),
  )("is not %s", async (_, remoteOf, message) => {
    const checkout = new Checkout();
    const remote = remoteOf(checkout.canary("remote"));
    checkout.write({
      "fleet/desk/agentform.yaml": manifestText(`  lock: ${JSON.stringify({ store: "git", remote })}\n`),
    });
    for (const folder of [checkout.root, checkout.workspace]) {
      git(folder, "init", "-q", "--bare", "evil");
      mkdirSync(join(folder, "evil/hooks"), { recursive: true });
      for (const hook of ["pre-receive", "update", "post-receive"]) {
        renameSync(checkout.canary(hook), join(folder, "evil/hooks", hook));
      }
    }
    git(checkout.root, "config", "protocol.ext.allow", "always");
    const { code, stderr } = await runCommand(["apply", "--yes", "-C", checkout.workspace], {
      cwd: checkout.root,
      env: { KEY: "key" },
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(checkout.ran()).toEqual([]);
  });
});

wholeTest(
  "variables of git's that a job happens to have name no other repository and no program",
  async () => {
    const checkout = new Checkout();
    const other = new Checkout();
    const canary = checkout.canary("variable");
    const env = {
      GIT_DIR: join(other.root, ".git"),
      GIT_WORK_TREE: other.root,
      GIT_INDEX_FILE: join(checkout.folder, "index"),
      GIT_EXTERNAL_DIFF: canary,
      GIT_PAGER: canary,
      GIT_EDITOR: canary,
      GIT_TRACE: join(checkout.folder, "trace"),
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${canary}'`,
    };
    checkout.write({ "fleet/desk/agents/other.yaml": agentText("other") });
    const { stdout, code } = await runCli(["plan", "--changed-since", "HEAD"], {
      cwd: checkout.workspace,
      env,
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining("agent:other")]);
    expect(stdout).not.toContain("agent:support");
    expect(checkout.ran()).toEqual([]);
  },
);
