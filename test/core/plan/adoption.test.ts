import { describe, expect, test } from "vitest";
import { honouredAdoption, pendingAdoption, readAdoption } from "../../../src/core/plan/adoption.js";
import type { Json, JsonObject } from "../../../src/json/json.js";
import { noOptions } from "../../../src/core/plan/plan-options.js";
import type { Resource } from "../../../src/core/resources/resource.js";
import type { Lock } from "../../../src/core/state/lock.js";
import { applyTo, noLock, planOf } from "../../plan/history.js";
import { pieceOf, workspaceOf } from "../../plan/world.js";

const openapi = { openapi: "3.1.0", paths: { "/a": { get: { operationId: "read" }, post: {} } } };
const specs: Readonly<Record<string, JsonObject>> = {
  "agent:a": { name: "A" },
  "policy:p": { name: "P" },
  "credential:c": { name: "C", credentials: { key: "${env:KEY}" } },
  "toolset:t": { tool_set_name: "T", openapi_schema: openapi, default_headers: { "X-Team": "care" } },
};

function workspace(address: string, adopt: Json, more: JsonObject = {}) {
  return workspaceOf([pieceOf(address, { ...specs[address], ...more }, { lifecycle: { adopt } })]);
}

function resource(address: string, adopt: Json): Resource {
  const built = workspace(address, adopt).resources.get(address);
  if (!built) throw new Error(`${address} was not built`);
  return built;
}

describe("an adoption is pending", () => {
  const entry = { body: {}, digest: "d" };
  test.each<[string, Json, string | null, string | undefined, string | undefined]>([
    ["until it was honoured", "1", null, undefined, "1"],
    ["no more once it was", "1", null, "1", undefined],
    ["again when it names another ID", "2", null, "1", "2"],
    ["in its environment", { production: "1" }, "production", undefined, "1"],
    ["in no other environment", { production: "1" }, "staging", undefined, undefined],
    ["nor in the default one", { production: "1" }, null, undefined, undefined],
  ])("%s", (_, adopt, environment, adopted, expected) => {
    const known = adopted === undefined ? undefined : { ...entry, adopted };
    expect(pendingAdoption(resource("agent:a", adopt), environment, known)).toBe(expected);
  });

  test("not where the object has that ID already, which honours it", () => {
    const same = { ...entry, id: "1" };
    expect(honouredAdoption(resource("agent:a", "1"), null, same)).toBe("1");
    expect(honouredAdoption(resource("agent:a", "2"), null, same)).toBeUndefined();
    expect(honouredAdoption(resource("agent:a", "1"), null, undefined)).toBeUndefined();
  });
});

describe("the IDs of an adoption", () => {
  const read = (resourceOf: Resource, adoption: string | string[]) => {
    const given = readAdoption(resourceOf, adoption);
    return given.ok ? given.identity : given.problems[0];
  };

  test("of one object are one ID", () => {
    expect(read(resource("agent:a", "1"), "1")).toEqual({ id: "1" });
    expect(read(resource("agent:a", "1"), ["x=1"])).toMatchObject({ code: "adopt-invalid" });
  });

  test("of a tool set are pairs, in the order of its operations", () => {
    const set = resource("toolset:t", ["read=1"]);
    expect(read(set, ["POST /a=2", "read=1"])).toEqual({
      ids: ["1", "2"],
      tools: { read: "1", "POST /a": "2" },
    });
    expect(read(set, ["get /a=x=y"])).toEqual({ ids: ["x=y"], tools: { read: "x=y" } });
  });

  test.each([
    ["an unknown operation", ["write=1"]],
    ["no ID", ["read="]],
    ["no pair", ["read"]],
    ["one operation twice", ["read=1", "GET /a=2"]],
    ["one ID twice", ["read=1", "POST /a=1"]],
    ["a single ID", "1"],
  ])("of a tool set are refused with %s", (_, adoption) => {
    expect(read(resource("toolset:t", ["read=1"]), adoption)).toMatchObject({
      code: "adopt-invalid",
    });
  });
});

describe("adopting", () => {
  test.each<[string, Json, string[], JsonObject]>([
    ["agent:a", "7", ["PUT /v3/agents/7"], { id: "7", adopted: "7" }],
    ["policy:p", "7", [], { id: "7", adopted: "7", assumed: true }],
    ["credential:c", "7", [], { id: "7", adopted: "7", assumed: true }],
    [
      "toolset:t",
      ["read=7"],
      ["PUT /v3/tools/7"],
      { ids: ["7"], tools: { read: "7" }, adopted: ["read=7"], assumed: true },
    ],
  ])("%s sends what can be sent, and leaves nothing to do", async (address, adopt, requests, entry) => {
    const made = workspace(address, adopt);
    const { plan, findings } = planOf(made, noLock);
    expect(findings).toEqual([]);
    const { after, service } = await applyTo(noLock, plan);
    expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(requests);
    expect(after.resources[address]).toMatchObject(entry);
    expect(after.resources[address]).not.toHaveProperty("uncertain");
    expect(planOf(made, after).plan.actions).toEqual([]);
  });

  test("a tool set without defaults sends nothing", async () => {
    const { default_headers: _headers, ...spec } = specs["toolset:t"] ?? {};
    const made = workspaceOf([pieceOf("toolset:t", spec, { lifecycle: { adopt: ["read=7"] } })]);
    const { plan } = planOf(made, noLock);
    expect((await applyTo(noLock, plan)).service.requests).toEqual([]);
  });

  test("takes an object that is left behind, also under another address", async () => {
    const lock: Lock = { ...noLock, retired: { "agent#7": { address: "agent:old", reason: "forgotten" } } };
    const { after } = await applyTo(lock, planOf(workspace("agent:a", "7"), lock).plan);
    expect(after).toMatchObject({ resources: { "agent:a": { id: "7" } }, retired: {} });
  });

  test.each<[string, Json, string, string]>([
    ["agent:a", "7", "agent 7", "ID"],
    ["policy:p", "7", "policy 7", "ID"],
    ["toolset:t", ["read=6", "POST /a=7"], "toolset 7", "'read=ID,POST /a=ID'"],
  ])("does not take the object of %s that was deleted", (address, adopt, name, form) => {
    const lock: Lock = { ...noLock, environment: "live", deleted: { [name]: 3 } };
    const { plan, findings } = planOf(workspace(address, adopt), lock);
    const command = `agentform lock resolve -e live ${address} --adopt ${form}`;
    expect(findings).toMatchObject([
      { code: "adopt-invalid", hint: expect.stringContaining(command) as string },
    ]);
    expect(plan.actions.filter(({ action }) => action === "adopt")).toEqual([]);
  });

  test("takes an object whose number was that of a deleted object of another kind", () => {
    const lock: Lock = { ...noLock, deleted: { "policy 7": 3 } };
    expect(planOf(workspace("agent:a", "7"), lock)).toMatchObject({
      findings: [],
      plan: { actions: [{ action: "adopt" }] },
    });
  });

  test("keeps the ID where the update after it failed, and sends it again", async () => {
    const made = workspace("agent:a", "7");
    const { after } = await applyTo(noLock, planOf(made, noLock).plan, { fates: ["rejected"] });
    expect(after.resources["agent:a"]).toMatchObject({ id: "7", uncertain: true });
    expect(planOf(made, after).plan.actions).toMatchObject([{ action: "update", ids: ["7"] }]);
  });

  test("is not done for the emulator, which creates", () => {
    const { plan } = planOf(workspace("agent:a", "7"), noLock, { ...noOptions, emulator: true });
    expect(plan.actions).toMatchObject([{ action: "create" }]);
  });

  test("takes the object that a replacement of unknown outcome made, and retires the old one", async () => {
    const policy = (more: JsonObject, adopt?: string) =>
      workspaceOf([
        pieceOf("policy:p", { name: "P", ...more }, adopt === undefined ? {} : { lifecycle: { adopt } }),
        pieceOf("agent:a", { name: "A", tools: ["${policy:p}"] }),
      ]);
    const first = (await applyTo(noLock, planOf(policy({}), noLock).plan)).after;
    const changed = planOf(policy({ description: "new" }), first).plan;
    const stuck = (await applyTo(first, changed, { fates: ["unknown"] })).after;
    const { plan, findings } = planOf(policy({ description: "new" }, "8"), stuck);
    expect(findings).toEqual([]);
    expect(plan.actions).toMatchObject([
      { address: "policy:p", action: "adopt", ids: ["8"], leaves: 1 },
      { address: "agent:a", action: "update" },
    ]);
    const { after } = await applyTo(stuck, plan);
    expect(after).toMatchObject({ resources: { "policy:p": { id: "8" } }, unknown: {} });
    expect(after.retired).toMatchObject({ "policy-1": { reason: "replaced", used_by: ["agent:a"] } });
  });
});
