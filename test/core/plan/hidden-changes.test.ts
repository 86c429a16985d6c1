import { expect, test } from "vitest";
import type { Action, Plan } from "../../../src/generated/plan.js";
import { hiddenChanges } from "../../../src/core/review/hidden-changes.js";
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

test("what the lock does not have before a change hides what that has", () => {
  const hidden = (change: Partial<Action["changes"][number]>) =>
    hiddenChanges(
      planOf(
        update(
          { name: "A", system_prompt: "new" },
          shown.map((each) => ({ ...each, ...change })),
        ),
      ),
      lock,
    );
  expect(hidden({ before: "nearly new" })).toEqual(["agent:a"]);
  expect(hidden({ before: "somebody's", undoes: true })).toEqual([]);
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

test("a whole document that is missing is hidden: its outline would be sent in its place", () => {
  const outline = { operations: [{ operationId: "read", method: "get", path: "/a" }] };
  const body = { openapi_schema: outline };
  const changes = [{ path: "openapi_schema", after: outline, outline: true as const }];
  const create: Action = { ...update(body, changes), address: "toolset:t", action: "create" };
  expect(hiddenChanges(planOf(create), undefined)).toEqual(["toolset:t"]);
});

test.each(["create", "adopt"] as const)("%s sends all that it shows, and nothing else", (action) => {
  const sent = { name: "A", system_prompt: "Never lie." };
  const changes = Object.entries(sent).map(([path, after]) => ({ path, after }));
  const of = (body: JsonObject) =>
    hiddenChanges(planOf({ ...update(body, changes), action, fields: Object.keys(sent) }), undefined);
  expect(of(sent)).toEqual([]);
  expect(of({ name: "A" })).toEqual(["agent:a"]);
  expect(of({ ...sent, system_prompt: "Lie." })).toEqual(["agent:a"]);
  expect(of({ ...sent, description: "${env:OTHER}" })).toEqual(["agent:a"]);
});

test("an update that shows what it does not send is found, without a lock too", () => {
  const features = { path: "features", after: [{ type: "RAI" }] };
  const body = { name: "A", system_prompt: "new" };
  const claiming = planOf(update(body, [...shown, features]));
  expect(hiddenChanges(claiming, lock)).toEqual(["agent:a"]);
  expect(hiddenChanges(claiming, undefined)).toEqual(["agent:a"]);
  const removing = update(body, [...shown, { path: "features", before: [] }]);
  expect(hiddenChanges(planOf(removing), lock)).toEqual(["agent:a"]);
});

test("what a replacement is sent at its creation alone is shown", () => {
  const body = { tool_set_name: "new", provider_api_key: "${env:OTHER}" };
  const name = { path: "tool_set_name", before: "old", after: "new" };
  const replace = (changes: Action["changes"]): Action => ({
    ...update(body, changes),
    address: "toolset:t",
    action: "replace",
  });
  const resources = { "toolset:t": { ids: ["1"], body: { tool_set_name: "old" }, digest: "d" } };
  const hidden = (changes: Action["changes"]) => hiddenChanges(planOf(replace(changes)), { resources });
  expect(hidden([name, { path: "provider_api_key", after: "${env:OTHER}" }])).toEqual([]);
  expect(hidden([name])).toEqual(["toolset:t"]);
});

test("an update of single fields sends each that differs, and none that is nowhere", () => {
  const resources = { "toolset:t": { ids: ["1"], body: { default_headers: { a: "1" } }, digest: "d" } };
  const changes = [{ path: "default_headers.a", before: "1", after: "2" }];
  const hidden = (fields: string[]) => {
    const action = { ...update({ default_headers: { a: "2" } }, changes), address: "toolset:t", fields };
    return hiddenChanges(planOf(action), { resources });
  };
  expect(hidden(["default_headers"])).toEqual([]);
  expect(hidden([])).toEqual(["toolset:t"]);
  expect(hidden(["default_headers", "default_query_params"])).toEqual(["toolset:t"]);
});

test("an edit that would only be recorded is hidden", () => {
  const record: Action = { ...update({ name: "A", system_prompt: "new" }), action: "record" };
  expect(hiddenChanges(planOf(record), lock)).toEqual(["agent:a"]);
});

test("an action waits for what gives the IDs that it sends", () => {
  const features = [{ config: { policy_id: "${policy:p}" } }];
  const changes = [{ path: "features", after: features }];
  const create: Action = { ...update({ features }, changes), action: "create" };
  const policy: Action = { ...update({}, []), address: "policy:p", action: "replace" };
  const hidden = (waits_for: string[]) =>
    hiddenChanges({ actions: [policy, { ...create, waits_for }] } as unknown as Plan, undefined);
  expect(hidden(["policy:p"])).toEqual([]);
  expect(hidden([])).toEqual(["agent:a"]);
});
