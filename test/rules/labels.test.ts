import { expect, test } from "vitest";
import { agentText, documents, manifestAt, openDesk, type Desk } from "../cli/desk.js";
import { ofSpec, ruleText } from "./rule-text.js";

type Labels = Readonly<Record<string, string>>;

const agent = (
  name: string,
  labels: Labels,
  { model = "small-1", ...more }: { model?: string | undefined; lifecycle?: object } = {},
) =>
  JSON.stringify({
    ...(JSON.parse(agentText({ model })) as object),
    ...more,
    metadata: { name, labels },
  });

const forCustomers = (name: string, more: object) =>
  ruleText(name, { for: { kind: "Agent", selector: { audience: "customer" } }, effect: "error", ...more });

const knownModels = forCustomers("known-models", {
  document: ofSpec({ properties: { model: { enum: ["small-1"] } } }),
});

const each = (audience: string) => ({ for_each: { de: { audience }, fr: { audience: "staff" } } });

const patch = (labels: object) => ({
  "environments/default/patched.yaml": JSON.stringify({
    apiVersion: "agentform/v1",
    kind: "Agent",
    metadata: { name: "patched", labels },
  }),
});

// The labels of three agents come from the document, from a key of `for_each` and from a patch.
const files = (audience: string, model?: string) => ({
  "agents/support.yaml": agent("support", { audience }, { model }),
  "agents/each.yaml": agent(
    "desk-${each:key}",
    { audience: "${each:audience}" },
    { model, ...each(audience) },
  ),
  "agents/patched.yaml": agent("patched", { audience: "staff" }, { model }),
  ...patch({ audience }),
});

const all = ["agent:desk-de", "agent:patched", "agent:support"];

async function appliedDesk(rules: Readonly<Record<string, string>> = { "rules/models.yaml": knownModels }) {
  const desk = await openDesk({ ...documents, ...rules, ...files("customer") });
  const environments = "  environments: {default: {}, staging: {}}\n";
  desk.workspace.write({ "agentform.yaml": manifestAt(desk.emulator.url, environments) });
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  return desk;
}

interface Planned {
  readonly setting_changes?: readonly object[];
  readonly notes: readonly { readonly effect: string; readonly path?: string }[];
  readonly actions: readonly {
    readonly address: string;
    readonly action: string;
    readonly changes: object[];
  }[];
}

async function planned(desk: Desk, ...more: readonly string[]) {
  const { out } = await desk.run("plan", "--format", "json", ...more);
  const { setting_changes: settings = [], notes, actions } = JSON.parse(out) as Planned;
  return { settings, notes: notes.map(({ effect, path }) => [effect, path]), actions };
}

test("a change of labels is recorded, agreed to with what leaves a rule by it, and gone from the next plan", async () => {
  const desk = await appliedDesk();
  expect(desk.lock().resources["agent:support"]?.labels).toEqual({ audience: "customer" });
  expect(desk.lock().resources["policy:strict"]).not.toHaveProperty("labels");
  desk.workspace.write(files("nobody"));
  const path = "rules.known-models.judges";
  const { settings, notes, actions } = await planned(desk);
  expect(settings).toEqual([{ path, before: all }]);
  expect(notes).toEqual([["weakens", path]]);
  const changes = [{ path: "metadata.labels.audience", before: "customer", after: "nobody" }];
  expect(actions.map(({ address, action }) => [address, action])).toEqual(
    all.map((each) => [each, "record"]),
  );
  expect(actions[0]).toMatchObject({ changes });
  const again = await desk.run("plan", "--replace", "agent:support", "--format", "json");
  expect(again.out).toContain("`metadata.labels.audience` was edited");
  const sent = desk.emulator.requests.length;
  expect((await desk.run("plan", "--out", "plan.json")).code).toBe(0);
  expect((await desk.run("apply", "plan.json", "--yes")).code).toBe(0);
  expect(desk.emulator.requests.length).toBe(sent);
  expect(desk.lock().resources["agent:patched"]?.labels).toEqual({ audience: "nobody" });
  expect((await desk.run("plan", "--detailed-exitcode")).code).toBe(0);
  expect((await desk.run("lock", "show", "agent:support")).out).toMatch(/Labels\n {2}audience {2}nobody\n/);
});

test("a saved plan that hides what is recorded, or what leaves a rule, is refused", async () => {
  const desk = await appliedDesk();
  desk.workspace.write(files("nobody"));
  expect((await desk.run("plan", "--out", "plan.json")).code).toBe(0);
  const text = desk.workspace.read("plan.json");
  const plan = JSON.parse(text) as Planned & Record<string, unknown>;
  for (const forged of [
    { ...plan, setting_changes: [], notes: [] },
    { ...plan, actions: plan.actions.map((action) => ({ ...action, changes: [] })) },
  ]) {
    desk.workspace.write({ "plan.json": JSON.stringify(forged) });
    expect((await desk.run("apply", "plan.json", "--yes")).code).not.toBe(0);
  }
  expect(desk.lock().resources["agent:support"]?.labels).toEqual({ audience: "customer" });
});

test("what no rule judged, or judges still, leaves none", async () => {
  const elsewhere = ruleText("elsewhere", {
    for: { kind: "Agent", selector: { audience: "customer" }, environments: ["staging"] },
    document: {},
  });
  const desk = await appliedDesk({ "rules/models.yaml": knownModels, "rules/elsewhere.yaml": elsewhere });
  // Neither a rule that is new, nor one of another environment, nor what was never applied, nor what is forgotten.
  desk.workspace.write({
    ...files("nobody"),
    "agents/patched.yaml": agent("patched", { audience: "customer", team: "care" }),
    ...patch({ team: "sales" }),
    "agents/new.yaml": agent("new", { audience: "nobody" }),
    "rules/new.yaml": forCustomers("constructor", { document: {} }),
  });
  desk.workspace.remove("agents/support.yaml");
  const { settings } = await planned(desk);
  expect(settings).toMatchObject([
    { path: "rules.known-models.judges", before: ["agent:desk-de"] },
    { path: "rules.constructor" },
  ]);
});

test("what leaves a rule is told, whatever else is done to it", async () => {
  const desk = await appliedDesk({ "rules/other.yaml": forCustomers("known-models", { document: {} }) });
  desk.workspace.write({
    ...files("nobody"),
    "agents/support.yaml": agent("support", {}, { model: "large-2" }),
  });
  const { settings, actions } = await planned(desk, "--replace", "agent:desk-de");
  const done = Object.fromEntries(actions.map(({ address, action }) => [address, action]));
  expect(done).toMatchObject({ "agent:desk-de": "replace", "agent:support": "update" });
  expect(settings).toMatchObject([{ before: all }]);
});

test("a plan that leaves a resource out leaves its labels as they are", async () => {
  const desk = await appliedDesk();
  desk.workspace.write(files("nobody"));
  const { settings, actions } = await planned(desk, "--target", "agent:support");
  expect(settings).toMatchObject([{ before: ["agent:support"] }]);
  expect(actions.map(({ address }) => address)).toEqual(["agent:support"]);
});

test("a change takes no document out of a rule by its labels and breaks the rule", async () => {
  const desk = await appliedDesk();
  desk.workspace.write(files("nobody", "huge-9"));
  expect((await desk.run("validate")).code).toBe(0);
  const { code, err } = await desk.run("plan");
  expect(code).toBe(1);
  expect(err.match(/^error\[known-models\]/gm)).toHaveLength(all.length);
  expect(err).toContain("it goes by the labels of the last apply: apply the new ones alone first");
  desk.workspace.write(files("nobody"));
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  desk.workspace.write(files("nobody", "huge-9"));
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
});

test("what moves is judged by the labels that it had, and what is not managed any more", async () => {
  const kept = forCustomers("customers-stay", {
    change: { properties: { action: { not: { enum: ["forget"] } } } },
  });
  const desk = await appliedDesk({ "rules/models.yaml": knownModels, "rules/kept.yaml": kept });
  const moved = (model: string) => ({
    "agents/support.yaml": JSON.stringify({
      ...(JSON.parse(agent("desk", { audience: "nobody" }, { model })) as object),
      lifecycle: { moved_from: "agent:support" },
    }),
  });
  desk.workspace.write(moved("huge-9"));
  expect((await desk.run("plan")).err).toContain("error[known-models]");
  desk.workspace.write(moved("small-1"));
  expect((await planned(desk)).settings).toEqual([
    { path: "rules.customers-stay.judges", before: ["agent:desk"] },
    { path: "rules.known-models.judges", before: ["agent:desk"] },
  ]);
  desk.workspace.remove("agents/support.yaml");
  const { code, err } = await desk.run("plan");
  expect(code).toBe(1);
  expect(err).toContain("error[customers-stay]");
  expect(err).not.toContain("labels of the last apply");
});

test("what was left behind is judged by the labels that it had when it is taken over under another name", async () => {
  const desk = await appliedDesk();
  const id = String(desk.lock().resources["agent:support"]?.id);
  desk.workspace.remove("agents/support.yaml");
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  expect(desk.lock().retired[id]).toMatchObject({ reason: "forgotten", labels: { audience: "customer" } });
  const adopting = (model: string) => ({
    "agents/desk.yaml": agent("desk", {}, { model, lifecycle: { adopt: { default: id } } }),
  });
  desk.workspace.write(adopting("huge-9"));
  const { code, err } = await desk.run("plan");
  expect([code, err]).toEqual([1, expect.stringContaining("error[known-models]")]);
  // A lock of before has no labels there.
  const lock = desk.lock();
  delete lock.retired[id]?.labels;
  desk.workspace.write({ "agentform.lock": `${JSON.stringify(lock, null, 2)}\n` });
  expect((await desk.run("plan")).err).not.toContain("known-models");
  desk.workspace.write(adopting("small-1"));
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  expect(desk.lock().resources["agent:desk"]).toMatchObject({ id });
});

test("what changes places with another is judged by its own labels, not by those of the other", async () => {
  const stays = forCustomers("stays", { change: { properties: { action: { not: { enum: ["update"] } } } } });
  const desk = await appliedDesk({ "rules/models.yaml": knownModels, "rules/stays.yaml": stays });
  const staff = (name: string, from: string, more: object) => {
    const document = JSON.parse(agent(name, { audience: "staff" })) as { readonly spec: object };
    return JSON.stringify({
      ...document,
      spec: { ...document.spec, ...more },
      lifecycle: { moved_from: from },
    });
  };
  desk.workspace.remove("environments/default/patched.yaml");
  desk.workspace.write({ "agents/patched.yaml": agent("patched", { audience: "staff" }) });
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  const swap = (own: object, others: object) =>
    desk.workspace.write({
      "agents/support.yaml": staff("patched", "agent:support", own),
      "agents/patched.yaml": staff("support", "agent:patched", others),
    });
  swap({ model: "huge-9" }, {});
  expect((await desk.run("plan")).err).toMatch(/^error\[known-models\].*\n *--> agents\/support.yaml/);
  swap({ name: "Desk" }, {});
  expect((await desk.run("plan")).err).toMatch(/^error\[stays\].*\n *--> agents\/support.yaml/);
  swap({}, { model: "huge-9" });
  expect((await desk.run("plan")).code).toBe(0);
});

test("what has no labels any more has none in the lock", async () => {
  const desk = await appliedDesk();
  desk.workspace.write({ "agents/support.yaml": agent("support", {}) });
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  expect(desk.lock().resources["agent:support"]).not.toHaveProperty("labels");
  expect((await desk.run("plan", "--detailed-exitcode")).code).toBe(0);
});

test("a move that a narrowed plan follows leaves labels as they were", async () => {
  const desk = await openDesk({ ...documents, "agents/support.yaml": agent("support", {}) });
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  desk.workspace.write({
    "agents/support.yaml": JSON.stringify({
      ...(JSON.parse(agent("desk", { audience: "staff" })) as object),
      lifecycle: { moved_from: "agent:support" },
    }),
  });
  expect(await desk.run("apply", "--target", "policy:strict", "--yes")).toMatchObject({ code: 0 });
  expect(desk.lock().resources["agent:desk"]).not.toHaveProperty("labels");
  const [{ changes }] = (await planned(desk)).actions as [Planned["actions"][number]];
  expect(changes).toEqual([{ path: "metadata.labels.audience", after: "staff" }]);
});

test("what a create of unknown outcome made has the labels that it was sent with", async () => {
  const desk = await openDesk(
    {
      ...documents,
      "rules/models.yaml": knownModels,
      "agents/support.yaml": agent("support", { audience: "customer" }),
    },
    { faults: [{ path: "/v3/agents/", drop: "after" }] },
  );
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 3 });
  const [id = ""] = desk.emulator.objects().agents.map((each) => each.id);
  desk.workspace.write({
    "agents/support.yaml": agent("support", { audience: "nobody" }, { model: "huge-9" }),
  });
  expect(await desk.run("lock", "resolve", "agent:support", "--adopt", id)).toMatchObject({ code: 0 });
  expect(desk.lock().resources["agent:support"]?.labels).toEqual({ audience: "customer" });
  expect((await desk.run("plan")).err).toContain("error[known-models]");
});
