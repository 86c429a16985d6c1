import { expect, test } from "vitest";
import { greeter } from "./desk.js";
import { agents, GithubTeam } from "./github-team.js";

const rule = JSON.stringify({
  apiVersion: "agentform/v1",
  kind: "Rule",
  metadata: { name: "no-shouting" },
  spec: {
    effect: "error",
    message: "An agent does not shout.",
    document: { properties: { spec: { properties: { system_prompt: { not: { pattern: "!" } } } } } },
  },
});

test("a change that takes away the rule that it breaks is refused by the job; one that only takes it away is not", async () => {
  const team = await GithubTeam.open("git");
  // What is proposed fails unless its plan succeeds.
  const first = await team.propose({ ...agents, "fleet/desk/rules/shouting.yaml": rule });
  expect((await team.apply(team.merge(first))).isSuccessful).toBe(true);

  const loud = greeter({ greeting: "Hello!" });
  const both = team.propose({ ...loud, "fleet/desk/rules/shouting.yaml": null });
  await expect(both).rejects.toThrow("An agent does not shout");

  const alone = await team.propose({ "fleet/desk/rules/shouting.yaml": null });
  expect((await team.apply(team.merge(alone))).isSuccessful).toBe(true);
});
