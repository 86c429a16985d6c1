import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { credential, folder, greeter, manifest, policy, support } from "./desk.js";
import { agents, GithubTeam } from "./github-team.js";
import { git, guardBranches } from "./repository.js";

test("the state of a workspace in a folder of this one is no newer change of this one", async () => {
  const team = await GithubTeam.open("git");
  const commit = team.merge(await team.propose(agents));
  team.repository.pushDirectly({ "fleet/desk/inner/agentform.staging.lock": "{}" });
  expect(await team.apply(commit)).toMatchObject({ isSuccessful: true });

  const older = team.merge(team.offer(greeter({ greeting: "Good day." })));
  team.repository.pushDirectly({ "fleet/desk/inner/agentform.yaml": "{}" });
  const refused = await team.apply(older);
  expect([refused.isSuccessful, refused.output]).toEqual([
    false,
    expect.stringContaining("only the run of its newest commit applies"),
  ]);
});

const there = "teams/support/desk";

// All of the desk in another folder, with what the branch has as its lock.
function moved(team: GithubTeam, changes: Readonly<Record<string, string>> = {}) {
  const lock = team.lock();
  const files: Record<string, string> = {
    ...manifest(team.emulator.url, "file"),
    ...policy(),
    ...credential(),
    ...agents,
    ...(lock !== undefined && { [`${folder}/agentform.lock`]: `${lock}\n` }),
  };
  const texts = Object.entries({ ...files, ...changes });
  return {
    ...Object.fromEntries(Object.keys(files).map((file) => [file, null])),
    ...Object.fromEntries(texts.map(([file, text]) => [file.replace(folder, there), text])),
  };
}

test("a workspace in another folder goes on with its state in files, and what was reviewed is applied", async () => {
  const team = await GithubTeam.open("file");
  await team.begin(agents);
  team.settings = { ...team.settings, workspace: there };
  const change = await team.propose(moved(team, support({ prompt: "Help at once." })));
  expect(team.commentOn(change)).toContain("1 to update");
  const before = team.emulator.requests.length;
  const applied = await team.apply(team.merge(change));
  expect([applied.isSuccessful, applied.output]).toEqual([true, expect.not.stringContaining("first-apply")]);
  expect(team.emulator.requests.slice(before).map(({ method }) => method)).toEqual(["PUT"]);
  expect(team.repository.read("main", `${there}/agentform.lock`)).toContain("Help at once.");
});

test.each([
  ["the first", {}, agents],
  ["a later", support(), greeter()],
] as const)(
  "what %s apply made while the folder was moved is not made again, and goes on there once it is merged",
  async (_, earlier, later) => {
    const team = await GithubTeam.open("file");
    if (Object.keys(earlier).length > 0) await team.begin(earlier);
    const here = team.settings;
    const adding = team.merge(await team.propose(later));
    team.settings = { ...here, workspace: there };
    const moving = await team.propose(moved(team));
    team.settings = here;
    const isMerged = join(team.repository.folder, "merged");
    const wait = `while [ ! -e "${isMerged}" ]; do sleep 0.1; done`;
    guardBranches(
      team.repository,
      `case $(git log -1 --format=%s "$3") in agentform:*) ${wait} ;; esac`,
      "*",
    );
    const running = team.apply(adding);
    await team.creating("/v3/agents/", 2);
    const commit = team.merge(moving);
    if (team.repository.read("main~1", `${folder}/agentform.lock`) !== undefined) {
      team.settings = { ...here, workspace: there };
      const early = await team.apply(commit);
      expect(early.codes["See what was reviewed"]).toBe(4);
      expect(early.output).toContain("another job applies the same state");
      team.settings = here;
    }
    writeFileSync(isMerged, "");
    const saved = await running;
    expect(saved.codes).toMatchObject({ Apply: 0, "Save the state": 1 });

    team.settings = { ...here, workspace: there };
    const refused = await team.apply(commit);
    expect(refused.codes["See what was reviewed"]).toBe(4);
    const [rescue = ""] = /agentform-state-default-\w+/.exec(refused.output) ?? [];
    expect(refused.output).toContain(`on the branch ${rescue}, and main does not have it: merge`);

    const state = team.repository.read(rescue, `${folder}/agentform.lock`) ?? "";
    const merging = await team.propose({ [`${there}/agentform.lock`]: `${state}\n` }, [rescue]);
    const merged = await team.apply(team.merge(merging));
    expect([merged.isSuccessful, merged.output]).toEqual([true, expect.any(String)]);
    expect([team.creations("/v3/agents/"), team.creations("/v1/rai/policies")]).toEqual([2, 1]);
    expect(git(team.repository.remote, "for-each-ref", "refs/agentform/applying")).toBe("");
    expect(team.repository.read("main", `${there}/agentform.lock`)).toContain('"agent:greeter"');
  },
);
