import { expect, test } from "vitest";
import { greeter } from "./desk.js";
import { agents, GithubTeam } from "./github-team.js";
import { GitlabTeam } from "./gitlab-team.js";
import { documentText, makeWorkspace, manifest } from "../harness/disk-workspace.js";
import { runIn } from "../cli/desk.js";
import { wholeTest } from "../harness/tier.js";

const path = "fleet/desk/agents/greeter.yaml";
// The service gets a field that agentform does not know.
const unknown = greeter({ greeting: "Hello." })[path]?.replace(
  '"name":"Greeter"',
  '"name":"Greeter","mood":"good"',
);
const mood = "unknown field `spec.mood`";

function countIn(output: string): number {
  return output.split(mood).length - 1;
}

wholeTest("a warning stands once in the log of each of GitHub's jobs, and in the comment", async () => {
  const team = await GithubTeam.open("git");
  const change = team.offer({ ...agents, [path]: unknown ?? "" });
  const planned = await team.plan(change);
  expect([planned.isSuccessful, countIn(planned.output)]).toEqual([true, 1]);
  expect((await team.comment(change)).isSuccessful).toBe(true);
  expect(planned.output).toContain("::warning file=fleet/desk/agents/greeter.yaml");
  expect(team.commentOn(change)).toContain("mood");
  const applied = await team.apply(team.merge(change));
  expect([applied.isSuccessful, countIn(applied.output)]).toEqual([true, 1]);
});

wholeTest("a warning stands once in the log of each of GitLab's jobs", async () => {
  const team = await GitlabTeam.open("git");
  const change = team.offer({ ...agents, [path]: unknown ?? "" });
  const planned = await team.plan(change);
  expect([planned.code, countIn(planned.output)]).toEqual([0, 1]);
  const applied = await team.apply(team.merge(change));
  expect([applied.code, countIn(applied.output)]).toEqual([0, 1]);
});

test("a plan in any job's log has its warnings above it alone; in a file it has them, too", async () => {
  const { directory } = makeWorkspace({
    "agentform.yaml": `${manifest}  variables: {unused: x}\n`,
    "policies/strict.yaml": documentText("Policy", "strict", { name: "Strict" }),
  });
  const message = "variable `unused` is never used";
  const planned = await runIn(directory, ["plan"]);
  expect([planned.out, planned.err]).toEqual([
    expect.stringContaining(message),
    expect.stringContaining(message),
  ]);
  const logged = await runIn(directory, ["plan"], { CI: "true" });
  expect([logged.out, logged.err]).toEqual([
    expect.not.stringContaining(message),
    expect.stringContaining(message),
  ]);
});
