import { expect, test } from "vitest";
import { credential, folder, greeter, manifest, policy, support } from "./desk.js";
import { agents, GithubTeam } from "./github-team.js";

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

test("a workspace in another folder goes on with its state in files, and what was reviewed is applied", async () => {
  const team = await GithubTeam.open("file");
  await team.land(agents);
  const there = "teams/support/desk";
  const files = {
    ...manifest(team.emulator.url, "file"),
    ...policy(),
    ...credential(),
    ...agents,
    [`${folder}/agentform.lock`]: team.lock() ?? "",
  };
  const moved = [...Object.entries(files), ...Object.entries(support({ prompt: "Help at once." }))];
  team.settings = { ...team.settings, workspace: there };
  const change = await team.propose({
    ...Object.fromEntries(Object.keys(files).map((file) => [file, null])),
    ...Object.fromEntries(moved.map(([file, text]) => [file.replace(folder, there), text])),
  });
  expect(team.commentOn(change)).toContain("1 to update");
  const before = team.emulator.requests.length;
  const applied = await team.apply(team.merge(change));
  expect([applied.isSuccessful, applied.output]).toEqual([true, expect.not.stringContaining("first-apply")]);
  expect(team.emulator.requests.slice(before).map(({ method }) => method)).toEqual(["PUT"]);
  expect(team.repository.read("main", `${there}/agentform.lock`)).toContain("Help at once.");
});
