import { join } from "node:path";
import { expect, test } from "vitest";
import type { Plan } from "../../src/generated/plan.js";
import { documentText } from "../harness/disk-workspace.js";
import { git, guarded, manifestOf, openPlatform, policy, twoTeams, type Platform } from "./platform.js";

async function digestOf(platform: Platform, ...args: readonly string[]): Promise<string> {
  const ran = await platform.run(".", "plan", "--all", "--format", "json", ...args);
  expect(ran.code, ran.err).toBe(0);
  return (JSON.parse(ran.out) as { digest: string }).digest;
}

async function expectApplied(platform: Platform, ...args: readonly string[]): Promise<void> {
  const ran = await platform.run(".", "apply", "--all", ...args);
  expect(ran.code, ran.out + ran.err).toBe(0);
}

async function expectDone(platform: Platform): Promise<void> {
  const ran = await platform.run(".", "plan", "--all", "--detailed-exitcode");
  expect(ran.code, ran.out + ran.err).toBe(0);
}

test("states on refs of a git remote give the new IDs to the next workspace, too", async () => {
  const platform = await openPlatform({
    ...twoTeams,
    ".gitignore": ".agentform/\nremote.git/\n",
    "guard/agentform.yaml": manifestOf("guard", "URL", "lock: {store: git}"),
    "care/agentform.yaml": manifestOf(
      "care",
      "URL",
      "lock: {store: git}",
      "uses: {guard: {workspace: ../guard}}",
    ),
  });
  const { directory } = platform.workspace;
  git(directory, "init", "-q", "--bare", "remote.git");
  git(directory, "remote", "add", "origin", join(directory, "remote.git"));
  await expectApplied(platform, "--expect", await digestOf(platform));
  platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "tobacco") });
  await expectApplied(platform, "--expect", await digestOf(platform));
  await expectDone(platform);
});

test("who takes the name of another workspace, and so its state, is shown before all else", async () => {
  const onRefs = (name: string) => manifestOf(name, "URL", "lock: {store: git}");
  const platform = await openPlatform({
    ".gitignore": ".agentform/\nremote.git/\n",
    "guard/agentform.yaml": onRefs("guard"),
    "guard/policies/strict.yaml": policy("strict"),
    "care/agentform.yaml": onRefs("care"),
    "care/policies/strict.yaml": policy("strict", "alcohol"),
  });
  const { directory } = platform.workspace;
  git(directory, "init", "-q", "--bare", "remote.git");
  git(directory, "remote", "add", "origin", join(directory, "remote.git"));
  await platform.apply("guard");
  await platform.apply("care");
  await expectDone(platform);
  platform.workspace.write({
    "guard/agentform.yaml": onRefs("care"),
    "care/agentform.yaml": onRefs("guard"),
  });
  for (const [folder, other] of [
    ["care", "guard"],
    ["guard", "care"],
  ] as const) {
    const { notes } = JSON.parse((await platform.run(folder, "plan", "--format", "json")).out) as Plan;
    expect(notes[0]).toMatchObject({
      code: "setting-changed",
      effect: "weakens",
      path: "folder",
      parts: { before: other, after: folder },
    });
    const text = await platform.run(folder, "plan");
    expect(text.out).toContain(`Settings\n  ~ folder: ${other} → ${folder}\n`);
  }
});

test("with the locks of a commit, as a job for a merge has them, one digest holds for both", async () => {
  const platform = await openPlatform(twoTeams);
  await expectApplied(platform, "--yes");
  git(platform.workspace.directory, "add", "-A");
  git(platform.workspace.directory, "commit", "-qm", "applied");
  platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "tobacco") });
  const digest = await digestOf(platform, "--lock-from", "HEAD");
  expect(await digestOf(platform)).toBe(digest);
  await expectApplied(platform, "--lock-from", "HEAD", "--expect", digest);
  await expectDone(platform);
});

test("what is adopted there is used here with its ID", async () => {
  const platform = await openPlatform(twoTeams);
  await platform.apply("guard");
  const [made] = platform.emulator.objects().policies;
  platform.workspace.write({
    "guard/policies/strict.yaml": policy("strict"),
    "guard/policies/other.yaml": policy("other", "tobacco"),
  });
  await platform.apply("guard");
  const other = platform.emulator.objects().policies.find(({ id }) => id !== made?.id);
  platform.workspace.remove("guard/policies/other.yaml");
  await platform.apply("guard");
  platform.workspace.write({
    "guard/policies/third.yaml": documentText(
      "Policy",
      "third",
      { name: "other", banned_topics: { enabled: true, topics: ["tobacco"] } },
      { adopt: other?.id },
    ),
    "care/agents/support.yaml": guarded("${policy:third@guard}"),
  });
  await expectApplied(platform, "--expect", await digestOf(platform));
  expect(platform.workspace.read("care/agentform.lock")).toContain(`"policy:third@guard": "${other?.id}"`);
  await expectDone(platform);
});

const deleting = manifestOf("guard", "URL").replace(
  "api_key:",
  'operations: {policy: {delete: "DELETE /v1/rai/policies/{id}"}}, api_key:',
);

test("what one deletes and another lets go of in the same change is done in two applies", async () => {
  const platform = await openPlatform(
    {
      ...twoTeams,
      "guard/agentform.yaml": deleting,
      "guard/policies/strict.yaml": documentText(
        "Policy",
        "strict",
        { name: "strict" },
        { on_removal: "delete" },
      ),
    },
    { operations: "full" },
  );
  await expectApplied(platform, "--yes");
  platform.workspace.remove("guard/policies/strict.yaml");
  platform.workspace.write({
    "care/agents/support.yaml": documentText("Agent", "support", { name: "Support" }),
  });
  const first = await platform.run(".", "apply", "--all", "--yes");
  expect(first.err, first.out).toContain("agent:support: updated");
  expect(platform.emulator.objects().policies).toHaveLength(1);
  await expectApplied(platform, "--yes");
  expect(platform.emulator.objects().policies).toEqual([]);
  await expectDone(platform);
});

test("what one deletes and another takes over is handed over as the message says", async () => {
  const lifecycle = { on_removal: "delete" };
  const kept = (more: object) => documentText("Policy", "strict", { name: "strict" }, more);
  const platform = await openPlatform(
    {
      "guard/agentform.yaml": deleting,
      "guard/policies/strict.yaml": kept(lifecycle),
      "young/agentform.yaml": deleting.replace("name: guard", "name: young"),
    },
    { operations: "full" },
  );
  await expectApplied(platform, "--yes");
  const id = platform.emulator.objects().policies[0]?.id;
  platform.workspace.remove("guard/policies/strict.yaml");
  platform.workspace.write({ "young/policies/strict.yaml": kept({ ...lifecycle, adopt: id }) });
  const refused = await platform.run(".", "apply", "--all", "--yes");
  expect(refused.err).toContain("`lifecycle.adopt` of policy:strict in young names it");
  expect(refused.err).toContain("apply its document with `on_removal: forget`, and remove it again");
  platform.workspace.write({ "guard/policies/strict.yaml": kept({ on_removal: "forget" }) });
  await platform.apply("guard");
  platform.workspace.remove("guard/policies/strict.yaml");
  await expectApplied(platform, "--yes");
  expect(platform.emulator.objects().policies.map((each) => each.id)).toEqual([id]);
  expect(platform.workspace.read("young/agentform.lock")).toContain(`"id": "${id}"`);
  await expectDone(platform);
});

test("a delete that is blocked does not keep those that use the workspace from their own changes", async () => {
  const old = {
    "guard/policies/old.yaml": documentText("Policy", "old", { name: "old" }, { on_removal: "delete" }),
  };
  const user = { "guard/agents/support.yaml": guarded("${policy:old}") };
  const platform = await openPlatform(
    { ...twoTeams, ...old, ...user, "guard/agentform.yaml": deleting },
    { operations: "full" },
  );
  await expectApplied(platform, "--yes");
  for (const file of Object.keys({ ...old, ...user })) platform.workspace.remove(file);
  platform.workspace.write({
    "care/agents/support.yaml": guarded("${policy:strict@guard}", { name: "Desk" }),
  });
  const ran = await platform.run(".", "apply", "--all", "--yes");
  expect(ran.code).toBe(1);
  expect(ran.out).toContain("policy:old");
  expect(ran.err, ran.out).toContain("agent:support: updated");
});
