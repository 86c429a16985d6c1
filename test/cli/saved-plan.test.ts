import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { planDigest } from "../../src/core/plan/plan-digest.js";
import { withoutReview } from "../../src/core/review/reviewed-plan.js";
import type { Action, Plan } from "../../src/generated/plan.js";
import { documentText } from "../harness/disk-workspace.js";
import { agentText, documents, manifestAt, openDesk, openEmulator, policyText, secretValue } from "./desk.js";
import { savedPlanText } from "../harness/plan-text.js";

const other = documentText("Policy", "other", { name: "Other" });

test("a saved plan is shown, holds no secret, and creates what it says", async () => {
  const { workspace, emulator, run, lock } = await openDesk();
  const planned = await run("plan", "--out", "plan.json");
  expect(planned).toMatchObject({ code: 0, err: "" });
  expect(planned.out).toBe((await run("plan")).out);
  expect(workspace.read("plan.json")).not.toContain(secretValue);
  expect(readdirSync(workspace.directory).filter((file) => file.includes(".tmp"))).toEqual([]);

  expect((await run("apply", "plan.json", "--yes")).code).toBe(0);
  expect(emulator.objects().agents).toHaveLength(1);
  expect(Object.keys(lock().resources)).toHaveLength(4);

  const again = await run("apply", "plan.json", "--yes");
  expect(again.code).toBe(4);
  expect(again.err).toContain("the settings of the last apply are not those");
  expect(again.err).not.toContain("the settings have changed");
});

test("a saved plan is refused when the manifest names another service than at its making", async () => {
  const { workspace, emulator, run } = await openDesk();
  await run("plan", "--out", "plan.json");
  const second = await openEmulator();
  workspace.write({ "agentform.yaml": manifestAt(second.url) });
  const refused = await run("apply", "plan.json", "--yes");
  expect(refused.code).toBe(4);
  expect(refused.err).toContain("the settings have changed since the plan was made");
  expect([...emulator.requests, ...second.requests]).toEqual([]);
});

test("a saved plan survives changes of the lock that it has nothing to do with", async () => {
  const { workspace, emulator, run } = await openDesk();
  await run("apply", "--yes");
  workspace.write({ "agents/support.yaml": agentText({ description: "Planned" }) });
  await run("plan", "--out", "plan.json");
  workspace.write({ "policies/other.yaml": other });
  expect((await run("apply", "--yes", "--target", "policy:other")).code).toBe(0);
  expect((await run("apply", "plan.json", "--yes")).code).toBe(0);
  expect(emulator.objects().agents[0]?.body).toMatchObject({ description: "Planned" });
});

test("a saved plan is refused, naming the entries, once one that it reads or writes has moved", async () => {
  const { workspace, emulator, run } = await openDesk();
  await run("apply", "--yes");
  workspace.write({ "agents/support.yaml": agentText({ description: "Planned" }) });
  await run("plan", "--out", "plan.json");
  workspace.write({ "agents/support.yaml": agentText({ description: "Another", model: "small-2" }) });
  await run("apply", "--yes");
  const { length } = emulator.requests;
  const refused = await run("apply", "plan.json", "--yes");
  expect(refused.code).toBe(4);
  expect(refused.err).toContain("plan-moved");
  expect(refused.err).toContain("agent:support");
  expect(refused.err).not.toContain("policy:strict");
  // Of another entry it shows too little, and nobody has forged it.
  expect(refused.err).not.toContain("is not what it shows");
  const asEvents = await run("apply", "plan.json", "--yes", "--format", "json");
  expect(asEvents.code).toBe(4);
  expect(asEvents.err).toContain("agent:support");
  expect(emulator.requests).toHaveLength(length);
});

test("a saved plan is refused when a dependency's entry has moved", async () => {
  const { workspace, run } = await openDesk();
  await run("apply", "--yes");
  workspace.write({ "agents/support.yaml": agentText({ description: "Planned" }) });
  await run("plan", "--out", "plan.json");
  workspace.write({
    "policies/strict.yaml": policyText(["weapons", "drugs"]),
    "agents/support.yaml": agentText(),
  });
  await run("apply", "--yes");
  const refused = await run("apply", "plan.json", "--yes");
  expect(refused.code).toBe(4);
  expect(refused.err).toContain("policy:strict");
});

test("a saved plan does not repeat a create whose outcome is unknown", async () => {
  const { workspace, emulator, run } = await openDesk(documents, {
    faults: [{ path: "/v1/rai/policies", drop: "after", skip: 1 }],
  });
  await run("apply", "--yes");
  workspace.write({ "policies/strict.yaml": policyText(["drugs"]) });
  await run("plan", "--out", "plan.json");
  expect((await run("apply", "--yes")).code).toBe(3);
  expect((await run("apply", "plan.json", "--yes")).code).toBe(4);
  expect(emulator.objects().policies).toHaveLength(2);
});

test.each([
  ["one byte changed", (text: string) => text.replace("weapons", "weaponz"), "plan-invalid"],
  ["cut off", (text: string) => text.slice(0, -20), "plan-invalid"],
  ["of another format", (text: string) => text.replace("agentform/plan/v1", "agentform/plan/v9"), "plan/v9"],
])("a saved plan that is %s is refused by apply and show", async (_, damage, said) => {
  const { workspace, emulator, run } = await openDesk();
  await run("plan", "--out", "plan.json");
  workspace.write({ "plan.json": damage(workspace.read("plan.json")) });
  for (const command of [
    ["apply", "plan.json", "--yes"],
    ["show", "plan.json"],
  ]) {
    const refused = await run(...command);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain(said);
  }
  expect(emulator.requests).toEqual([]);
});

test("a saved plan of another workspace, environment, or the emulator's is refused", async () => {
  const { workspace, emulator, run } = await openDesk();
  const withLive = manifestAt(emulator.url, "  environments: {default: {}, live: {}}\n");
  workspace.write({ "agentform.yaml": withLive });
  await run("plan", "--out", "plan.json");
  for (const option of [["-e", "live"], ["--emulator"]]) {
    const refused = await run("apply", "plan.json", "--yes", ...option);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("plan-foreign");
  }
  workspace.write({ "agentform.yaml": withLive.replace("name: desk", "name: another") });
  const refused = await run("apply", "plan.json", "--yes");
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("plan-foreign");
  expect(refused.err).toContain("hint: apply it in the folder of its workspace, which `-C` names");
  expect(emulator.requests).toEqual([]);
});

test("a saved plan takes no option that shapes one, and still asks", async () => {
  const { run } = await openDesk();
  await run("plan", "--out", "plan.json");
  const address = "agent:support";
  for (const option of [
    ["--target", address],
    ["--exclude", address],
    ["--selector", "a=b"],
    ["--changed-since", "HEAD"],
    ["--replace", address],
    ["--resend", "all"],
    ["--service-moved"],
    ["--var", "model=large"],
    ["--var-file", "values.yaml"],
  ]) {
    const refused = await run("apply", "plan.json", "--yes", ...option);
    expect(refused.code).toBe(64);
    expect(refused.err).toContain(`${option[0]} has no effect on a saved plan`);
  }
  expect((await run("apply", "plan.json")).code).toBe(2);
  expect((await run("apply", "missing.json", "--yes")).code).toBe(64);
});

test("the digest that is expected must be the saved plan's", async () => {
  const { run, emulator } = await openDesk();
  await run("plan", "--out", "plan.json");
  expect((await run("apply", "plan.json", "--yes", "--expect", "sha256:other")).code).toBe(4);
  expect(emulator.requests).toEqual([]);
});

test("a plan without changes is saved, one with errors is not", async () => {
  const { workspace, run } = await openDesk({ "policies/other.yaml": other });
  await run("apply", "--yes");
  expect((await run("plan", "--out", "same.json", "--detailed-exitcode")).code).toBe(0);
  expect(JSON.parse(workspace.read("same.json"))).toMatchObject({ actions: [] });
  expect((await run("apply", "same.json", "--yes")).code).toBe(0);

  const spec = { name: "Other", description: "New" };
  workspace.write({ "policies/other.yaml": documentText("Policy", "other", spec, { protect: true }) });
  const refused = await run("plan", "--out", "bad.json");
  expect(refused.code).toBe(1);
  expect(refused.out).toContain("policy:other");
  expect(refused.err).toContain("bad.json was not written");
  expect(() => workspace.read("bad.json")).toThrow(/ENOENT/);
});

test("a plan replaces a saved one whole, and nothing that is no file", async () => {
  const { workspace, run } = await openDesk();
  workspace.write({ "plan.json": `{"format": "agentform/plan/v1", "workspace": "before"` });
  mkdirSync(join(workspace.directory, "folder"));
  expect((await run("plan", "--out", "plan.json")).code).toBe(0);
  expect((await run("show", "plan.json")).code).toBe(0);
  const folder = await run("plan", "--out", "folder");
  expect(folder.code).toBe(1);
  expect(folder.err).toContain("folder cannot be written");
  expect((await run("plan", "--out", "missing/plan.json")).code).toBe(1);
});

test("a plan replaces no file that is not a saved plan", async () => {
  const { workspace, run } = await openDesk();
  await run("apply", "--yes");
  for (const file of ["agentform.lock", "agentform.yaml"]) {
    const before = workspace.read(file);
    const { code, err } = await run("plan", "--out", file);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining("this command did not write it") as string,
    });
    expect(workspace.read(file)).toBe(before);
  }
});

test("--fail-on fails on the notes that it names, and on no others", async () => {
  const { workspace, run } = await openDesk();
  await run("apply", "--yes");
  workspace.write({ "policies/strict.yaml": policyText([]) });
  const weakened = await run(
    "plan",
    "--fail-on",
    "weakens,widens",
    "--detailed-exitcode",
    "--out",
    "plan.json",
  );
  expect(weakened.code).toBe(1);
  expect(weakened.err).toMatch(/error: --fail-on weakens: policy:strict: .*weapons/);
  expect(JSON.parse(workspace.read("plan.json"))).toMatchObject({ summary: { replace: 1 } });
  expect((await run("plan", "--fail-on", "weakens")).code).toBe(1);
  expect((await run("plan", "--fail-on", "widens")).code).toBe(0);
  expect((await run("plan", "--fail-on", "widens", "--detailed-exitcode")).code).toBe(2);
  for (const wrong of ["", "weaken", "weakens;widens", "weakens,"]) {
    expect((await run("plan", "--fail-on", wrong)).code).toBe(64);
  }
});

test("an unknown outcome wins over --fail-on", async () => {
  const { workspace, run } = await openDesk(
    { ...documents, "agents/other.yaml": documentText("Agent", "other", { name: "Other" }) },
    { faults: [{ path: "/v3/agents/", drop: "after" }] },
  );
  await run("apply", "--yes");
  workspace.write({ "policies/strict.yaml": policyText([]) });
  expect((await run("plan", "--fail-on", "weakens", "--detailed-exitcode")).code).toBe(3);
  expect((await run("plan", "--fail-on", "weakens")).code).toBe(1);
});

test("a saved update that would send more than it shows is not applied, though its digest and checksum fit", async () => {
  const { workspace, emulator, run } = await openDesk();
  await run("apply", "--yes");
  workspace.write({ "agents/support.yaml": agentText({ description: "Planned" }) });
  await run("plan", "--out", "plan.json");
  const { checksum: _checksum, ...plan } = JSON.parse(workspace.read("plan.json")) as Plan;
  const actions = plan.actions.map((action) => ({
    ...action,
    body: { ...action.body, model: "${env:OTHER}" },
  }));
  const forged = { ...plan, actions };
  workspace.write({ "plan.json": savedPlanText({ ...forged, digest: planDigest(forged) }) });
  const { length } = emulator.requests;
  const refused = await run("apply", "plan.json", "--yes");
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining("would send for `agent:support` is not what it shows"),
  ]);
  expect(emulator.requests).toHaveLength(length);
});

test.each<[string, Partial<Action>, number, string]>([
  ["creates again what is there", { action: "create" }, 4, "the lock has changed since the plan was made"],
  [
    "records what was never sent",
    { action: "record", changes: [] },
    1,
    "would send for `agent:support` is not what it shows",
  ],
])(
  "a saved plan that %s is not applied, though its digest and checksum fit",
  async (_what, forgery, ...end) => {
    const { workspace, emulator, run, lock } = await openDesk();
    await run("apply", "--yes");
    workspace.write({ "agents/support.yaml": agentText({ description: "Planned" }) });
    await run("plan", "--out", "plan.json");
    const { checksum: _checksum, ...plan } = JSON.parse(workspace.read("plan.json")) as Plan;
    const actions = plan.actions.map(({ ids: _ids, fields: _fields, requests: _requests, ...action }) => {
      const changes = Object.entries(action.body ?? {}).map(([path, after]) => ({ path, after }));
      return { ...action, reads: {}, changes, ...forgery };
    });
    const summary = { ...plan.summary, update: 0, [forgery.action ?? ""]: actions.length };
    const forged = { ...plan, actions, summary };
    workspace.write({ "plan.json": savedPlanText({ ...forged, digest: planDigest(forged) }) });
    const [before, { length }] = [lock(), emulator.requests];
    const refused = await run("apply", "plan.json", "--yes");
    const [code, message] = end;
    expect([refused.code, refused.err]).toEqual([code, expect.stringContaining(message)]);
    expect(lock()).toEqual(before);
    expect(emulator.requests).toHaveLength(length);
  },
);

test.each<[string, Partial<Action>, number, string]>([
  ["updates what was never applied", { action: "update" }, 4, "the lock has changed since the plan was made"],
  [
    "has a tool of another ID than it says",
    { action: "adopt", ids: ["one"], tools: { read: "two" } },
    1,
    "has a tool whose ID it does not take over",
  ],
  ["has nothing to send", { body: undefined as never }, 1, "has nothing to send"],
  ["takes over nothing", { action: "adopt", ids: [] }, 1, "has no ID to take over"],
])("a saved plan that %s is refused whole", async (_what, forgery, ...end) => {
  const { workspace, emulator, run } = await openDesk({ "policies/other.yaml": other });
  workspace.write({ "agents/new.yaml": documentText("Agent", "new", { name: "New" }) });
  await run("plan", "--out", "plan.json");
  const { checksum: _checksum, ...plan } = JSON.parse(workspace.read("plan.json")) as Plan;
  const actions = plan.actions.map((action) =>
    action.address === "agent:new" ? { ...action, ...forgery } : action,
  );
  const summary = { ...plan.summary, ...(forgery.action && { create: 1, [forgery.action]: 1 }) };
  const forged = JSON.parse(JSON.stringify({ ...plan, actions, summary })) as Plan;
  workspace.write({ "plan.json": savedPlanText({ ...forged, digest: planDigest(forged) }) });
  const refused = await run("apply", "plan.json", "--yes");
  const [code, message] = end;
  expect([refused.code, refused.err]).toEqual([code, expect.stringContaining(message)]);
  expect(emulator.requests).toEqual([]);
});

test("the words of a note and of a reason are those of its parts, whatever a saved plan says", async () => {
  const { workspace, run } = await openDesk(documents);
  await run("apply", "--yes");
  workspace.write({ "policies/strict.yaml": documentText("Policy", "strict", { name: "Strict" }) });
  await run("plan", "--out", "plan.json");
  const plan = withoutReview(JSON.parse(workspace.read("plan.json")) as Plan);
  const shown = await run("show", "plan.json");
  const notes = plan.notes.map((note) => ({ ...note, message: "nothing to see here" }));
  const actions = plan.actions.map((action) => ({ ...action, reasons: ["nothing to see here"] }));
  workspace.write({ "plan.json": savedPlanText({ ...plan, notes, actions }) });
  expect(await run("show", "plan.json")).toEqual(shown);
  for (const code of ["constructor", "no-such-reason"]) {
    const causes = [{ code, parts: {} }];
    const forged = { ...plan, actions: plan.actions.map((action) => ({ ...action, causes })) };
    workspace.write({ "plan.json": savedPlanText({ ...forged, digest: planDigest(forged) }) });
    const refused = await run("show", "plan.json");
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("a reason of the plan")]);
  }
});
