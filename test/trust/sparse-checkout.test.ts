import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sample } from "../harness/tier.js";
import { Checkout, git, manifestText } from "./checkout.js";
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
    expect(stdout + stderr).toContain(`git has \`${file}\`, but this sparse checkout leaves it out`);
  }
  git(checkout.root, "sparse-checkout", "set", "--no-cone", "/*");
  expect((await run(checkout, "plan", ...inStaging)).stdout).toContain("No changes");
});
