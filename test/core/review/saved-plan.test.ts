import { expect, test } from "vitest";
import type { Plan } from "../../../src/generated/plan.js";
import type { JsonObject } from "../../../src/json/json.js";
import { planDigest } from "../../../src/core/plan/plan-digest.js";
import { parseSavedPlan } from "../../../src/core/review/saved-plan.js";
import { checkHidden, checkOwner, movedEntries } from "../../../src/core/review/saved-plan-check.js";
import { applyTo, noLock, planOf } from "../../plan/history.js";
import { pieceOf, workspaceOf } from "../../plan/world.js";
import { savedPlanText } from "../../harness/plan-text.js";

const openapi = { openapi: "3.1.0", paths: { "/b": { get: {} }, "/a": { get: {} } } };
const workspace = workspaceOf([
  pieceOf("toolset:t", { tool_set_name: "T", openapi_schema: openapi }),
  pieceOf("agent:a", { name: "A", tools: ["${toolset:t}"] }),
]);
const { plan } = planOf(workspace, noLock);
const text = savedPlanText(plan);

test("a saved plan is read as it was, its documents in their order", () => {
  const parsed = parseSavedPlan(text, "plan.json");
  expect(parsed).toEqual({ ok: true, plan });
  expect(JSON.stringify(parsed)).toContain('"paths":{"/b"');
});

test.each([
  ["no JSON", text.slice(0, -10)],
  ["of another format", text.replace("plan/v1", "plan/v2")],
  ["changed", text.replace('"name": "A"', '"name": "B"')],
  ["without its checksum", text.replace(/,\s+"checksum": "[^"]+"/, "")],
  ["with something that it does not know", text.replace('"partial"', '"extra": 1, "partial"')],
])("one that is %s is refused", (_, changed) => {
  expect(changed).not.toBe(text);
  expect(parseSavedPlan(changed, "plan.json")).toMatchObject({ problems: [{ code: "plan-invalid" }] });
});

test("no message about a saved plan quotes it", () => {
  const broken = text.replace('"name": "A"', '"name": swordfish');
  expect(JSON.stringify(parseSavedPlan(broken, "plan.json"))).not.toContain("swordfish");
});

test("a plan is for one workspace, one environment, and the emulator or not", () => {
  const owner = { workspace: "test", environment: null };
  expect(checkOwner(plan, owner, false, "plan.json")).toEqual([]);
  const foreign = [
    checkOwner(plan, { ...owner, workspace: "other" }, false, "plan.json"),
    checkOwner(plan, { ...owner, environment: "production" }, false, "plan.json"),
    checkOwner(plan, owner, true, "plan.json"),
  ];
  for (const findings of foreign) expect(findings).toMatchObject([{ code: "plan-foreign" }]);
});

test("a plan fits the lock that it was made with, and not the one after it was applied", async () => {
  expect(movedEntries(plan, noLock)).toEqual([]);
  const { after } = await applyTo(noLock, plan);
  expect(movedEntries(plan, after)).toEqual(["agent:a", "toolset:t"]);
  expect(movedEntries(plan, { ...noLock, lineage: "other" })).toHaveLength(2);
});

test("a replacement that was tried meanwhile is seen, although the old entry still stands", async () => {
  const policy = (description: string) => workspaceOf([pieceOf("policy:p", { name: "P", description })]);
  const { after } = await applyTo(noLock, planOf(policy("old"), noLock).plan);
  const { plan: replacing } = planOf(policy("new"), after);
  const stuck = (await applyTo(after, replacing, { fates: ["unknown"] })).after;
  expect(stuck.resources).toEqual(after.resources);
  expect(movedEntries(replacing, stuck)).toEqual(["policy:p"]);
});

test("a create whose object came and went since is seen, although nothing is managed there", async () => {
  const empty = workspaceOf([]);
  const created = (await applyTo(noLock, plan)).after;
  const gone = (await applyTo(created, planOf(empty, created).plan)).after;
  expect(gone.resources).toEqual({});
  expect(movedEntries(plan, { ...gone, lineage: noLock.lineage })).toContain("agent:a");
});

test("an update of what refers to a resource that was renamed before is as it is shown", async () => {
  const about = (key: string, description: string, moved_from?: string) =>
    workspaceOf([
      pieceOf(`credential:${key}`, { name: "C" }, moved_from ? { lifecycle: { moved_from } } : {}),
      pieceOf("agent:a", { name: "A", description, llm_credential_id: `\${credential:${key}}` }),
    ]);
  const { after } = await applyTo(noLock, planOf(about("old", "one"), noLock).plan);
  const { after: renamed } = await applyTo(after, planOf(about("new", "one", "credential:old"), after).plan);
  const { plan: update } = planOf(about("new", "two"), renamed);
  expect(update.actions).toMatchObject([{ address: "agent:a", changes: [{ path: "description" }] }]);
  expect(checkHidden(update, renamed, "plan.json")).toEqual([]);
});

/** Saves a plan as somebody would who can compute its digest and its checksum. */
function sealed(forged: Plan): string {
  return savedPlanText({ ...forged, digest: planDigest(forged) });
}

test("one that would send more than it shows is refused, whatever its digest and checksum", () => {
  const actions = plan.actions.map((action) => {
    return action.address === "agent:a"
      ? { ...action, body: { ...action.body, model: "${env:OTHER}" } }
      : action;
  });
  const documents = { ...plan.documents, "toolset:t": { openapi_schema: { paths: { "/c": { get: {} } } } } };
  expect(parseSavedPlan(sealed(plan), "plan.json")).toEqual({ ok: true, plan });
  for (const forged of [
    { ...plan, actions },
    { ...plan, documents },
  ]) {
    expect(parseSavedPlan(sealed(forged), "plan.json")).toMatchObject({
      problems: [{ code: "plan-invalid", message: expect.stringContaining("is not what it shows") }],
    });
  }
});

test("an update is compared with what the lock has", () => {
  const lock = { ...noLock, resources: { "agent:a": { id: "1", body: { name: "A" }, digest: "d" } } };
  const changes = [{ path: "model", after: "small" }];
  const [, action] = plan.actions;
  const update = { ...action, address: "agent:a", action: "update" as const, changes } as Plan["actions"][0];
  const of = (body: JsonObject): Plan => ({ ...plan, documents: {}, actions: [{ ...update, body }] });
  expect(checkHidden(of({ name: "A", model: "small" }), lock, "plan.json")).toEqual([]);
  expect(checkHidden(of({ name: "B", model: "small" }), lock, "plan.json")).toMatchObject([
    { code: "plan-invalid" },
  ]);
});
