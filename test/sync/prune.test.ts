import { expect, test } from "vitest";
import { Secret } from "../../src/service/secret.js";
import { targetOf } from "../../src/service/target.js";
import { apply } from "../../src/sync/apply.js";
import type { ApplyRequest } from "../../src/sync/request.js";
import { policyText, type Desk } from "../cli/desk.js";
import { openFullDesk } from "../cli/full-desk.js";

/** Applies a policy of which two old objects are left behind; gives their IDs. */
async function leaveBehind(desk: Desk): Promise<string[]> {
  for (const topics of [["weapons"], ["drugs"], ["hate"]]) {
    desk.workspace.write({ "policies/strict.yaml": policyText(topics) });
    expect((await desk.run("apply", "--yes")).code).toBe(0);
  }
  return Object.keys(desk.lock().retired);
}

/** Prunes; what is done once the plan was shown is `meanwhile`. */
async function pruneWith(desk: Desk, meanwhile: () => unknown, more: Partial<ApplyRequest> = {}) {
  const events: string[] = [];
  const result = await apply({
    directory: desk.workspace.directory,
    prune: [],
    userAgent: "agentform/test",
    target: (settings) => targetOf(settings, (name) => new Secret(name)),
    async confirm() {
      await meanwhile();
      return true;
    },
    onEvent: (event) => events.push(`${event.type} ${"because" in event ? event.because : ""}`.trim()),
    ...more,
  });
  return { ...result, events };
}

const policies = ({ emulator }: Desk) => emulator.objects().policies.map(({ id }) => id);

test("what comes into use while the plan is read is kept and said, and the rest is deleted", async () => {
  const desk = await openFullDesk();
  const [used = "", free = ""] = await leaveBehind(desk);
  const create = { name: "by hand", system_prompt: `Obey ${used}.` };
  const { summary, events } = await pruneWith(desk, () => desk.emulator.edit({ kind: "agent", create }));
  expect(summary).toEqual({ done: 0, failed: 1, unknown: 0, skipped: 0, blocked: 0 });
  expect(events).toContainEqual(expect.stringMatching(/^old-left the agent \S+ \(by hand\) refers to it/));
  expect(policies(desk)).toContain(used);
  expect(policies(desk)).not.toContain(free);
  expect(Object.keys(desk.lock().retired)).toEqual([used]);
});

test("nothing is deleted if the state has changed while the plan was read", async () => {
  const desk = await openFullDesk();
  const old = await leaveBehind(desk);
  const { status } = await pruneWith(desk, async () => {
    desk.workspace.write({ "policies/strict.yaml": policyText(["weapons", "drugs"]) });
    await desk.run("apply", "--yes");
  });
  expect(status).toBe("moved");
  for (const id of old) expect(policies(desk)).toContain(id);
});

test("a saved plan to prune that is not what would be done any more says so", async () => {
  const desk = await openFullDesk();
  await leaveBehind(desk);
  expect((await desk.run("prune", "--out", "prune.json")).code).toBe(0);
  desk.workspace.write({ "policies/strict.yaml": policyText(["weapons", "drugs"]) });
  await desk.run("apply", "--yes");
  const before = policies(desk);
  const { code, err } = await desk.run("apply", "prune.json", "--yes");
  expect(code).toBe(4);
  expect(err).toMatch(/error\[plan-moved\][^]*plan again and review the new plan/);
  expect(policies(desk)).toEqual(before);
});

test("nothing is deleted without the agreement, nor once an interrupt has come", async () => {
  const desk = await openFullDesk();
  const old = await leaveBehind(desk);
  expect(await pruneWith(desk, () => undefined, { confirm: async () => false })).toMatchObject({
    status: "declined",
  });
  const drain = new AbortController();
  const { summary } = await pruneWith(desk, () => drain.abort(), { drain: drain.signal });
  expect(summary).toMatchObject({ done: 0, skipped: 1 });
  for (const id of old) expect(policies(desk)).toContain(id);
  expect(Object.keys(desk.lock().retired)).toEqual(old);
});
