import { expect, test } from "vitest";
import type { Plan } from "../../../src/generated/plan.js";
import { canonical, type Json, type JsonObject } from "../../../src/json/json.js";
import { isConsequence } from "../../../src/core/plan/difference.js";
import { planDigest } from "../../../src/core/plan/plan-digest.js";
import { noOptions, type PlanOptions } from "../../../src/core/plan/plan-options.js";
import { parseSavedPlan } from "../../../src/core/review/saved-plan.js";
import { checkHidden } from "../../../src/core/review/saved-plan-check.js";
import { withReview } from "../../../src/core/review/reviewed-plan.js";
import type { LockEntry } from "../../../src/core/state/lock.js";
import { applyTo, noLock, planOf } from "../../plan/history.js";
import { hash } from "../../../src/digest.js";
import { pieceOf, workspaceOf } from "../../plan/world.js";
import { savedPlanText } from "../../harness/plan-text.js";

interface Desk {
  readonly policy?: string;
  readonly agent?: JsonObject;
  readonly lifecycle?: JsonObject;
  readonly name?: string;
}

const guarded = (key: string): JsonObject => ({
  name: "A",
  system_prompt: "Be kind.",
  features: [{ type: "RAI", priority: 0, config: { policy_id: `\${policy:${key}}` } }],
});

function deskOf({ policy = "old", agent = guarded("p"), lifecycle = {}, name = "a" }: Desk = {}) {
  return workspaceOf([
    pieceOf("policy:p", { name: "P", description: policy }),
    pieceOf(`agent:${name}`, agent, { lifecycle }),
  ]);
}

const { after: lock } = await applyTo(noLock, planOf(deskOf(), noLock).plan);

function changed(desk: Desk, options: Partial<PlanOptions> = {}, entry: Partial<LockEntry> = {}) {
  const known = lock.resources["agent:a"];
  if (!known) throw new Error("nothing was applied");
  const touched = { ...lock, resources: { ...lock.resources, "agent:a": { ...known, ...entry } } };
  const { plan } = planOf(deskOf(desk), touched, { ...noOptions, ...options });
  const action = plan.actions.find(({ address }) => address.startsWith("agent:"));
  return {
    type: action?.action,
    reasons: action?.reasons,
    edits: action?.changes.filter((change) => !isConsequence(change)).map(({ path }) => path),
    consequences: action?.changes.filter(isConsequence).map(({ path }) => path),
  };
}

const newId = "policy:p gets a new ID";
const policyPath = "features[RAI].config.policy_id";
const edited = { ...guarded("p"), system_prompt: "Be quick." };
const promptEdited = "`system_prompt` was edited";

test("what refers to a tool set follows when the set gets a further ID", async () => {
  const fleet = workspaceOf([
    pieceOf("toolset:t", {
      tool_set_name: "T",
      openapi_schema: { openapi: "3.1.0", paths: { "/a": { get: {} } } },
    }),
    pieceOf("agent:a", { name: "A", tools: ["${toolset:t}"] }),
  ]);
  const { after } = await applyTo(noLock, planOf(fleet, noLock).plan);
  const { "toolset:t": set = { body: {}, digest: "" } } = after.resources;
  const resources = { ...after.resources, "toolset:t": { ...set, ids: [...(set.ids ?? []), "further"] } };
  expect(planOf(fleet, { ...after, resources }).plan.actions).toMatchObject([
    { address: "agent:a", action: "update", fields: ["tools"] },
  ]);
});

test("what only refers to a new object follows, and says so alone", () => {
  expect(changed({ policy: "new" })).toEqual({
    type: "update",
    reasons: [newId],
    edits: [],
    consequences: [policyPath],
  });
});

test("an edit alone needs no reason", () => {
  expect(changed({ agent: edited })).toMatchObject({
    reasons: [],
    edits: ["system_prompt"],
    consequences: [],
  });
});

test("each reason is data, too, in the same order", () => {
  const { plan } = planOf(deskOf({ policy: "new", agent: edited }), lock);
  expect(plan.actions.at(-1)?.causes).toEqual([
    { code: "edited", parts: { fields: ["system_prompt"] } },
    { code: "new-id", parts: { address: "policy:p", many: false } },
  ]);
});

test("reasons name both", () => {
  expect(changed({ policy: "new", agent: edited })).toMatchObject({
    reasons: [promptEdited, newId],
    edits: ["system_prompt"],
    consequences: [policyPath],
  });
});

test("a text that is edited and refers to a new object is an edit with both reasons", async () => {
  const both = (words: string): JsonObject => ({ name: "A", system_prompt: `${words} \${policy:p}` });
  const before = deskOf({ agent: both("See") });
  const { after } = await applyTo(noLock, planOf(before, noLock).plan);
  const { plan } = planOf(deskOf({ policy: "new", agent: both("Obey") }), after);
  const action = plan.actions.at(-1);
  expect(action?.reasons).toEqual([promptEdited, newId]);
  expect(action?.changes).toMatchObject([{ path: "system_prompt", references: ["policy:p"] }]);
  expect(action?.changes.some(isConsequence)).toBe(false);
});

test.each<[string, ReturnType<typeof changed>, Partial<ReturnType<typeof changed>>]>([
  [
    "an update whose outcome is unknown",
    changed({ agent: edited }, {}, { uncertain: true, attempted: [{ body: { name: "A" } }] }),
    { reasons: [promptEdited, "whether the last update arrived is not known, so it is sent again"] },
  ],
  [
    "what is sent again on request",
    changed({ agent: edited }, { resend: new Set(["agent:a"]) }),
    { reasons: [promptEdited, "resent on request"] },
  ],
  [
    "what is replaced on request",
    changed({ agent: edited }, { replace: new Set(["agent:a"]) }),
    { type: "replace", reasons: ["asked for by --replace", promptEdited] },
  ],
  [
    "what moves",
    changed({ agent: edited, name: "b", lifecycle: { moved_from: "agent:a" } }),
    { type: "update", reasons: ["it moves from agent:a and keeps its ID", promptEdited] },
  ],
  [
    "what gets a protection while something follows",
    changed({ policy: "new", lifecycle: { protect: true } }),
    { reasons: ["`lifecycle.protect` was edited", newId], edits: ["lifecycle.protect"] },
  ],
  [
    "what was adopted and not told anything yet",
    changed({ agent: edited }, {}, { uncertain: true, id: "x" }),
    {
      reasons: [
        promptEdited,
        "it was adopted with the ID x, and is sent what its document says for the first time",
      ],
    },
  ],
  [
    "what was adopted, not told anything yet, and is protected now",
    changed({ lifecycle: { protect: true } }, {}, { uncertain: true, id: "x" }),
    { type: "update", edits: ["name", "system_prompt", "features", "lifecycle.protect"] },
  ],
])("the edit is named for %s", (_, found, expected) => {
  expect(found).toMatchObject(expected);
});

test("what is only sent again has no edit and no consequence", () => {
  const again = { edits: [], consequences: [] };
  expect(changed({}, { resend: new Set(["agent:a"]) })).toMatchObject({
    reasons: ["resent on request"],
    ...again,
  });
  // What is written like a secret is none.
  const literal = { ...guarded("p"), system_prompt: "Say $${env:HOME}." };
  expect(changed({ agent: literal }, { resend: new Set(["agent:a"]) }, { body: literal }).reasons).toEqual([
    "resent on request",
  ]);
  expect(changed({}, {}, { uncertain: true, attempted: [] })).toMatchObject({ type: "update", ...again });
});

test("another reference is an edit, whatever happens to what it names", () => {
  const { plan } = planOf(
    workspaceOf([
      pieceOf("policy:q", { name: "P", description: "new" }, { lifecycle: { moved_from: "policy:p" } }),
      pieceOf("agent:a", guarded("q")),
    ]),
    lock,
  );
  expect(plan.actions.at(-1)?.changes.map(isConsequence)).toEqual([false]);
});

test("no digest depends on what is derived, and a saved plan is read without it", () => {
  const { plan } = planOf(deskOf({ policy: "new", agent: edited }), lock);
  const { consequence, ...rest } = withReview(plan).actions.at(-1)?.changes.find(isConsequence) ?? {};
  expect(consequence).toBe(true);
  expect(rest).toEqual(plan.actions.at(-1)?.changes.find(isConsequence));
  expect(parseSavedPlan(savedPlanText(plan), "plan.json")).toEqual({ ok: true, plan });
  const moved = { ...plan, actions: plan.actions.map((action) => ({ ...action, files: ["other.md"] })) };
  expect(planDigest(moved)).toBe(plan.digest);
});

test("marks and groups of a file are not believed", () => {
  const { plan } = planOf(deskOf({ agent: edited }), lock);
  const saved = JSON.parse(savedPlanText(plan)) as Plan;
  const { checksum: _checksum, ...lying } = saved;
  for (const { changes } of lying.actions) for (const change of changes) change.consequence = true;
  lying.groups = [{ change: { path: "name" }, addresses: ["agent:x"] }];
  lying.edits = 0;
  const forged = JSON.stringify({ ...lying, checksum: hash(canonical(lying as unknown as Json)) });
  expect(parseSavedPlan(forged, "plan.json")).toEqual({ ok: true, plan });
});

test("a saved plan that shows an edit as a consequence is refused", () => {
  const { plan } = planOf(deskOf({ agent: edited }), lock);
  const actions = plan.actions.map((action) => ({
    ...action,
    changes: action.changes.map(({ path, after = null }) => ({
      path,
      before: after,
      after,
      references: ["policy:p"],
    })),
  }));
  const findings = checkHidden({ ...plan, actions }, lock, "plan.json");
  expect(findings).toMatchObject([{ code: "plan-invalid" }]);
  expect(checkHidden(plan, lock, "plan.json")).toEqual([]);
});
