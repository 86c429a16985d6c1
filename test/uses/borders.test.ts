import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { planDigest } from "../../src/core/plan/plan-digest.js";
import { renderSavedPlan } from "../../src/core/review/saved-plan.js";
import type { Plan } from "../../src/generated/plan.js";
import { git, guarded, manifestOf, openPlatform, policy, twoTeams } from "./platform.js";
import { wholeTest } from "../harness/tier.js";

test("links lead to no state outside of the repository, and a repository inside is another one", async () => {
  const outside = await openPlatform(twoTeams);
  await outside.apply("guard");
  const platform = await openPlatform({
    ...twoTeams,
    "care/agentform.yaml": manifestOf("care", "URL", "uses: {guard: {workspace: ../linked}}"),
  });
  const { directory } = platform.workspace;
  symlinkSync(join(outside.workspace.directory, "guard"), join(directory, "linked"));
  expect((await platform.run("care", "validate")).out).toContain("leads out of this repository");
  symlinkSync(
    join(outside.workspace.directory, "guard", "agentform.lock"),
    join(directory, "guard", "agentform.lock"),
  );
  platform.workspace.write({ "care/agentform.yaml": twoTeams["care/agentform.yaml"] ?? "" });
  const linked = await platform.run("care", "validate");
  expect(linked.out).toContain("error[uses-unreadable]");
  mkdirSync(join(directory, "inner"));
  git(join(directory, "inner"), "init", "-q");
  platform.workspace.write({
    "inner/agentform.yaml": manifestOf("guard", "URL"),
    "care/agentform.yaml": manifestOf("care", "URL", "uses: {guard: {workspace: ../inner}}"),
  });
  expect((await platform.run("care", "validate")).out).toContain("leads out of this repository");
});

test("a link that may lead to another workspace tomorrow is none that is used", async () => {
  const platform = await openPlatform({
    ...twoTeams,
    "care/agentform.yaml": manifestOf("care", "URL", "uses: {guard: {workspace: ../linked}}"),
  });
  await platform.apply("guard");
  symlinkSync("guard", join(platform.workspace.directory, "linked"));
  const { code, err } = await platform.run("care", "plan");
  expect(code).toBe(1);
  expect(err).toContain(
    "error[uses-unreadable]: `../linked` is a link, or another name of the folder `guard`",
  );
  expect(err).toContain("= hint: write `../guard`");
  // A plan of what it leads to still says who uses it.
  platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "tobacco") });
  expect((await platform.run("guard", "plan")).out).toContain("care (agent:support) keeps the old object");
});

test("an ID of another workspace is data: no variable is read because of it, and it stands nowhere else", async () => {
  const ids = (id: string) => ({
    "care/ids.json": JSON.stringify({
      format: "agentform/output/v1",
      workspace: "guard",
      environment: null,
      ids: { "policy:strict": id },
    }),
  });
  const platform = await openPlatform({
    ...twoTeams,
    ...ids("${env:PROVIDER_KEY}"),
    "care/agentform.yaml": manifestOf("care", "URL", "uses: {guard: {file: ids.json}}"),
  });
  await platform.apply("care");
  const lock = platform.workspace.read("care/agentform.lock");
  expect(lock).toContain('"policy:strict@guard": "${env:PROVIDER_KEY}"');
  expect(lock).not.toContain("s3cr3t");
  platform.workspace.write(ids("another"));
  const edited = await platform.run("care", "plan");
  const note = "`policy:strict@guard` stands for another object: `${env:PROVIDER_KEY}` → `another`";
  expect(edited.out.split("Consequences")[0]).toContain(note);
  for (const unfit of ["an\u200bother", "another\n::error::x", "x".repeat(1001), "__proto__"]) {
    platform.workspace.write(ids(unfit));
    const refused = await platform.run("care", "plan");
    expect(refused.err).toContain("its ID of `policy:strict` is not a valid ID");
  }
});

test("a saved plan sends no ID that is not that of the other workspace now, nor one for a reference of its own", async () => {
  const platform = await openPlatform({
    ...twoTeams,
    "care/policies/own.yaml": policy("own"),
    "care/agents/support.yaml": guarded("${policy:strict@guard}", { description: "${policy:own}" }),
  });
  await platform.apply("guard");
  await platform.run("care", "plan", "--out", "care.plan");
  const plan = JSON.parse(platform.workspace.read("care/care.plan")) as Plan;
  const write = (used: Record<string, string>) => {
    const actions = plan.actions.map((action) =>
      action.used ? { ...action, used: { ...action.used, ...used } } : action,
    );
    const forged = { ...plan, actions };
    // Whoever forges a plan can compute its digest and its checksum.
    platform.workspace.write({
      "care/care.plan": renderSavedPlan({ ...forged, digest: planDigest(forged) }),
    });
  };
  for (const used of [{ "policy:strict@guard": "66aa" }, { "policy:own": "66aa" }]) {
    write(used);
    const ran = await platform.run("care", "apply", "--yes", "care.plan");
    expect(ran.code, ran.err).toBe(4);
  }
  write({});
  expect((await platform.run("care", "apply", "--yes", "care.plan")).code).toBe(0);
});

test("a workspace that uses more others than it may is told how many", async () => {
  const all = Array.from({ length: 51 }, (_, index) => `g${index}: {workspace: ../guard}`);
  const uses = `uses: {${all.join(", ")}}`;
  const platform = await openPlatform({
    ...twoTeams,
    "care/agentform.yaml": manifestOf("care", "URL", uses),
  });
  const { out } = await platform.run("care", "validate");
  expect(out).toContain("`spec.uses` must have at most 50 keys");
});

wholeTest(
  "a lock file of a used workspace that was set back gives no IDs, until it is restored",
  async () => {
    const platform = await openPlatform(twoTeams);
    await platform.apply("guard");
    await platform.apply("care");
    const old = platform.workspace.read("guard/agentform.lock");
    const agent = guarded("${policy:strict@guard}", { description: "Edited" });
    platform.workspace.write({ "care/agents/support.yaml": agent });
    expect(await platform.run("care", "plan", "--out", "saved.json")).toMatchObject({ code: 0 });
    platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "tobacco") });
    await platform.apply("guard");
    platform.workspace.write({ "guard/agentform.lock": old });
    for (const command of [["plan"], ["apply", "--yes"], ["apply", "saved.json", "--yes"]]) {
      const refused = await platform.run("care", ...command);
      expect(refused.code).toBe(1);
      expect(refused.out + refused.err).toContain("error[lock-behind]: what `guard` has is not the newest");
      expect(refused.out + refused.err).toContain("run `agentform plan -C guard`");
    }
    // Neither a commit nor the emulator has what this machine applied.
    git(platform.workspace.directory, "add", "--all");
    git(platform.workspace.directory, "commit", "-q", "-m", "set back");
    for (const option of [["--lock-from", "HEAD"], ["--emulator"]])
      expect(await platform.run("care", "plan", ...option)).toMatchObject({ code: 0 });
    expect((await platform.run("guard", "lock", "restore")).code).toBe(0);
    expect((await platform.run("care", "plan")).out).toContain("policy:strict of guard has a new ID");
  },
);

test("a used workspace whose state has moved to a ref, and whose lock file was removed, is not taken for one that was set back", async () => {
  const platform = await openPlatform(twoTeams);
  const { directory } = platform.workspace;
  const commit = () => git(directory, "commit", "-q", "--all", "-m", "applied");
  await platform.apply("guard");
  await platform.apply("care");
  git(directory, "add", "--all");
  commit();
  git(directory, "init", "-q", "--bare", ".agentform/remote");
  git(directory, "remote", "add", "origin", join(directory, ".agentform/remote"));
  expect((await platform.run("guard", "lock", "move", "--to", "git")).code).toBe(0);
  const manifest = manifestOf("guard", "URL", "lock: {store: git}");
  platform.workspace.write({ "guard/agentform.yaml": manifest });
  platform.workspace.remove("guard/agentform.lock");
  commit();
  const { code, out, err } = await platform.run("care", "plan");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("No changes");
});
