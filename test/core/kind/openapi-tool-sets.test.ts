import { expect, test } from "vitest";
import { kinds } from "../../../src/core/kind/kinds.js";
import { gatherTools } from "../../../src/core/kind/openapi-tool-sets.js";
import type { JsonObject } from "../../../src/json/json.js";

const document = {
  openapi: "3.1.0",
  paths: { "/a": { get: { operationId: "listA" }, post: {} }, "/b": { get: { operationId: "listB" } } },
};
const isField = (name: string) => ["tool_set_name", "openapi_schema", "default_headers"].includes(name);

function gather(parts: readonly (readonly [id: string, body: object])[]) {
  const all = parts.map(([id, body]) => {
    return { id, body: { tool_set_name: "desk", openapi_schema: document, ...body } as JsonObject };
  });
  return gatherTools(all, isField).map(({ parts: own, picks, problem }) => ({
    ids: own.map(({ id }) => id),
    ...(picks && { picks }),
    ...(problem !== undefined && { problem }),
  }));
}

test("the tools of a set are in the order of its document, whatever says which they are", () => {
  const routes = [
    ["3", { method: "get", path: "/b" }],
    ["2", { name: "POST /a" }],
    ["1", { name: "listA" }],
  ] as const;
  expect(gather(routes)).toEqual([{ ids: ["1", "2", "3"] }]);
});

test("IDs that end in their operations are enough", () => {
  const only = { openapi_schema: { openapi: "3.1.0", paths: { "/a": { get: { operationId: "listA" } } } } };
  expect(gather([["desk-listA", only]])).toEqual([{ ids: ["desk-listA"] }]);
});

test("a set that lacks operations picks the others", () => {
  expect(gather([["1", { name: "listB" }]])).toEqual([{ ids: ["1"], picks: ["listB"] }]);
});

test("a document that was sent twice is two sets, the oldest tools together", () => {
  const twice = [
    ["d", { name: "listA", created_at: "2026-01-01T00:00:00Z" }],
    ["a", { name: "listA", created_at: "2026-01-02T00:00:00Z" }],
    ["b", { name: "listB", created_at: "2026-01-02T00:00:00Z" }],
    ["c", { name: "listB", created_at: "2026-01-01T00:00:00Z" }],
  ] as const;
  expect(gather(twice)).toEqual([
    { ids: ["d", "c"], picks: ["listA", "listB"] },
    { ids: ["a", "b"], picks: ["listA", "listB"] },
  ]);
});

test("tools with different defaults are different sets", () => {
  const sets = gather([
    ["1", { name: "listA", default_headers: { trace: "on" } }],
    ["2", { name: "listB" }],
  ]);
  expect(sets).toEqual([
    { ids: ["1"], picks: ["listA"] },
    { ids: ["2"], picks: ["listB"] },
  ]);
});

test("what is not clear is no set", () => {
  expect(gather([["1", { name: "something" }]])).toMatchObject([
    { problem: expect.stringContaining("which operations") },
  ]);
  expect(gather([["1", { openapi_schema: "text" }]])).toMatchObject([
    { problem: expect.stringContaining("OpenAPI") },
  ]);
});

test("an update sends an empty mapping for a default that is gone, and null for a field that only the deployment has", () => {
  const [request] = kinds.toolset.update({ ids: ["a1"] }, ["default_headers", "timeout"], {});
  expect(request).toMatchObject({ path: "/v3/tools/a1", body: { default_headers: {}, timeout: null } });
});
