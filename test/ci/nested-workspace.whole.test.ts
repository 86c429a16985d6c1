import { expect, test } from "vitest";
import { greeter } from "./desk.js";
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
