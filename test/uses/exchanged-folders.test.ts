import { cpSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sample } from "../harness/tier.js";
import { git, guarded, manifestOf, openPlatform, policy, type Platform } from "./platform.js";

const using = (name: string, folder: string) =>
  manifestOf(name, "URL", `uses: {guard: {workspace: ../${folder}}}`);

/** Three workspaces that are applied and committed: one uses a policy of another, and a third has one of its name. */
async function openThree(): Promise<Platform> {
  const platform = await openPlatform({
    "guard/agentform.yaml": manifestOf("guard", "URL"),
    "guard/policies/strict.yaml": policy("strict"),
    "care/agentform.yaml": using("care", "guard"),
    "care/agents/support.yaml": guarded("${policy:strict@guard}"),
    "sales/agentform.yaml": manifestOf("sales", "URL"),
    "sales/policies/strict.yaml": policy("strict", "tobacco"),
  });
  for (const folder of ["guard", "care", "sales"]) await platform.apply(folder);
  git(platform.workspace.directory, "add", "-A");
  git(platform.workspace.directory, "commit", "-qm", "applied");
  return platform;
}

/** Gives each folder the name that it has in `names`; one that has none is removed. */
function rename(
  { workspace: { directory } }: Platform,
  names: Readonly<Record<string, string | null>>,
): void {
  const at = (name: string) => join(directory, name);
  for (const from of Object.keys(names)) renameSync(at(from), at(`${from}-away`));
  for (const [from, to] of Object.entries(names)) {
    if (to !== null) renameSync(at(`${from}-away`), at(to));
    else rmSync(at(`${from}-away`), { recursive: true });
  }
}

const moves = [
  ["who is used and who uses it", { guard: "care", care: "guard" }],
  ["all three, in a circle", { guard: "sales", sales: "care", care: "guard" }],
  ["one that comes in the place of one that goes", { guard: "sales", sales: null }],
  ["two that another one uses", { guard: "sales", sales: "guard" }],
] as const;

test.each(sample("exchanges of folders", moves, 2))(
  "with --lock-from, each has its own state after an exchange of folders: %s",
  async (_what, names: Readonly<Record<string, string | null>>) => {
    const platform = await openThree();
    rename(platform, names);
    const [guard = "", care = "care"] = [names.guard ?? "guard", names.care ?? "care"];
    platform.workspace.write({ [`${care}/agentform.yaml`]: using("care", guard) });
    git(platform.workspace.directory, "add", "-A");
    for (const folder of new Set([guard, care, names.sales === null ? guard : (names.sales ?? "sales")])) {
      const ran = await platform.run(folder, "plan", "--lock-from", "HEAD", "--format", "json");
      expect(ran.code, ran.err).toBe(0);
      expect(JSON.parse(ran.out)).toMatchObject({ actions: [] });
      expect(ran.out).not.toContain("state_changes");
    }
  },
);

test("with --lock-from, what stands in the place of a used workspace in the commit is not taken for it", async () => {
  const platform = await openThree();
  rename(platform, { guard: null, sales: "guard" });
  platform.workspace.remove("guard/agentform.lock");
  platform.workspace.write({ "guard/agentform.yaml": manifestOf("watch", "URL") });
  git(platform.workspace.directory, "add", "-A");
  const ran = await platform.run("care", "plan", "--lock-from", "HEAD");
  expect([ran.code, ran.err]).toEqual([1, expect.stringContaining("the lock belongs to `guard`")]);
});

test("with --lock-from, a workspace that is renamed and comes in another one's place gives its own IDs", async () => {
  const platform = await openThree();
  rename(platform, { guard: "sales", sales: "guard" });
  platform.workspace.write({
    "sales/agentform.yaml": manifestOf("watch", "URL"),
    "care/agentform.yaml": using("care", "sales"),
  });
  expect((await platform.run("sales", "lock", "move", "--from-workspace", "guard")).code).toBe(0);
  git(platform.workspace.directory, "add", "-A");
  for (const folder of ["guard", "care", "sales"]) {
    const ran = await platform.run(folder, "plan", "--lock-from", "HEAD", "--format", "json");
    expect(ran.code, ran.err).toBe(0);
    expect(JSON.parse(ran.out)).toMatchObject({ actions: [] });
  }
});

test("with --lock-from, an older copy of a used workspace that stays is not taken for it after an exchange", async () => {
  const platform = await openThree();
  const { directory } = platform.workspace;
  cpSync(join(directory, "guard"), join(directory, "backup"), { recursive: true });
  platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "alcohol") });
  for (const folder of ["guard", "care"]) await platform.apply(folder);
  git(directory, "add", "-A");
  git(directory, "commit", "-qm", "replaced");
  rename(platform, { guard: "sales", sales: "guard" });
  platform.workspace.write({ "care/agentform.yaml": using("care", "sales") });
  git(directory, "add", "-A");
  const ran = await platform.run("care", "plan", "--lock-from", "HEAD", "--format", "json");
  expect(ran.code, ran.err).toBe(0);
  expect(JSON.parse(ran.out)).toMatchObject({ actions: [] });
});
