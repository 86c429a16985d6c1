import { expect, test } from "vitest";
import type { Action, Plan } from "../../../src/generated/plan.js";
import { hiddenChanges } from "../../../src/core/review/saved-plan-check.js";
import type { JsonObject } from "../../../src/json/json.js";
import type { Lock } from "../../../src/core/state/lock.js";

const shown = [{ path: "system_prompt", before: "old", after: "new" }];
const update = (body: JsonObject, changes: Action["changes"] = shown): Action => ({
  address: "agent:a",
  action: "update",
  reasons: [],
  changes,
  affects: [],
  waits_for: [],
  reads: {},
  body,
});
const planOf = (action: Action, documents?: Plan["documents"]) =>
  ({ actions: [action], ...(documents && { documents }) }) as unknown as Plan;
const lock: Pick<Lock, "resources"> = {
  resources: { "agent:a": { id: "1", body: { name: "A", system_prompt: "old" }, digest: "d" } },
};

test("a plan that shows all that it changes hides nothing", () => {
  expect(hiddenChanges(planOf(update({ name: "A", system_prompt: "new" })), lock)).toEqual([]);
});

test.each([
  ["another value than is shown", { name: "A", system_prompt: "worse" }],
  ["a field that is in no change", { name: "A", system_prompt: "new", description: "${env:OTHER}" }],
  ["a field that is taken away", { system_prompt: "new" }],
] as const)("%s is hidden", (_, body) => {
  expect(hiddenChanges(planOf(update(body)), lock)).toEqual(["agent:a"]);
});

test("what is recorded of a document is hidden where no change has it", () => {
  const [entry] = Object.values(lock.resources);
  const guarded = {
    resources: { "agent:a": { ...entry, protect: true, labels: { team: "care" } } },
  } as unknown as Lock;
  const record = (changes: Action["changes"], marks: Partial<Action>): Action => {
    const { body: _body, ...action } = update({}, changes);
    return { ...action, action: "record", ...marks };
  };
  const protect = { path: "lifecycle.protect", before: true, after: false };
  const label = { path: "metadata.labels.team", before: "care" };
  const hidden = (action: Action) => hiddenChanges(planOf(action), guarded);
  expect(hidden(record([protect, label], {}))).toEqual([]);
  expect(hidden(record([label], {}))).toEqual(["agent:a"]);
  expect(hidden(record([protect], {}))).toEqual(["agent:a"]);
  expect(hidden(record([], { protect: true, labels: { team: "care" } }))).toEqual([]);
});

test("a create shows its whole body, also without a lock", () => {
  const create = (changes: Action["changes"]): Action => ({
    ...update({ name: "A" }, changes),
    action: "create",
  });
  expect(hiddenChanges(planOf(create([{ path: "name", after: "A" }])), undefined)).toEqual([]);
  expect(hiddenChanges(planOf(create([])), undefined)).toEqual(["agent:a"]);
});

test("a whole document that is another than its outline is hidden", () => {
  const outline = { operations: [{ operationId: "read", method: "get", path: "/a" }] };
  const body = { tool_set_name: "t", openapi_schema: outline };
  const changes = [
    { path: "tool_set_name", after: "t" },
    { path: "openapi_schema", after: outline, outline: true as const },
  ];
  const create: Action = { ...update(body, changes), address: "toolset:t", action: "create" };
  const document = (path: string) => ({
    openapi_schema: { paths: { [path]: { get: { operationId: "read" } } } },
  });
  expect(hiddenChanges(planOf(create, { "toolset:t": document("/b") }), undefined)).toEqual(["toolset:t"]);
});
