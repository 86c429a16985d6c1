import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JournalHeader } from "../../src/generated/journal.js";
import { JournalWriter, type JournalRecord } from "../../src/core/state/journal.js";
import { emptyLock, type Lock, type LockEntry } from "../../src/core/state/lock.js";
import { lockText } from "../harness/lock-text.js";
import { folder, manifest, policy, support } from "../ci/desk.js";
import { agents, GithubTeam } from "../ci/github-team.js";

const lockFile = `${folder}/agentform.lock`;
const title = "State edited by this change";
const harmless = support({ prompt: "Help at once." });

async function startApplied(): Promise<GithubTeam> {
  const team = await GithubTeam.open("file");
  await team.begin(agents);
  return team;
}

const lockOf = (team: GithubTeam): Lock => JSON.parse(team.lock() ?? "") as Lock;
const updates = (team: GithubTeam) => team.emulator.requests.filter(({ method }) => method !== "POST");
const digestIn = (text: string) => /^Digest: `(sha256:\w{64})`/m.exec(text)?.[1];

/** A lock in which the policy is another object, and the agent's reference leads to that one. */
function detached(lock: Lock, id = "no-policy-at-all"): string {
  const edited = structuredClone(lock);
  entryOf(edited, "policy:strict").id = id;
  entryOf(edited, "agent:support").references = {
    ...entryOf(edited, "agent:support").references,
    "policy:strict": id,
  };
  return lockText(edited);
}

/** A lock that has what the policy's document is about to say, so that no plan would send it. */
function hidden(lock: Lock): string {
  const edited = structuredClone(lock);
  const entry = entryOf(edited, "policy:strict");
  entry.body = { ...entry.body, prompt_injection: { enabled: true, threshold: 0.9 } };
  return lockText(edited);
}

function entryOf({ resources }: Lock, address: string): LockEntry {
  const entry = resources[address];
  if (!entry) throw new Error(`the lock has no ${address}`);
  return entry;
}

/** A journal that says that the policy is another object now. */
function forgedJournal({ workspace, environment, lineage, serial, service, ...lock }: Lock): string {
  const header: JournalHeader = {
    type: "header",
    format: "agentform/journal/v1",
    workspace,
    environment,
    lineage,
    serial,
    write: "w1",
    service: service ?? { base_url: "" },
  };
  const { body, digest } = lock.resources["policy:strict"] ?? { body: {}, digest: "" };
  const records: JournalRecord[] = [
    {
      type: "begin",
      n: 1,
      address: "policy:strict",
      operation: "create",
      time: "2026-11-20T02:14:07.748Z",
      method: "POST",
      path: "/v1/rai/policies",
      body,
      digest,
    },
    { type: "done", n: 1, id: "no-policy-at-all" },
  ];
  const writer = new JournalWriter();
  return [header, ...records].map((record) => writer.render(record)).join("");
}

const edits: readonly [string, (lock: Lock) => Record<string, string | null>][] = [
  ["the ID of a policy and the reference to it edited", (lock) => ({ [lockFile]: detached(lock) })],
  ["a body edited to hide a change", (lock) => ({ [lockFile]: hidden(lock), ...policy({ threshold: 0.9 }) })],
  ["a journal added", (lock) => ({ [`${lockFile}.journal`]: forgedJournal(lock) })],
];

test.each(edits)("%s: shown before all else, and refused where it was not reviewed", async (_, edit) => {
  const team = await startApplied();
  const sent = team.emulator.requests.length;
  const shown = team.commentOn(await team.propose({ ...harmless, ...edit(lockOf(team)) }));
  // The first lines are the counts.
  const [head = "", ...blocks] = shown.split("\n\n");
  const at = blocks.findIndex((block) => block.includes(title));
  expect(head).toContain("the change edits the state");
  expect([0, 1]).toContain(at);
  expect(blocks[at + 1]).toContain("policy:strict");

  const change = await team.propose(harmless);
  const before = team.commentOn(change);
  expect(before).not.toContain(title);
  expect(digestIn(shown)).not.toBe(digestIn(before));
  const commit = team.merge(team.repository.extend(change, edit(lockOf(team))));
  const refused = await team.apply(commit);
  expect(refused.codes).toMatchObject({ Apply: 4, "Save the state": 0, "Report what is left to apply": 0 });
  expect(team.emulator.requests).toHaveLength(sent);
  expect(digestIn(team.commentOn(change))).toBe(digestIn(shown));
});

test("the lock deleted: nothing is planned with it, and nothing is sent after a merge", async () => {
  const team = await startApplied();
  const sent = team.emulator.requests.length;
  await expect(team.propose({ ...harmless, [lockFile]: null })).rejects.toThrow("lock-behind");
  const change = await team.propose(harmless);
  const refused = await team.apply(team.merge(team.repository.extend(change, { [lockFile]: null })));
  expect(refused.isSuccessful).toBe(false);
  expect(team.emulator.requests).toHaveLength(sent);
});

test("by each way to merge, what was reviewed is applied, and what was not is refused until it is", async () => {
  const team = await startApplied();
  for (const way of ["merge", "squash", "rebase", "fast-forward"] as const) {
    const sent = updates(team).length;
    const change = await team.propose(support({ prompt: `Help at once, by ${way}.` }));
    const id = `no-policy-at-all-${way}`;
    const edited = team.repository.extend(change, { [lockFile]: detached(lockOf(team), id) });
    const commit = team.merge(team.repository.extend(edited, { "README.md": `By ${way}.\n` }), way);
    expect((await team.apply(commit)).codes.Apply, way).toBe(4);
    expect(updates(team), way).toHaveLength(sent);
    expect(team.commentOn(change), way).toContain(id);

    // Whoever runs the job again has read that.
    const again = await team.apply(commit);
    expect(again.output, way).toContain("Apply complete: 1 done.");
  }
  expect((await team.land({ "README.md": "Something else.\n" })).isSuccessful).toBe(true);
});

test("an edit that was merged while nothing was applied is part of the next plan", async () => {
  const team = await startApplied();
  const quiet = await team.propose({ [lockFile]: detached(lockOf(team)) });
  const change = await team.propose(harmless);
  team.merge(quiet);
  const commit = team.merge(change);
  expect((await team.apply(commit)).codes.Apply).toBe(4);
  expect(updates(team)).toEqual([]);
  expect(team.commentOn(change)).toContain(title);
});

test("an edit of the lock alone, for which a plan has nothing to send, must be reviewed as well", async () => {
  const team = await startApplied();
  const forged = { [lockFile]: detached(lockOf(team)) };
  const pushed = await team.apply(team.repository.pushDirectly(forged));
  expect(pushed.isSuccessful).toBe(false);
  expect(pushed.output).toContain("so no plan of it was reviewed");
  const unnoticed = await team.land({ "README.md": "Something else.\n" });
  expect(unnoticed.isSuccessful).toBe(false);
});

test("an edit that was reviewed is part of what was applied, although nothing was sent for it", async () => {
  const team = await startApplied();
  const change = await team.propose({ [lockFile]: detached(lockOf(team)) });
  expect(team.commentOn(change)).toContain(title);
  expect((await team.apply(team.merge(change))).isSuccessful).toBe(true);
  const next = await team.propose(harmless);
  expect((await team.apply(team.merge(next))).isSuccessful).toBe(true);
  expect(team.commentOn(next)).not.toContain(title);
});

test("a person's `lock resolve` in a pull request is shown, reviewed and applied", async () => {
  const lost = { method: "POST", path: "/v3/agents/", status: 502, count: 2 };
  const team = await GithubTeam.open("file", [lost]);
  await team.land(agents);
  expect(Object.keys(lockOf(team).unknown)).toHaveLength(2);
  const desk = team.repository.checkOut("refs/heads/main", 0);
  const resolve = "agentform lock resolve -C fleet/desk";
  const repaired = await team.machine.run(
    `${resolve} agent:support --not-created && ${resolve} agent:greeter --adopt found-by-name`,
    desk,
    {},
  );
  expect(repaired.code).toBe(0);
  const change = await team.propose({ [lockFile]: readFileSync(join(desk, lockFile), "utf8") });
  expect(team.commentOn(change)).toContain(title);
  expect(team.commentOn(change)).toContain("found-by-name");
  const result = await team.apply(team.merge(change));
  expect(result.output).toContain("Apply complete");
  expect(entryOf(lockOf(team), "agent:support").id).toBeDefined();
  expect(entryOf(lockOf(team), "agent:greeter").id).toBe("found-by-name");
});

test("where the remote takes no ref, no state is lost, and the job says what follows", async () => {
  const team = await GithubTeam.open("file");
  const hook = join(team.repository.remote, "hooks", "update");
  writeFileSync(hook, "#!/bin/sh\ncase $1 in refs/agentform/*) exit 1 ;; esac\n");
  chmodSync(hook, 0o755);
  const result = await team.land(agents);
  expect(result.isSuccessful).toBe(true);
  expect(result.output).toContain("could not be pushed");
  expect(Object.keys(lockOf(team).resources)).toHaveLength(4);
  const change = await team.propose(harmless);
  const commit = team.merge(team.repository.extend(change, { [lockFile]: detached(lockOf(team)) }));
  expect((await team.apply(commit)).codes.Apply).toBe(4);
});

test("apply compares as plan does, and refuses a lock that lacks what the commit has", async () => {
  const team = await startApplied();
  const main = team.repository.checkOut("refs/heads/main", 0);
  const run = (script: string) =>
    team.machine.run(script, main, { AGENT_API_KEY: "k3y-value", PROVIDER_KEY: "pr0vider-value" });
  await run("git branch tip && git checkout --quiet HEAD~1");
  const sent = team.emulator.requests.length;
  const behind = await run("agentform apply -C fleet/desk --yes --lock-from tip");
  expect([behind.code, behind.output]).toEqual([
    4,
    expect.stringContaining("lacks entries of the --lock-from commit"),
  ]);
  expect(team.emulator.requests).toHaveLength(sent);
  const planned = await run("agentform plan -C fleet/desk --lock-from tip");
  expect(planned.output).toContain("No changes.");
  expect(planned.output).not.toContain(title);
});

test("a change that turns the manifest from a ref to a lock file of its own is refused, planned or not", async () => {
  const team = await GithubTeam.open("git");
  const url = team.emulator.url;
  const forged = {
    ...emptyLock({ workspace: "desk", environment: null }, "forged"),
    serial: 1,
    writes: "w1",
  };
  const change = team.repository.propose({ ...manifest(url, "file"), [lockFile]: lockText(forged) });
  const planned = await team.plan(change);
  expect(planned.codes).toEqual({ "Install agentform": 0, Plan: 1 });
  expect(planned.output).toContain("error[lock-disagrees]");
  const applied = await team.apply(team.merge(change));
  expect(applied.codes["See what was reviewed"]).toBe(1);
  expect(team.emulator.requests).toEqual([]);
});
