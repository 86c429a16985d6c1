import { describe, expect, test } from "vitest";
import { greeter, policy, secrets, support } from "./desk.js";
import { agents } from "./github-team.js";
import { GitlabTeam, hasPlan, tokens } from "./gitlab-team.js";

describe.each(["http", "file", "git"] as const)("with a %s store", (store) => {
  test("a change is planned, commented on, merged and applied", async () => {
    const team = await GitlabTeam.open(store);
    const change = await team.propose(agents);
    expect(team.noteOn(change)).toContain("agent:support");
    expect(team.emulator.requests).toEqual([]);
    const applied = await team.apply(team.merge(change));
    expect(applied.output).toContain("Apply complete: 4 done.");
    expect(applied.code).toBe(0);
    expect(team.lock()).toContain('"agent:greeter"');
    for (const secret of [...Object.values(secrets), ...tokens]) {
      expect(applied.output + team.noteOn(change) + (team.lock() ?? "")).not.toContain(secret);
    }
  });

  test("of an apply that fails half way everything is kept, and the exit code is its own", async () => {
    const team = await GitlabTeam.open(store, [{ method: "POST", path: "/v3/agents/", status: 502 }]);
    const change = await team.propose(agents);
    expect((await team.apply(team.merge(change))).code).toBe(3);
    expect(team.lock()).toContain('"policy:strict"');
    expect(team.noteOn(change)).toContain("lock resolve");
  });
});

// What is compared are digests, wherever the state is. Where it is in files, main moves with each apply.
test("what another merge moved is refused with 4, commented on anew, and applied when run again", async () => {
  const team = await GitlabTeam.open("file");
  await team.apply(team.merge(await team.propose(agents)));
  const [first, second] = [
    await team.propose(policy({ topics: ["weapons", "drugs"] })),
    await team.propose(support({ prompt: "Help at once." })),
  ];
  const before = team.noteOn(second);
  expect((await team.apply(team.merge(first))).code).toBe(0);
  const commit = team.merge(second);
  expect((await team.apply(commit)).code).toBe(4);
  expect(team.noteOn(second)).not.toBe(before);
  expect((await team.apply(commit)).code).toBe(0);
});

test("a branch that is behind is planned as its merge, and one that cannot be merged says so", async () => {
  const team = await GitlabTeam.open("git");
  await team.apply(team.merge(await team.propose(agents)));
  const [first, second] = [
    await team.propose(greeter({ greeting: "Good day." })),
    await team.propose(support({ prompt: "Help at once." })),
  ];
  const third = await team.propose(greeter({ greeting: "Good night." }));
  await team.apply(team.merge(first));
  expect((await team.plan(second)).output).not.toContain("agent:greeter");
  expect(team.noteOn(second)).toContain("agent:support");

  const conflicting = await team.plan(third);
  expect(conflicting.code).toBe(1);
  expect(conflicting.output).toContain("error: main cannot be merged into this change: rebase it");
});

test("a fork's pipeline has no token, and leaves its plan as an artifact", async () => {
  const team = await GitlabTeam.open("git");
  const change = team.repository.propose(agents);
  const planned = await team.plan(change, { GITLAB_TOKEN: "" });
  expect([planned.code, hasPlan(planned)]).toEqual([0, true]);
  expect(team.gitlab.received).toEqual([]);
});

test("a job without the token of the state plans nothing, and leaves no plan", async () => {
  const team = await GitlabTeam.open("http");
  const planned = await team.plan(team.repository.propose(agents), { CI_JOB_TOKEN: "" });
  expect([planned.code, hasPlan(planned)]).toEqual([1, false]);
  expect(planned.output).toContain("it needs a user name and password (HTTP 401)");
  expect(team.emulator.requests).toEqual([]);
});

test("a commit that nobody reviewed is refused, and sends nothing", async () => {
  const team = await GitlabTeam.open("file");
  const refused = await team.apply(team.repository.pushDirectly(agents));
  expect(refused.code).toBe(1);
  expect(refused.output).toContain("so no plan of it was reviewed");
  expect(team.emulator.requests).toEqual([]);
});
