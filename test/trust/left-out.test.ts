import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sample, wholeTest } from "../harness/tier.js";
import { agentText, Checkout, git, manifestText } from "./checkout.js";
import { runCommand } from "./run-command.js";

const patch = "apiVersion: agentform/v1\nkind: Agent\nmetadata: {name: support}\nspec: {temperature: 0.2}\n";

async function run(checkout: Checkout, ...args: readonly string[]) {
  return await runCommand([...args, "-C", checkout.workspace], { cwd: checkout.root, env: { KEY: "key" } });
}

test.each(
  sample(
    "folders",
    [
      ["agents", "agents/support.yaml"],
      ["environments", "environments/staging/support.yaml"],
    ] as const,
    2,
  ),
)("what a sparse checkout leaves out does not count as removed: %s", async (folder, file) => {
  const checkout = new Checkout({
    "fleet/desk/agentform.yaml": manifestText("  environments: {staging: {}}\n"),
    "fleet/desk/environments/staging/support.yaml": patch,
  });
  const inStaging = ["-e", "staging", "--emulator"];
  expect((await run(checkout, "apply", "--yes", ...inStaging)).code).toBe(0);
  git(checkout.root, "sparse-checkout", "set", "--no-cone", "/*", `!/fleet/desk/${folder}`);
  expect(existsSync(join(checkout.workspace, file))).toBe(false);
  for (const command of [["validate"], ["plan"], ["apply", "--yes"]]) {
    const emulated = command[0] === "validate" ? inStaging.slice(0, 2) : inStaging;
    const { code, stdout, stderr } = await run(checkout, ...command, ...emulated);
    expect([command, code]).toEqual([command, 1]);
    expect(stdout + stderr).toContain(`git has \`${file}\`, but this checkout leaves it out`);
  }
  git(checkout.root, "sparse-checkout", "set", "--no-cone", "/*");
  expect((await run(checkout, "plan", ...inStaging)).stdout).toContain("No changes");
});

wholeTest("nor does what a submodule has that is not fetched", async () => {
  const checkout = new Checkout();
  const elsewhere = join(checkout.folder, "agents.git");
  git(checkout.folder, "init", "-q", elsewhere);
  writeFileSync(join(elsewhere, "other.yaml"), agentText("other"));
  git(elsewhere, "add", "--all");
  git(elsewhere, "commit", "-q", "-m", "agents");
  const add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", elsewhere];
  git(checkout.root, ...add, "fleet/desk/agents/others");
  const inner = join(checkout.workspace, "agents/others");
  git(inner, ...add, "inner");
  git(inner, "submodule", "--quiet", "deinit", "--all", "--force");
  expect((await run(checkout, "plan")).stderr).toContain("git has `agents/others/inner/`");
  git(inner, "rm", "-q", "-f", "inner");
  checkout.commit();
  expect((await run(checkout, "plan")).stdout).toContain("Plan: 2 to create");
  git(checkout.root, "submodule", "--quiet", "deinit", "--all", "--force");
  const { code, stderr } = await run(checkout, "plan");
  expect([code, stderr]).toEqual([1, expect.stringContaining("git has `agents/others/`")]);
  expect(stderr).toContain("git submodule update --init");

  // A change may take away what names the submodule, and the submodule stays.
  git(checkout.root, "rm", "-q", ".gitmodules");
  checkout.commit();
  const unnamed = await run(checkout, "plan");
  expect([unnamed.code, unnamed.stderr]).toEqual([1, expect.stringContaining("git has `agents/others/`")]);

  // Or it may be behind a link, as which git does not know it.
  git(checkout.root, "mv", "fleet/desk/agents/others", "fleet/desk/others");
  symlinkSync("../others", join(checkout.workspace, "agents/linked"));
  checkout.commit();
  const linked = await run(checkout, "plan");
  expect([linked.code, linked.stderr]).toEqual([1, expect.stringContaining("git has `others/`")]);
});
