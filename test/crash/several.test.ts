import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { openEmulator } from "../cli/desk.js";
import { sample, wholeTest } from "../harness/tier.js";
import { guarded, openPlatform, policy, twoTeams, type Platform } from "../uses/platform.js";
import { startApply } from "./apply-process.js";
import { Moments, type Moment } from "./moments.js";

const folders = ["guard", "care"] as const;

/** Applies all in this process, as a person does before or after. */
async function applyHere(platform: Platform) {
  return await platform.run(".", "apply", "--all", "--yes");
}

/** Applies all in a process to its end; gives what a kill after each change of a file would have left. */
async function momentsOf({ workspace: { directory } }: Platform, data: string): Promise<readonly Moment[]> {
  const moments = new Moments({ directory, data });
  const { ended } = startApply(directory, {
    command: ["apply", "--all"],
    preload: "kill-at.mjs",
    env: { KILL_BELOW: directory },
    keep: () => moments.keep(),
  });
  const { code, stderr } = await ended;
  expect(code, stderr).toBe(0);
  return moments.kept;
}

/** Makes a platform what it was at a moment, its service included, which has the same address. */
async function putBack(platform: Platform, { directory, data }: Moment): Promise<Platform> {
  await platform.emulator.close();
  rmSync(platform.workspace.directory, { recursive: true });
  cpSync(directory, platform.workspace.directory, { recursive: true });
  return { ...platform, emulator: await openEmulator({ port: platform.emulator.port, data }) };
}

async function stateOf(platform: Platform, folder: string) {
  const [list, retired] = await Promise.all(
    ["list", "retired"].map((what) => platform.run(folder, "lock", what, "--format", "json")),
  );
  const { resources } = JSON.parse(list?.out ?? "") as { resources: { address: string; state: string }[] };
  return { resources, text: `${list?.out}${retired?.out}` };
}

/** Resolves what is unknown as a person would who looks into the service; gives how much that was. */
async function resolveUnknown(platform: Platform): Promise<number> {
  let count = 0;
  for (const folder of folders) {
    const { resources, text } = await stateOf(platform, folder);
    const { policies, agents } = platform.emulator.objects();
    const made = [...policies, ...agents].filter(({ id }) => !text.includes(id));
    for (const { address } of resources.filter(({ state }) => state === "unknown")) {
      const name = address.slice(address.indexOf(":") + 1);
      const found = made.find(({ body }) => String(body.name).toLowerCase() === name);
      const way = found ? ["--adopt", found.id] : ["--not-created"];
      const ran = await platform.run(folder, "lock", "resolve", address, ...way);
      expect(ran.code, ran.err).toBe(0);
      count++;
    }
  }
  return count;
}

async function openEdition(edition: "first" | "second", data: string): Promise<Platform> {
  const platform = await openPlatform(twoTeams, { data });
  if (edition === "first") return platform;
  expect((await applyHere(platform)).code).toBe(0);
  platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "tobacco") });
  return platform;
}

// Every change of one workspace is tried by `sweep.test.ts`; here every second, those between in the other edition.
const editions = [
  { edition: "first", policies: 1, odd: 1 },
  { edition: "second", policies: 2, odd: 0 },
] as const;

test.each(sample("editions of several", editions, 0))(
  "an apply of several that was killed is finished by the same command, and nothing is made twice: $edition",
  async ({ edition, policies, odd }) => {
    const data = mkdtempSync(join(tmpdir(), "agentform-several-"));
    onTestFinished(() => rmSync(data, { recursive: true, force: true }));
    let platform = await openEdition(edition, data);
    const moments = await momentsOf(platform, data);
    expect(moments.length).toBeGreaterThan(20);
    for (const [index, moment] of moments.slice(0, -1).entries()) {
      const number = index + 1;
      if (number % 2 !== odd) continue;
      platform = await putBack(platform, moment);
      await resolveUnknown(platform);
      const again = await applyHere(platform);
      expect(again.code, `after ${number}: ${again.err}`).toBe(0);
      const plans = await platform.run(".", "plan", "--all", "--detailed-exitcode");
      expect(plans.code, plans.out).toBe(0);
      const objects = platform.emulator.objects();
      expect([objects.policies.length, objects.agents.length], `after ${number}`).toEqual([policies, 1]);
    }
  },
);

const requests = [
  { where: "guard", before: 0 },
  { where: "care", before: 1 },
] as const;

test.each(sample("requests of several in flight", requests, 0))(
  "a death with a request of $where in flight leaves it unknown, and what uses it waits",
  async (death) => {
    const platform = await openPlatform(twoTeams, { latency: 300 });
    const { child, ended } = startApply(platform.workspace.directory, { command: ["apply", "--all"] });
    while (platform.emulator.requests.length <= death.before) await sleep(5);
    child.kill("SIGKILL");
    await ended;
    await sleep(400);
    const early = await applyHere(platform);
    expect(early.code, early.err).toBe(3);
    if (death.where === "guard") {
      expect(early.err).toContain("care: not begun, because guard was not applied whole");
    }
    expect(await resolveUnknown(platform)).toBe(1);
    expect((await applyHere(platform)).code).toBe(0);
    const { policies, agents } = platform.emulator.objects();
    expect([policies.length, agents.length]).toEqual([1, 1]);
  },
);

test("what is another plan by its turn is not sent, and the workspaces before it are applied", async () => {
  const platform = await openPlatform(twoTeams, { latency: 500 });
  const { ended } = startApply(platform.workspace.directory, { command: ["apply", "--all"] });
  while (platform.emulator.requests.length === 0) await sleep(5);
  platform.workspace.write({
    "care/agents/support.yaml": guarded("${policy:strict@guard}", { description: "another" }),
  });
  const { code, stdout, stderr } = await ended;
  expect(code, stderr).toBe(4);
  expect(stderr).toContain("what would be done in `care` is not what was agreed to");
  expect(stderr).not.toContain("--expect");
  expect(stdout).toContain("guard: Apply complete: 1 done.");
  expect(platform.emulator.requests).toHaveLength(1);
});

wholeTest(
  "an interruption lets what is in flight finish, begins no other workspace, and the same command goes on",
  async () => {
    const platform = await openPlatform(twoTeams, { latency: 500 });
    const { child, ended } = startApply(platform.workspace.directory, {
      command: ["apply", "--all", "--format", "json"],
    });
    while (platform.emulator.requests.length === 0) await sleep(5);
    child.kill("SIGINT");
    const { code, stdout } = await ended;
    expect(code).toBe(130);
    const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as object;
    expect(last).toMatchObject({
      type: "summary",
      done: 1,
      workspaces: [
        { folder: "guard", status: "applied" },
        { folder: "care", status: "not-begun", because: "of an interruption" },
      ],
    });
    expect((await applyHere(platform)).code).toBe(0);
    const { policies, agents } = platform.emulator.objects();
    expect([policies.length, agents.length]).toEqual([1, 1]);
  },
);
