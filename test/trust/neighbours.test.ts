import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runIn } from "../cli/desk.js";
import { allOperations } from "../cli/full-desk.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { git, manifestOf, openPlatform, policy, twoTeams } from "../uses/platform.js";
import { wholeTest } from "../harness/tier.js";

const full = (name: string, ...more: readonly string[]) =>
  manifestOf(name, "URL", ...more).replace(
    "api_key:",
    `operations: ${JSON.stringify(allOperations)}, api_key:`,
  );

const lfsPointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n";

/** Two teams, of which one has left a policy behind that the other's agent still has. */
async function openTeams() {
  const files = { ...twoTeams, "guard/agentform.yaml": full("guard") };
  const platform = await openPlatform(files, { operations: "full" });
  await platform.apply("guard");
  await platform.apply("care");
  const [old] = platform.emulator.objects().policies;
  platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "tobacco") });
  await platform.apply("guard");
  const hasOld = () => platform.emulator.objects().policies.some(({ id }) => id === old?.id);
  return { ...platform, old: old?.id ?? "", hasOld };
}

// The service could tell of what an agent refers to; here only the repository can.
const unlisted = (text: string) => text.replaceAll(/"list":\{[^}]*\},?/g, "");

describe("a prune of one team", () => {
  const changes: readonly (readonly [string, (manifest: string) => string])[] = [
    ["has errors in its YAML", (manifest) => `${manifest}  include: [\n`],
    ["has an unknown key", (manifest) => `${manifest}  inclde: [agents]\n`],
    ["gives the used workspace another name", (manifest) => manifest.replace("guard: {", "watch: {")],
    ["uses it no more, which is not applied yet", (manifest) => manifest.replace(/^ *uses: .*\n/m, "")],
  ];

  test.each(changes)("keeps what the other has, although its manifest %s", async (_what, change) => {
    const teams = await openTeams();
    teams.workspace.write({
      "guard/agentform.yaml": unlisted(full("guard")),
      "care/agentform.yaml": change(twoTeams["care/agentform.yaml"] ?? ""),
    });
    const pruned = await teams.run("guard", "prune", "--yes");
    expect(pruned.out + pruned.err).toMatch(/refers to it in care|the manifest of care has errors/);
    expect(teams.hasOld()).toBe(true);
  });

  test("keeps what the other has taken over", async () => {
    const teams = await openTeams();
    teams.workspace.write({
      "guard/agentform.yaml": unlisted(full("guard")),
      "care/agentform.yaml": manifestOf("care", "URL"),
      "care/agents/support.yaml": documentText("Agent", "support", { name: "Support" }),
      "care/policies/own.yaml": documentText("Policy", "own", { name: "own" }, { adopt: teams.old }),
    });
    await teams.apply("care");
    const pruned = await teams.run("guard", "prune", "--yes");
    expect(pruned.out + pruned.err).toContain("it is managed as policy:own in care");
    expect(teams.hasOld()).toBe(true);
  });

  test("keeps what the other has, although its lock file was taken back", async () => {
    const teams = await openTeams();
    teams.workspace.write({
      "guard/agentform.yaml": unlisted(full("guard")),
      "care/agentform.yaml": manifestOf("care", "URL"),
      "care/agents/support.yaml": documentText("Agent", "support", { name: "Support" }),
    });
    teams.workspace.remove("care/agentform.lock");
    const pruned = await teams.run("guard", "prune", "--yes");
    expect(pruned.out + pruned.err).toContain("agent:support refers to it in care");
    expect(teams.hasOld()).toBe(true);
  });

  test.each([["agentform.yaml"], ["agentform.yaml", "agentform.lock"]])(
    "keeps what the other has in its lock, although no manifest leads to it (%s)",
    async (...gone) => {
      const teams = await openTeams();
      teams.workspace.write({
        "guard/agentform.yaml": unlisted(full("guard")),
        "care/agentform.old.lock": teams.workspace.read("care/agentform.lock"),
      });
      for (const file of gone) teams.workspace.remove(`care/${file}`);
      const pruned = await teams.run("guard", "prune", "--yes");
      expect(pruned.out + pruned.err).toContain("agent:support refers to it in care");
      expect(teams.hasOld()).toBe(true);
      if (gone.length === 1) return;
      for (const text of ['{"format": "agentform/lock/v1",', lfsPointer]) {
        teams.workspace.write({ "care/agentform.old.lock": text });
        const { out } = await teams.run("guard", "prune", "--yes");
        expect(out).toContain("agentform.old.lock cannot be read");
      }
    },
  );

  wholeTest(
    "deletes what only an earlier version of its own lock has, whatever else is named as locks are",
    async () => {
      const teams = await openTeams();
      teams.workspace.write({
        "guard/agentform.yaml": unlisted(full("guard")),
        "guard/agents/watch.yaml": documentText("Agent", "watch", {
          name: "Watch",
          features: [{ type: "RAI", priority: 0, config: { policy_id: "${policy:strict}" } }],
        }),
        "care/agentform.yaml": manifestOf("care", "URL"),
        // One that is left behind would still refer to the policy.
        "care/agents/support.yaml": documentText("Agent", "support", { name: "Support" }),
      });
      await teams.apply("care");
      await teams.apply("guard");
      const backup = teams.workspace.read("guard/agentform.lock");
      const [, used] = teams.emulator.objects().policies;
      teams.workspace.write({
        "backup/agentform.lock": backup,
        "fixtures/agentform.lock": "",
        "fixtures/agentform-other.lock": "{}",
        "guard/policies/strict.yaml": policy("strict", "spam"),
      });
      await teams.apply("guard");
      // A copy that was applied on its own is no earlier version.
      teams.workspace.write({
        "backup/agentform.lock": backup.replace('"writes": "', '"writes": "elsewhere '),
      });
      const kept = await teams.run("guard", "prune", used?.id ?? "", "--yes");
      expect(kept).toMatchObject({
        code: 1,
        out: expect.stringContaining("agent:watch refers to it in backup"),
      });
      teams.workspace.write({ "backup/agentform.lock": backup });
      const pruned = await teams.run("guard", "prune", "--yes");
      expect(pruned).toMatchObject({ code: 0, out: expect.not.stringContaining("stays") });
      expect(teams.emulator.objects().policies.some(({ id }) => id === used?.id)).toBe(false);
      expect(teams.hasOld()).toBe(false);
    },
  );

  test("keeps what the other has, although a sparse checkout leaves that one out", async () => {
    const teams = await openTeams();
    teams.workspace.write({ "guard/agentform.yaml": unlisted(full("guard")) });
    const { directory } = teams.workspace;
    git(directory, "add", "--all");
    git(directory, "commit", "-q", "-m", "all");
    git(directory, "sparse-checkout", "set", "guard");
    const pruned = await teams.run("guard", "prune", "--yes");
    expect(pruned.out + pruned.err).toContain("the checkout leaves out care/agentform.yaml");
    expect(teams.hasOld()).toBe(true);
  });

  wholeTest("keeps everything in a repository of more workspaces than are looked at", async () => {
    const teams = await openTeams();
    // They come before the other team's. Of another tool, they are looked at in no time, and leave nothing else unread.
    teams.workspace.write({
      "guard/agentform.yaml": unlisted(full("guard")),
      ...Object.fromEntries(
        Array.from({ length: 1000 }, (_, at) => [`a/${at}/agentform.yaml`, "forms: {}\n"]),
      ),
    });
    const pruned = await teams.run("guard", "prune", "--yes");
    expect(pruned.out + pruned.err).toContain("more than 1000");
    expect(teams.hasOld()).toBe(true);
  });
});

test("an import of one team leaves alone what another workspace of the repository has", async () => {
  const teams = await openTeams();
  teams.workspace.write({ "guard/agents/.keep": "" });
  const listed = await teams.run("guard", "import", "--list");
  expect(listed.err).toMatch(/the workspace in .*care.* has it/);
  expect(listed.out).toContain("0 objects that nobody manages");
  const broken = `${twoTeams["care/agentform.yaml"] ?? ""}  include: [\n`;
  teams.workspace.write({ "care/agentform.yaml": broken });
  const refused = await teams.run("guard", "import", "--all", "--yes");
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("the manifest of care has errors") });
});

test("a lock that was copied with its folder is told before it changes what another folder has", async () => {
  const platform = await openPlatform(twoTeams);
  await platform.apply("guard");
  const { directory } = platform.workspace;
  cpSync(join(directory, "guard"), join(directory, "copy"), { recursive: true });
  const outside = makeWorkspace({}).directory;
  cpSync(join(directory, "guard"), outside, { recursive: true });
  platform.workspace.write({ "copy/policies/strict.yaml": policy("strict", "tobacco") });
  const copied = await platform.run("copy", "plan");
  expect(copied.out).toContain("! weakens  agentform.yaml  `folder` changes from `guard` to `copy`");
  expect((await platform.run("guard", "plan")).out).toContain("No changes");
  // Where there is no repository, nobody can tell.
  expect((await runIn(outside, ["plan"])).out).toContain("No changes");
});

test("a lock that was copied with its folder gets no new name or place while the other folder has it", async () => {
  const platform = await openPlatform(twoTeams);
  await platform.apply("guard");
  const { directory } = platform.workspace;
  cpSync(join(directory, "guard"), join(directory, "copy"), { recursive: true });
  const moved = await platform.run("copy", "lock", "move", "--to", "git");
  expect([moved.code, moved.err]).toEqual([1, expect.stringContaining("guard of this repository has")]);
  platform.workspace.write({ "copy/agentform.yaml": manifestOf("copy", "URL") });
  const rename = async () => await platform.run("copy", "lock", "move", "--from-workspace", "guard");
  const refused = await rename();
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining("guard of this repository has the same state"),
  ]);
  rmSync(join(directory, "guard"), { recursive: true });
  expect(await rename()).toMatchObject({ code: 0, err: "" });
});
