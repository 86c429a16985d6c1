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

test("nor is it applied where several commits are merged as they are, however often the job is run", async () => {
  const team = await GithubTeam.open("git");
  await team.begin({ ...agents, "fleet/desk/rules/shouting.yaml": rule });

  const change = team.offer({ "fleet/desk/rules/shouting.yaml": null });
  const both = team.repository.extend(change, greeter({ greeting: "Hello!" }));
  const queued = await team.planInQueue(both, "rebase");
  expect([queued.isSuccessful, queued.output]).toEqual([false, expect.stringContaining("does not shout")]);
  const commit = team.merge(both, "rebase");
  const requests = team.emulator.requests.length;
  for (const run of [await team.apply(commit), await team.apply(commit)]) {
    expect(run.output).toContain("An agent does not shout");
    expect(run.isSuccessful).toBe(false);
  }
  expect(team.emulator.requests).toHaveLength(requests);
});
