import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startEmulator, type Emulator } from "../../src/emulator/emulator.js";
import { Machine } from "../ci/job-process.js";
import { agentText, Checkout, git } from "./checkout.js";
import { runCommand } from "./run-command.js";
import { sample, wholeTest } from "../harness/tier.js";

const place = "fleet/desk";
const ref = "refs/agentform/desk/default";
const lacking = "this clone does not have all objects of its history";
const cut = "note[lock-history-cut]";

async function run(root: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await runCommand([...args, "-C", join(root, place)], {
    cwd: root,
    env: { KEY: "key" },
  });
  return { code, text: stdout + stderr };
}

/** A team's repository, of which two agents were applied one after the other. */
async function openTeam(store: "file" | "git") {
  const emulator = await startEmulator({});
  onTestFinished(() => emulator.close());
  const service = `{base_url: "${emulator.url}", rai_base_url: "${emulator.url}", api_key: "\${env:KEY}"}`;
  const checkout = new Checkout({
    [`${place}/agentform.yaml`]: `apiVersion: agentform/v1\nkind: Workspace\nmetadata: {name: desk}\nspec: {service: ${service}, lock: {store: ${store}}}\n`,
    ".gitignore": ".agentform/\n",
  });
  git(checkout.remote, "config", "uploadpack.allowFilter", "true");
  git(checkout.remote, "config", "uploadpack.allowAnySHA1InWant", "true");
  for (const name of ["first", "second"]) {
    checkout.write({ [`${place}/agents/${name}.yaml`]: agentText(name) });
    expect(await run(checkout.root, "apply", "--yes")).toMatchObject({ code: 0 });
    git(checkout.root, "add", "--all");
    git(checkout.root, "commit", "-q", "-m", name);
  }
  git(checkout.root, "push", "-q", "origin", "main");
  return { checkout, emulator };
}

function clone({ folder, remote }: Checkout, name: string, ...more: readonly string[]): string {
  git(folder, "clone", "-q", ...more, `file://${remote}`, name);
  return join(folder, name);
}

const created = ({ requests }: Emulator) => requests.filter(({ method }) => method === "POST").length;

const clones = [
  ["partial", ["--filter=blob:none"], ["--refetch", "--no-filter"]],
  ["shallow", ["--depth=1"], ["--unshallow"]],
] as const;

test.each(sample("clones that lack objects", clones, 1))(
  "a lock that was set back is noticed in a %s clone once it has all, and until then each plan says that it does not know",
  async (name, how, rest) => {
    const { checkout } = await openTeam("file");
    const [old, now] = ["main~1", "main"].map((each) =>
      git(checkout.root, "rev-parse", `${each}:${place}/agentform.lock`),
    );
    expect(old).not.toBe(now);
    git(checkout.root, "checkout", "-q", "main~1", "--", `${place}/agentform.lock`);
    git(checkout.root, "commit", "-q", "-m", "set back");
    git(checkout.root, "push", "-q", "origin", "main");
    const root = clone(checkout, name, ...how);
    for (const _ of [1, 2]) {
      const { code, text } = await run(root, "plan");
      expect([code, text]).toEqual([0, expect.stringContaining(cut)]);
    }
    git(root, "fetch", "-q", ...rest);
    const { code, text } = await run(root, "plan");
    expect([code, text]).toEqual([1, expect.stringContaining("error[lock-behind]")]);
  },
);

wholeTest("a lock that a partial clone lacks is not taken for one that was never written", async () => {
  const { checkout, emulator } = await openTeam("file");
  const behind = clone(checkout, "behind", "--filter=blob:none", "--no-checkout");
  git(behind, "checkout", "-q", "-b", "old", "origin/main~1");
  const sparse = clone(checkout, "sparse", "--filter=blob:none", "--no-checkout");
  git(sparse, "sparse-checkout", "set", "--no-cone", "/*", `!/${place}/agentform.lock`);
  git(sparse, "checkout", "-q", "main");
  const before = created(emulator);
  for (const [root, ...more] of [[behind, "--lock-from", "origin/main"], [sparse]] as const)
    for (const command of [["plan"], ["apply", "--yes"]]) {
      const { code, text } = await run(root, ...command, ...more);
      expect(code).not.toBe(0);
      expect(text).toContain(lacking);
    }
  expect((await run(sparse, "lock", "history")).text).toContain(lacking);
  expect(created(emulator)).toBe(before);
});

wholeTest("nor is a state on a ref", async () => {
  const { checkout, emulator } = await openTeam("git");
  const root = clone(checkout, "partial", "--filter=blob:none");
  git(root, "fetch", "-q", "origin", `${ref}:${ref}`);
  const before = created(emulator);
  for (const command of [["plan"], ["lock", "list"], ["apply", "--yes"]]) {
    const { code, text: said } = await run(root, ...command);
    expect([command, code]).toEqual([command, 1]);
    expect(said).toContain(lacking);
  }
  const manifest = join(root, place, "agentform.yaml");
  const text = readFileSync(manifest, "utf8");
  writeFileSync(manifest, text.replace("store: git", "store: file"));
  expect((await run(root, "apply", "--yes")).text).toContain(lacking);
  writeFileSync(manifest, text);
  expect(created(emulator)).toBe(before);
  git(root, "fetch", "-q", "--refetch", "--no-filter", "origin", `${ref}:${ref}`);
  expect((await run(root, "plan")).text).toContain("No changes");
});

wholeTest("the jobs fetch such a state whole", async () => {
  const { checkout } = await openTeam("git");
  const root = clone(checkout, "partial", "--filter=blob:none");
  const job = new Machine(checkout.folder);
  const RUNNER_TEMP = join(checkout.folder, "temp");
  mkdirSync(RUNNER_TEMP);
  const env = { AGENTFORM_WORKSPACE: place, AGENTFORM_STORE: "git", AGENTFORM_BASE: "HEAD", RUNNER_TEMP };
  const { code, output } = await job.run('sh "$(npm root --global)/agentform/ci/plan.sh"', root, env);
  expect([code, output]).toEqual([0, expect.stringContaining("No changes")]);
});

test("a pointer of Git LFS is no lock, and a history of them is none to compare with", async () => {
  const { checkout } = await openTeam("file");
  const { root } = checkout;
  const file = join(root, place, "agentform.lock");
  const lock = readFileSync(file, "utf8");
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 9\n`;
  checkout.write({ [`${place}/agentform.lock`]: pointer });
  git(root, "commit", "-q", "-a", "-m", "large files");
  for (const command of [["plan"], ["lock", "restore"], ["apply", "--yes"]]) {
    const { code, text } = await run(root, ...command);
    expect([command, code, text]).toEqual([command, 1, expect.stringContaining("`git lfs pull`")]);
  }
  expect(readFileSync(file, "utf8")).toBe(pointer);
  writeFileSync(file, lock);
  for (const _ of [1, 2]) {
    const { code, text } = await run(root, "plan");
    expect([code, text]).toEqual([0, expect.stringContaining(cut)]);
  }
  const compared = await run(root, "plan", "--lock-from", "HEAD");
  expect(compared.code).not.toBe(0);
  expect(compared.text).toContain(lacking);
});

test("a commit that the clone lacks is no repository without a commit", async () => {
  const { checkout } = await openTeam("file");
  const borrowed = join(checkout.folder, "borrowed.git");
  git(checkout.folder, "clone", "-q", "--bare", checkout.remote, borrowed);
  git(checkout.folder, "clone", "-q", "--shared", borrowed, "borrower");
  rmSync(borrowed, { recursive: true });
  const { code, text } = await run(join(checkout.folder, "borrower"), "plan");
  expect([code, text]).toEqual([1, expect.stringContaining(lacking)]);
});

test("a work tree without its repository is read as little as one that git refuses", async () => {
  const { checkout } = await openTeam("file");
  const root = join(checkout.folder, "tree");
  git(checkout.root, "worktree", "add", "-q", "-b", "tree", root);
  mkdirSync(join(root, place, "prompts"));
  writeFileSync(join(root, place, "prompts/.gitignore"), "local.txt\n");
  writeFileSync(join(root, place, "prompts/local.txt"), "h1dden");
  appendFileSync(join(root, place, "agents/first.yaml"), "  system_prompt: ${file:../prompts/local.txt}\n");
  renameSync(checkout.root, `${checkout.root}.gone`);
  for (const command of ["validate", "plan"]) {
    const { code, text } = await run(root, command);
    expect([code, text]).toEqual([1, expect.stringContaining("error[git-failed]")]);
    expect(text).not.toContain("h1dden");
  }
});
