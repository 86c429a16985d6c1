import { describe, expect, test } from "vitest";
import { planDigest } from "../../src/core/plan/plan-digest.js";
import type { Plan } from "../../src/generated/plan.js";
import type { JsonObject } from "../../src/json/json.js";
import { documentText } from "../harness/disk-workspace.js";
import { savedPlanText } from "../harness/plan-text.js";
import { documents, type Desk } from "./desk.js";
import { allOperations, deletesAlone, fullManifest, openFullDesk } from "./full-desk.js";

const deleted = { on_removal: "delete" };

const policy = (spec: object = {}, lifecycle: object = deleted) => ({
  "policies/strict.yaml": documentText("Policy", "strict", { name: "Strict", ...spec }, lifecycle),
});

const agent = (spec: object = {}, lifecycle: object = deleted) => ({
  "agents/a.yaml": documentText(
    "Agent",
    "a",
    { name: "A", features: [{ type: "RAI", config: { policy_id: "${policy:strict}" } }], ...spec },
    lifecycle,
  ),
});

const files = { ...policy(), ...agent() };

async function openApplied(
  more: Parameters<typeof openFullDesk>[2] = {},
  operations: Parameters<typeof openFullDesk>[1] = deletesAlone(),
  all: Readonly<Record<string, string>> = files,
): Promise<Desk> {
  const desk = await openFullDesk(all, operations, more);
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  return desk;
}

async function planOf(desk: Desk, ...args: readonly string[]): Promise<Plan> {
  const { out, err } = await desk.run("plan", "--format", "json", ...args);
  expect(err).not.toContain("error");
  return JSON.parse(out) as Plan;
}

const count = ({ emulator }: Desk) => {
  const { policies, agents, tools } = emulator.objects();
  return { policies: policies.length, agents: agents.length, tools: tools.length };
};

const idOf = (desk: Desk, address: string) => String(desk.lock().resources[address]?.["id"]);

describe("lifecycle.on_removal: delete", () => {
  test("a saved plan deletes the objects of the entry and no other, though its digest and checksum fit", async () => {
    const desk = await openApplied();
    const { agents } = desk.emulator.objects();
    const own = idOf(desk, "agent:a");
    desk.workspace.remove("agents/a.yaml");
    await desk.run("plan", "--out", "plan.json");
    const { checksum: _checksum, ...plan } = JSON.parse(desk.workspace.read("plan.json")) as Plan;
    const { length } = desk.emulator.requests;
    for (const ids of [["somebody-else"], [own, "somebody-else"], []]) {
      const actions = plan.actions.map((action) => ({ ...action, ids }));
      const forged = { ...plan, actions };
      desk.workspace.write({ "plan.json": savedPlanText({ ...forged, digest: planDigest(forged) }) });
      const refused = await desk.run("apply", "plan.json", "--yes");
      expect(refused).toMatchObject({ code: 4, err: expect.stringContaining("agent:a") as string });
    }
    expect(desk.emulator.requests).toHaveLength(length);
    expect(desk.emulator.objects().agents).toEqual(agents);
  });

  test("the lock remembers it, and a plan shows a change of it", async () => {
    const desk = await openApplied();
    expect(desk.lock().resources["policy:strict"]).toMatchObject(deleted);
    desk.workspace.write(policy({}, {}));
    const { actions, summary } = await planOf(desk);
    expect(actions).toMatchObject([
      {
        action: "record",
        changes: [{ path: "lifecycle.on_removal", before: "delete", after: "forget" }],
      },
    ]);
    expect(summary).not.toHaveProperty("delete");
    await desk.run("apply", "--yes");
    expect(desk.lock().resources["policy:strict"]).not.toHaveProperty("on_removal");
  });

  test("a document that leaves the environment and says that its object stays is forgotten", async () => {
    const desk = await openApplied();
    const environments =
      "  variables: {mark: forget, isKept: true}\n  environments: {default: {}, live: {}}\n";
    desk.workspace.write({ "agentform.yaml": fullManifest(desk.emulator.url, deletesAlone(), environments) });
    const planned = async (marks: object) => {
      desk.workspace.write(agent({}, { ...marks, environments: ["live"] }));
      return (await planOf(desk)).actions.map(({ action }) => action);
    };
    expect(await planned(deleted)).toEqual(["delete"]);
    expect(await planned({})).toEqual(["delete"]);
    expect(await planned({ on_removal: "forget" })).toEqual(["forget"]);
    expect(await planned({ ...deleted, protect: true })).toEqual(["forget"]);
    expect(await planned({ on_removal: "${var:mark}" })).toEqual(["forget"]);
    expect(await planned({ ...deleted, protect: "${var:isKept}" })).toEqual(["forget"]);
    // With a new name in the same change, too.
    for (const [marks, action] of [
      [deleted, "delete"],
      [{ on_removal: "forget" }, "forget"],
    ] as const) {
      const lifecycle = { ...marks, environments: ["live"], moved_from: "agent:a" };
      desk.workspace.write({ "agents/a.yaml": documentText("Agent", "b", { name: "A" }, lifecycle) });
      expect((await planOf(desk)).actions.map((each) => each.action)).toEqual([action]);
    }
  });

  test("a removed document deletes its object, what refers to it first, and the plan says so first", async () => {
    const desk = await openApplied();
    const ids = [idOf(desk, "agent:a"), idOf(desk, "policy:strict")];
    desk.workspace.remove("agents/a.yaml");
    desk.workspace.remove("policies/strict.yaml");
    const { actions, summary, notes } = await planOf(desk);
    expect(
      actions.map(({ address, action, deletes, requests }) => ({ address, action, deletes, requests })),
    ).toEqual([
      { address: "agent:a", action: "delete", deletes: 1, requests: [`DELETE /v3/agents/${ids[0]}`] },
      {
        address: "policy:strict",
        action: "delete",
        deletes: 1,
        requests: [`DELETE /v1/rai/policies/${ids[1]}`],
      },
    ]);
    expect(summary).toMatchObject({ delete: 2, forget: 0 });
    expect(notes.map(({ code, effect }) => [code, effect])).toEqual([
      ["object-deleted", "weakens"],
      ["object-deleted", "weakens"],
    ]);
    const { code, err } = await desk.run("apply", "--yes");
    expect(code).toBe(0);
    expect(err).toBe(`agent:a: deleted (${ids[0]})\npolicy:strict: deleted (${ids[1]})\n`);
    expect(count(desk)).toMatchObject({ policies: 0, agents: 0 });
    expect(desk.lock()).toMatchObject({ resources: {}, retired: {} });
    expect((await desk.run("plan")).out).toContain("No changes.");
  });

  test("a policy is deleted after the update of the agent that had it", async () => {
    const desk = await openApplied();
    desk.workspace.remove("policies/strict.yaml");
    desk.workspace.write(agent({ features: [] }));
    const { code, err } = await desk.run("apply", "--yes");
    expect(code).toBe(0);
    expect(err.split("\n").map((line) => line.replace(/ \(.*/, ""))).toEqual([
      "agent:a: updated",
      "policy:strict: deleted",
      "",
    ]);
  });

  test("a policy stays, managed, if the update of the agent that had it failed", async () => {
    const desk = await openApplied({ faults: [{ method: "PUT", status: 400 }] });
    desk.workspace.remove("policies/strict.yaml");
    desk.workspace.write(agent({ features: [] }));
    const { code, err } = await desk.run("apply", "--yes");
    expect(code).toBe(1);
    expect(err).toContain("policy:strict: failed: it was not deleted: agent:a refers to it");
    expect(desk.emulator.requests.map(({ method }) => method)).not.toContain("DELETE");
    expect(Object.keys(desk.lock().resources)).toContain("policy:strict");
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    expect(count(desk)).toMatchObject({ policies: 0, agents: 1 });
  });

  test("an agent that is left out of the plan blocks it; one that is not comes with it", async () => {
    const desk = await openApplied();
    desk.workspace.remove("policies/strict.yaml");
    desk.workspace.write(agent({ features: [] }));
    const excluded = await planOf(desk, "--exclude", "agent:a");
    expect(excluded.actions).toMatchObject([{ address: "policy:strict", action: "blocked" }]);
    expect(excluded.actions[0]?.reasons).toContain("it cannot be deleted: agent:a refers to it");
    expect((await desk.run("apply", "--yes", "--exclude", "agent:a")).code).toBe(1);
    expect(count(desk)).toMatchObject({ policies: 1 });
    const targeted = await planOf(desk, "--target", "policy:strict");
    expect(targeted.actions.map(({ address, action }) => `${action} ${address}`)).toEqual([
      "update agent:a",
      "delete policy:strict",
    ]);
  });

  test("a document that names the object by its ID blocks the delete in the plan", async () => {
    const desk = await openApplied();
    const id = idOf(desk, "policy:strict");
    desk.workspace.remove("policies/strict.yaml");
    desk.workspace.write(agent({ features: [{ type: "RAI", config: { policy_id: id } }] }));
    const named = await planOf(desk);
    const blocked = named.actions.find(({ address }) => address === "policy:strict");
    expect(blocked).toMatchObject({ action: "blocked" });
    expect(blocked?.reasons).toContain("it cannot be deleted: the document of agent:a contains its ID");
    expect((await desk.run("apply", "--yes")).code).toBe(1);
    expect(count(desk)).toMatchObject({ policies: 1 });
  });

  test("a forgotten agent, which stays in the service, blocks the delete of its policy", async () => {
    const desk = await openApplied({}, deletesAlone(), { ...policy(), ...agent({}, {}) });
    desk.workspace.remove("policies/strict.yaml");
    desk.workspace.remove("agents/a.yaml");
    const { actions } = await planOf(desk);
    expect(actions.map(({ address, action }) => `${action} ${address}`)).toEqual([
      "forget agent:a",
      "blocked policy:strict",
    ]);
    await desk.run("apply", "--yes");
    expect(count(desk)).toMatchObject({ policies: 1, agents: 1 });
    expect(Object.keys(desk.lock().resources)).toEqual(["policy:strict"]);
    const wayOut = "apply its document with `on_removal: forget`, and remove it again";
    expect((await planOf(desk)).actions[0]?.reasons.join()).toContain(wayOut);
    desk.workspace.write(policy({}, { on_removal: "forget" }));
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    desk.workspace.remove("policies/strict.yaml");
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    expect(desk.lock().resources).toEqual({});
  });

  test("an agent made by hand keeps its policy", async () => {
    const desk = await openApplied({}, allOperations);
    const id = idOf(desk, "policy:strict");
    desk.emulator.edit({
      kind: "agent",
      create: { name: "by hand", features: [{ config: { policy_id: id } }] },
    });
    desk.workspace.remove("policies/strict.yaml");
    desk.workspace.remove("agents/a.yaml");
    const { code, err } = await desk.run("apply", "--yes");
    expect(code).toBe(1);
    expect(err).toMatch(/policy:strict: failed: it was not deleted: the agent \S+ \(by hand\) refers to it/);
    expect(count(desk)).toMatchObject({ policies: 1, agents: 1 });
    expect(Object.keys(desk.lock().resources)).toEqual(["policy:strict"]);
  });

  test("protected, it is an error; without a delete of the kind, it is forgotten with a warning before", async () => {
    const desk = await openApplied(
      {},
      { policy: deletesAlone().policy ?? {} },
      {
        ...policy({}, { ...deleted, protect: true }),
        ...agent(),
      },
    );
    expect((await desk.run("validate")).out).toContain("warning[delete-undeclared]");
    desk.workspace.remove("agents/a.yaml");
    const { actions, summary } = await planOf(desk);
    expect(summary).toMatchObject({ forget: 1 });
    expect(actions[0]?.reasons.join()).toContain("`service.operations.agent.delete` is not set");
    desk.workspace.write(agent({ features: [] }));
    desk.workspace.remove("policies/strict.yaml");
    const { code, err } = await desk.run("plan");
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining("error[protected]") });
  });

  test("refused, it is in the ledger and prune tries again; a set keeps the tools that are left", async () => {
    const toolset = JSON.parse(documents["toolsets/desk.yaml"] ?? "") as object;
    const all = { "toolsets/desk.yaml": JSON.stringify({ ...toolset, lifecycle: deleted }) };
    const faults = [{ method: "DELETE", skip: 1, status: 409, body: { detail: "in use" } }];
    const desk = await openApplied({ faults }, deletesAlone(), all);
    desk.workspace.remove("toolsets/desk.yaml");
    const { code, err } = await desk.run("apply", "--yes");
    expect(code).toBe(1);
    expect(err).toContain("1 of 2 objects deleted, then: HTTP 409");
    const lock = desk.lock();
    expect(lock.resources).toEqual({});
    expect(Object.keys(lock.retired)).toHaveLength(1);
    expect(count(desk)).toMatchObject({ tools: 1 });
    expect((await desk.run("prune", "--yes")).code).toBe(0);
    expect(count(desk)).toMatchObject({ tools: 0 });
  });

  test("of several objects it is said that one was only accepted to be deleted", async () => {
    const toolset = JSON.parse(documents["toolsets/desk.yaml"] ?? "") as object;
    const all = { "toolsets/desk.yaml": JSON.stringify({ ...toolset, lifecycle: deleted }) };
    const faults = [{ method: "DELETE", skip: 1, status: 202, body: {} }];
    const desk = await openApplied({ faults }, deletesAlone(), all);
    desk.workspace.remove("toolsets/desk.yaml");
    expect(await desk.run("apply", "--yes")).toMatchObject({
      code: 0,
      err: expect.stringContaining("the service has accepted the delete (202), and may carry it out later"),
    });
  });

  test("with an unknown outcome it exits 3, and a document that returns is told of it", async () => {
    const faults = [{ method: "DELETE", garbage: true as const }];
    const desk = await openApplied({ faults }, deletesAlone(), agent({ features: [] }));
    const id = idOf(desk, "agent:a");
    desk.workspace.remove("agents/a.yaml");
    const { code, err } = await desk.run("apply", "--yes");
    expect(code).toBe(3);
    expect(err).toContain("not known whether it was deleted");
    expect(desk.lock().retired[id]).toHaveProperty("delete_sent");
    expect((await desk.run("lock", "retired")).out).toContain("with unknown outcome");
    desk.workspace.write(agent({ features: [] }));
    const told = "`agent:a` was forgotten, and its object may still exist, although a delete was sent";
    expect((await desk.run("plan")).err).toContain(told);
    desk.workspace.remove("agents/a.yaml");
    desk.workspace.write({
      "agents/b.yaml": documentText("Agent", "b", { name: "b" }, { moved_from: "agent:a" }),
    });
    expect((await desk.run("plan")).err).toContain(told);
    desk.workspace.remove("agents/b.yaml");
    expect((await desk.run("prune", "--yes")).code).toBe(0);
    expect(desk.lock().retired).toEqual({});
  });

  const pair = (name: string, lead: object) => ({
    [`agents/${name}.yaml`]: documentText("Agent", name, { name, ...lead }, deleted),
  });

  test("what refers to another is deleted before it, whatever their names are", async () => {
    const desk = await openApplied({}, allOperations, {
      ...pair("x", {}),
      ...pair("y", { goal: "${agent:x}" }),
    });
    desk.workspace.remove("agents/x.yaml");
    desk.workspace.remove("agents/y.yaml");
    const { err } = await desk.run("apply", "--yes");
    expect([...err.matchAll(/agent:(\w): deleted/g)].map(([, name]) => name)).toEqual(["y", "x"]);
  });

  test("two agents that refer to each other are both deleted", async () => {
    const desk = await openApplied({}, allOperations, {
      ...pair("x", {}),
      ...pair("y", { goal: "${agent:x}" }),
    });
    const y = idOf(desk, "agent:y");
    desk.emulator.edit({ kind: "agent", id: idOf(desk, "agent:x"), changes: { goal: y } });
    desk.workspace.remove("agents/x.yaml");
    desk.workspace.remove("agents/y.yaml");
    expect((await desk.run("apply", "--yes", "--overwrite", "agent:x")).code).toBe(0);
    expect(count(desk)).toMatchObject({ agents: 0 });
  });

  test("a saved plan deletes what it shows, and no other plan does", async () => {
    const desk = await openApplied();
    desk.workspace.remove("agents/a.yaml");
    expect((await desk.run("plan", "--out", "plan.json")).code).toBe(0);
    const { digest } = await planOf(desk);
    expect((await desk.run("show", "plan.json")).out).toContain("1 to delete");
    expect((await desk.run("apply", "--yes", "--expect", `${digest.slice(0, -1)}x`)).code).toBe(4);
    expect(count(desk)).toMatchObject({ agents: 1 });
    expect((await desk.run("apply", "plan.json", "--yes")).code).toBe(0);
    expect(count(desk)).toMatchObject({ agents: 0 });
  });
});

describe("lifecycle.on_replaced: delete", () => {
  const replaced = { on_replaced: "delete" };

  test("the old object is deleted once nothing refers to it any more", async () => {
    const desk = await openApplied({}, deletesAlone(), { ...policy({}, replaced), ...agent({}, {}) });
    const old = idOf(desk, "policy:strict");
    desk.workspace.write(policy({ description: "New" }, replaced));
    const { actions } = await planOf(desk);
    expect(actions[0]).toMatchObject({ action: "replace", deletes: 1 });
    expect(actions[0]).not.toHaveProperty("leaves");
    const text = (await desk.run("plan")).out;
    expect(text).toContain("the old object is deleted at the end, if nothing refers to it any more");
    expect(text).not.toContain("left behind");
    const { code, err } = await desk.run("apply", "--yes");
    expect(code).toBe(0);
    expect(err).toContain(`policy:strict: the old object was deleted (${old})\n`);
    expect(desk.lock()).toMatchObject({ retired: {}, deleted: { [`policy ${old}`]: 2 } });
    expect(count(desk)).toMatchObject({ policies: 1 });
  });

  test("of an old object that the service has only accepted to delete it is said that it may still be there", async () => {
    const faults = [{ method: "DELETE", status: 202, body: {} }];
    const desk = await openApplied({ faults }, deletesAlone(), policy({}, replaced));
    const old = idOf(desk, "policy:strict");
    desk.workspace.write(policy({ description: "New" }, replaced));
    const { code, err } = await desk.run("apply", "--yes");
    expect(code).toBe(0);
    expect(err).toContain(`(${old}); the service has accepted the delete (202), and may carry it out later`);
    expect(count(desk)).toMatchObject({ policies: 2 });
  });

  test("a plan that leaves out what refers to the old object does not promise that it is deleted", async () => {
    const desk = await openApplied({}, deletesAlone(), { ...policy({}, replaced), ...agent({}, {}) });
    desk.workspace.write(policy({ description: "New" }, replaced));
    const { out, err } = await desk.run("apply", "--yes", "--exclude", "agent:a");
    expect(out).toContain("the old object is deleted at the end, if nothing refers to it any more");
    expect(err).toContain("agent:a refers to it");
    expect(count(desk)).toMatchObject({ policies: 2 });
  });

  test("that it is new is a note, until it was applied; that it is gone is only recorded", async () => {
    const desk = await openApplied({}, deletesAlone(), policy({}, {}));
    desk.workspace.write(policy({}, replaced));
    const note = { code: "removal-deletes", address: "policy:strict", effect: "weakens" };
    expect(await planOf(desk)).toMatchObject({
      notes: [{ ...note, message: "is now deleted in the service when a new object replaces it" }],
      actions: [{ action: "record", changes: [{ path: "lifecycle.on_replaced", after: "delete" }] }],
    });
    desk.workspace.write(policy({ description: "New" }, replaced));
    expect(await planOf(desk)).toMatchObject({ notes: [note], actions: [{ action: "replace", deletes: 1 }] });
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    expect((await desk.run("lock", "show", "policy:strict")).out).toMatch(/on replaced +delete/);
    expect(await planOf(desk)).toMatchObject({ notes: [], actions: [] });
    desk.workspace.write(policy({ description: "New" }, {}));
    expect(await planOf(desk)).toMatchObject({ notes: [], actions: [{ action: "record" }] });
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    expect((await desk.run("lock", "show", "policy:strict")).out).not.toContain("on replaced");
  });

  test("the old object is left if what uses it moves to a page of a list that was read already", async () => {
    const pages = [1, 2, 3, 4].map((page) => ({ items: [] as JsonObject[], next: page % 2 ? "?c=2" : null }));
    const faults = pages.map((body) => ({ method: "GET", path: "/v3/agents/", status: 200, body }));
    const list = { request: "GET /v3/agents/", items: "/items", next: "/next" };
    const { policy: ofPolicy } = deletesAlone();
    const operations = { ...(ofPolicy && { policy: ofPolicy }), agent: { list } };
    const desk = await openApplied({ faults }, operations, policy({}, replaced));
    const old = idOf(desk, "policy:strict");
    desk.workspace.write(policy({ description: "New" }, replaced));
    pages[2]?.items.push({ _id: "66f1c0de0000000000000001", description: `Obeys ${old}` });
    const { err } = await desk.run("apply", "--yes");
    expect(err).toContain("the agent 66f1c0de0000000000000001 refers to it in the service");
    expect(count(desk)).toMatchObject({ policies: 2 });
  });

  test("no plan promises to delete an old object that nothing can delete", async () => {
    const desk = await openApplied({}, {}, policy({}, replaced));
    desk.workspace.write(policy({ description: "New" }, replaced));
    const [action] = (await planOf(desk)).actions;
    expect(action).toMatchObject({ action: "replace", leaves: 1 });
    expect(action).not.toHaveProperty("deletes");
  });

  test("the old object is left if an agent could not be updated, and the apply says so", async () => {
    const faults = [{ method: "PUT", status: 400 }];
    const desk = await openApplied({ faults }, deletesAlone(), { ...policy({}, replaced), ...agent({}, {}) });
    const old = idOf(desk, "policy:strict");
    desk.workspace.write(policy({ description: "New" }, replaced));
    const { code, err } = await desk.run("apply", "--yes");
    expect(code).toBe(1);
    expect(err).toContain(`policy:strict: the old object was left (${old}): agent:a refers to it\n`);
    expect(Object.keys(desk.lock().retired)).toEqual([old]);
    expect(count(desk)).toMatchObject({ policies: 2 });
  });

  test("a delete that the service refuses fails the apply, and the old object stays in the ledger", async () => {
    const faults = [{ method: "DELETE", status: 409 }];
    const desk = await openApplied({ faults }, deletesAlone(), policy({}, replaced));
    const old = idOf(desk, "policy:strict");
    desk.workspace.write(policy({ description: "New" }, replaced));
    const { code, out, err } = await desk.run("apply", "--yes", "--format", "json");
    expect(code).toBe(1);
    expect(err).toBe("");
    expect(out).toContain('"type":"old-left"');
    expect(Object.keys(desk.lock().retired)).toEqual([old]);
    expect((await desk.run("prune", "--yes")).code).toBe(0);
  });
});
