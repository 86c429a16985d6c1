import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { githubToken } from "../forge/fake-github.js";
import { sample, wholeTest } from "../harness/tier.js";
import { greeter, policy, secrets, support } from "./desk.js";
import { agents, GithubTeam } from "./github-team.js";
import { git } from "./repository.js";

describe.each(sample("stores", ["git", "file"] as const, 1))("with a %s store", (store) => {
  test("a change is planned, commented on, merged and applied, and then there is nothing left", async () => {
    const team = await GithubTeam.open(store);
    const change = await team.propose(agents);
    expect(team.commentOn(change)).toContain("agent:support");
    expect((await team.planInQueue(change)).output).toContain("Plan: 4 to create.");
    expect(team.emulator.requests).toEqual([]);
    const applied = await team.apply(team.merge(change));
    expect(applied.output).toContain("Apply complete: 4 done.");
    expect(applied.isSuccessful).toBe(true);
    expect(team.lock()).toContain('"agent:greeter"');
    expect(team.journal()).toBeUndefined();

    // No secret and no token is in what is stored, printed or left in the checkout.
    const stored = readdirSync(join(applied.folder, ".git"), { recursive: true, encoding: "utf8" })
      .filter((file) => basename(file) === "config")
      .map((file) => readFileSync(join(applied.folder, ".git", file), "utf8"));
    const texts = [applied.output, ...stored, team.lock() ?? "", team.commentOn(change)].join("\n");
    for (const secret of [...Object.values(secrets), githubToken]) expect(texts).not.toContain(secret);
    expect(texts).toContain("remote");

    // What a person pushes without a review is fine where nothing would be sent.
    const ways = [
      (text: string) => team.apply(team.repository.pushDirectly({ "README.md": text })),
      (text: string) => team.land({ "README.md": text }),
    ];
    for (const [index, unrelated] of sample("ways of an unrelated change", ways, 1).entries()) {
      expect((await unrelated(`The desk, ${index}.\n`)).isSuccessful).toBe(true);
      expect(team.creations("/v3/agents/")).toBe(2);
    }
  });

  wholeTest(
    "of an apply that fails half way everything is kept, and the comment says what is left",
    async () => {
      const team = await GithubTeam.open(store, [{ method: "POST", path: "/v3/agents/", status: 502 }]);
      const change = await team.propose(agents);
      const commit = team.merge(change);
      const failed = await team.apply(commit);
      expect(failed.codes).toMatchObject({ Apply: 3, "Report what is left to apply": 0 });
      expect(failed.isSuccessful).toBe(false);
      expect(team.lock()).toContain('"policy:strict"');
      expect(team.lock()).toMatch(/"unknown": \{\s*"agent:/);
      expect(team.commentOn(change)).toContain("unknown outcome");
      expect(team.commentOn(change)).toContain("lock resolve");

      // What the apply itself wrote is no edit of the state, so who runs the job again has approved this plan.
      expect(team.commentOn(change)).not.toContain("State edited");
      expect((await team.apply(commit)).codes).toMatchObject({ "See what was reviewed": 0, Apply: 3 });
    },
  );
});

// What is compared are digests, wherever the state is. Where it is in files, main moves with each apply.
wholeTest(
  "of two reviewed changes the one that the other moved is refused, commented on anew, and applied when run again",
  async () => {
    const team = await GithubTeam.open("file");
    await team.begin(agents);
    const [first, second, apart] = [
      await team.propose(policy({ topics: ["weapons", "drugs"] })),
      await team.propose(support({ prompt: "Help at once." })),
      await team.propose(greeter({ greeting: "Good day." })),
    ];
    const before = team.commentOn(second);
    expect((await team.apply(team.merge(first))).isSuccessful).toBe(true);

    // What has nothing to do with it is still as it was reviewed.
    expect((await team.apply(team.merge(apart))).isSuccessful).toBe(true);

    const commit = team.merge(second);
    const refused = await team.apply(commit);
    expect(refused.codes).toMatchObject({
      "See what was reviewed": 0,
      Apply: 4,
      "Report what is left to apply": 0,
    });
    expect(refused.isSuccessful).toBe(false);
    expect(team.emulator.requests.at(-1)?.method).toBe("PUT");
    const after = team.commentOn(second);
    expect(after).not.toBe(before);
    expect(after).toContain("Help at once.");

    const again = await team.apply(commit);
    expect(again.output).toContain("Apply complete: 1 done.");
    expect(again.isSuccessful).toBe(true);
  },
);

wholeTest(
  "where two were merged at once, only the newest commit is applied, and only as it was reviewed",
  async () => {
    const team = await GithubTeam.open("file");
    await team.begin(agents);
    const requests = team.emulator.requests.length;
    const [first, second] = [
      await team.propose(policy({ threshold: 0.8 })),
      await team.propose(greeter({ greeting: "Good day." })),
    ];
    const comments = [team.commentOn(first), team.commentOn(second)];
    const [older, newer] = [team.merge(first), team.merge(second)];

    const outdated = await team.apply(older);
    expect(outdated.codes).toMatchObject({ "See what was reviewed": 4, "Report what is left to apply": 0 });
    expect(outdated.output).toContain("main has changed since this commit");
    expect(team.commentOn(first)).toBe(comments[0]);

    const both = await team.apply(newer);
    expect(both.codes.Apply).toBe(4);
    expect(team.emulator.requests).toHaveLength(requests);
    expect(team.commentOn(second)).toContain("policy:strict");
    expect(team.commentOn(second)).not.toBe(comments[1]);
    expect((await team.apply(newer)).isSuccessful).toBe(true);

    // An old commit that is run again would undo all of it.
    expect((await team.apply(older)).codes["See what was reviewed"]).toBe(4);
  },
);

wholeTest("a commit without a reviewed plan is refused, unless a person gives the digest", async () => {
  const team = await GithubTeam.open("file");
  const commit = team.repository.pushDirectly(agents);
  const refused = await team.apply(commit);
  expect(refused.codes).toMatchObject({ "See what was reviewed": 1, "Report what is left to apply": 1 });
  expect(refused.output).toContain(`no pull request of acme/desk was merged as ${commit}`);
  const digest = /Digest: (sha256:\w{64})/.exec(await planOf(team))?.[1] ?? "";
  expect((await team.apply(commit, { digest: digest.replace(/.$/, "x") })).isSuccessful).toBe(false);
  expect(team.emulator.requests).toEqual([]);
  expect((await team.apply(commit, { digest })).isSuccessful).toBe(true);
});

wholeTest(
  "a change of a default branch with a name that the jobs do not know is not planned in vain",
  async () => {
    const team = await GithubTeam.open("git");
    team.settings = { ...team.settings, branch: "master" };
    const { codes, output } = await team.plan(team.offer(agents));
    expect([codes.Plan, output]).toEqual([1, expect.stringContaining("the default branch is main, but")]);
  },
);

async function planOf(team: GithubTeam): Promise<string> {
  const folder = team.repository.checkOut("refs/heads/main", 1);
  const { output } = await team.machine.run("agentform plan -C fleet/desk --format markdown", folder, {});
  return output.replaceAll("`", "");
}

wholeTest(
  "a file store: a killed apply's journal is committed, and the next run accounts for it",
  async () => {
    const team = await GithubTeam.open("file", [
      { method: "POST", path: "/v3/agents/", hang: true, count: 2 },
    ]);
    const commit = team.merge(await team.propose(agents));
    const running = team.apply(commit);
    await team.creating("/v3/agents/", 2);
    team.machine.killAgentform();
    const killed = await running;
    expect(killed.isSuccessful).toBe(false);
    expect(killed.codes["Save the state"]).toBe(0);
    expect(team.journal()).toContain("agent:");
    expect(git(team.repository.remote, "log", "-1", "--format=%s", "main")).toContain("[skip ci]");

    const next = await team.land({ "README.md": "Something else.\n" });
    expect(next.output).toContain("unknown");
    expect(team.lock()).toMatch(/"unknown": \{\s*"agent:/);
    expect(team.lock()).toContain('"policy:strict"');
    expect(team.journal()).toBeUndefined();
    expect(team.creations("/v1/rai/policies") + team.creations("/v3/tools/credentials")).toBe(2);
  },
);

wholeTest("a file store: the state of a cancelled apply is saved once nothing is sent any more", async () => {
  const team = await GithubTeam.open("file", [{ method: "POST", path: "/v1/rai/policies", delay: 2000 }]);
  const commit = team.merge(await team.propose(agents));
  const running = team.apply(commit);
  await team.creating("/v1/rai/policies", 1);
  team.machine.cancel();
  const cancelled = await running;
  expect(cancelled.codes).toMatchObject({ Apply: 130, "Save the state": 0 });
  expect(cancelled.output).toContain("agent:support: skipped, because the apply was interrupted");
  expect(team.lock()).toContain('"policy:strict"');
  expect(team.journal()).toBeUndefined();
});

wholeTest(
  "a git store: of a machine that is gone the claim stays on the ref until a person unlocks it",
  async () => {
    const team = await GithubTeam.open("git", [
      { method: "POST", path: "/v3/agents/", hang: true, count: 2 },
    ]);
    const commit = team.merge(await team.propose(agents));
    const running = team.apply(commit, { diesIn: "Apply" });
    await team.creating("/v3/agents/", 2);
    team.machine.killAgentform();
    await running;
    expect(team.journal()).toContain("agent:support");

    team.changeMachine();
    const held = await team.apply(commit);
    expect(held.codes).toMatchObject({ "See what was reviewed": 0, Apply: 4 });
    expect(held.output).toContain("on runner-1, since");
    const nonce = /lock unlock (\w+)/.exec(held.output)?.[1] ?? "";
    const desk = team.repository.checkOut("refs/heads/main", 1);
    const unlock = `git fetch --quiet origin '+refs/agentform/*:refs/agentform/*' && agentform lock unlock -C fleet/desk ${nonce}`;
    expect(await team.machine.run(unlock, desk, {})).toMatchObject({ code: 0 });

    const next = await team.land({ "README.md": "Something else.\n" });
    expect(next.output).toContain("unknown");
    expect(team.creations("/v1/rai/policies")).toBeLessThanOrEqual(1);
    expect(team.lock()).toMatch(/"unknown": \{\s*"agent:/);
  },
);
