import { describe, expect, it, test } from "vitest";
import { kinds } from "../../../src/core/kind/kinds.js";
import { findResources } from "../../../src/core/observation/found-objects.js";
import { ownChanges } from "../../../src/core/observation/baseline.js";
import type { ObservedObject } from "../../../src/core/observation/observation.js";
import { changesOf } from "../../../src/core/plan/undoing.js";
import type { LockEntry } from "../../../src/core/state/lock.js";
import type { JsonObject } from "../../../src/json/json.js";

type Entries = Record<string, LockEntry>;

function entry(id: string, body: JsonObject, more: Partial<LockEntry> = {}): LockEntry {
  return { id, body, digest: "d", ...more };
}

function found(id: string, body: JsonObject): ObservedObject {
  return { id, state: "found", body };
}

function find(resources: Entries, objects: Record<string, ObservedObject[]>) {
  const { byAddress, notShown } = findResources({ resources }, { objects });
  const changes = [...byAddress.values()].flatMap((each) =>
    changesOf(each).map(({ path, after }) => `${each.address} ${path} ${JSON.stringify(after)}`),
  );
  return {
    byAddress,
    changes,
    notShown: notShown.map(({ kind, pointer, resources: count }) => [kind.name, pointer, count]),
  };
}

describe("a field that is not in an answer", () => {
  const two: Entries = {
    "agent:a": entry("1", { name: "A", model: "m", items: [{ id: "x", note: "n" }] }),
    "agent:b": entry("2", { name: "B", model: "m" }),
  };

  it("is not shown if no object of the kind has it", () => {
    const { changes, notShown } = find(two, {
      "agent:a": [found("1", { name: "A", items: [{ id: "x" }] })],
      "agent:b": [found("2", { name: "B" })],
    });
    expect(changes).toEqual([]);
    expect(notShown).toEqual([
      ["agent", "/model", 2],
      ["agent", "/items/*/note", 1],
    ]);
  });

  it("was removed if another object of the kind has it", () => {
    const { changes, notShown } = find(two, {
      "agent:a": [found("1", { name: "A", items: [{ id: "x", note: "n" }] })],
      "agent:b": [found("2", { name: "B", model: "m" })],
    });
    expect(changes).toEqual(["agent:a model undefined"]);
    expect(notShown).toEqual([]);
  });

  it("is exactly what an apply remembered, where it did", () => {
    const known = {
      "agent:a": entry(
        "1",
        { name: "A", model: "m", note: "n" },
        { baseline: { own: {}, hidden: ["/note"] } },
      ),
    };
    const { changes, notShown } = find(known, { "agent:a": [found("1", { name: "A" })] });
    expect(changes).toEqual(["agent:a model undefined"]);
    expect(notShown).toEqual([["agent", "/note", 1]]);
  });
});

describe("an ID in an answer", () => {
  const references = { "policy:p": "p-1", "toolset:t": ["t-1", "t-2"] };
  const sent = { policy_id: "${policy:p}", tools: ["${toolset:t}"], note: "p-2" };
  const resources: Entries = {
    "agent:a": entry("a-1", sent, { references }),
    "policy:p": entry("p-1", {}),
    "policy:q": entry("p-2", {}),
    "toolset:t": {
      ids: ["t-1", "t-2"],
      tools: { one: "t-1", two: "t-2" },
      body: {
        openapi_schema: {
          operations: ["one", "two"].map((name) => ({ method: "GET", path: `/${name}`, operationId: name })),
        },
      },
      digest: "d",
    },
  };

  it("is named by the resource that has it, in a field that refers to its kind", () => {
    const seen = { policy_id: "p-2", tools: ["t-2"], note: "t-1" };
    expect(find(resources, { "agent:a": [found("a-1", seen)] }).changes).toEqual([
      'agent:a policy_id "${policy:q}"',
      'agent:a tools ["${toolset:t/two}"]',
      'agent:a note "t-1"',
    ]);
  });

  it("stays an ID where the reference stood for another one", () => {
    const moved = { ...resources, "policy:p": entry("p-3", {}) };
    const seen = { policy_id: "p-3", tools: ["t-1", "t-2"], note: "p-2" };
    expect(find(moved, { "agent:a": [found("a-1", seen)] }).changes).toEqual(['agent:a policy_id "p-3"']);
  });
});

describe("a tool set", () => {
  const operations = ["one", "two"].map((name) => ({ method: "GET", path: `/${name}`, operationId: name }));
  const set: LockEntry = {
    ids: ["t-1", "t-2"],
    tools: { one: "t-1", two: "t-2" },
    body: { tool_set_name: "t", openapi_schema: { operations }, default_query_params: { lang: "en" } },
    digest: "d",
  };
  const tool = (more: JsonObject = {}) => ({
    tool_set_name: "t",
    openapi_schema: { operations },
    default_query_params: { lang: "en" },
    ...more,
  });

  it("has its document even if each tool has its own part of it alone", () => {
    const [one, two] = operations;
    const objects = [
      found("t-1", tool({ openapi_schema: { operations: [one as JsonObject] } })),
      found("t-2", tool({ openapi_schema: { operations: [two as JsonObject] } })),
    ];
    expect(find({ "toolset:t": set }, { "toolset:t": objects }).changes).toEqual([]);
  });

  it("has lost an operation that no tool has any more", () => {
    const part = tool({ openapi_schema: { operations: operations.slice(0, 1) } });
    expect(
      find({ "toolset:t": set }, { "toolset:t": [found("t-1", part), found("t-2", part)] }).changes,
    ).toEqual(["toolset:t openapi_schema.operations[GET /two] undefined"]);
  });

  it("has texts and paths with `${` as they were sent", () => {
    const [one] = operations;
    const document = (dollars: string) => ({
      info: { title: `${dollars}{var:model}` },
      operations: [{ ...(one as JsonObject), path: `/${dollars}{env:HOME}`, tags: [`${dollars}{env:HOME}`] }],
    });
    const sent = { ...set, body: { openapi_schema: document("$$") } };
    const seen = found("t-1", { openapi_schema: document("$") });
    expect(find({ "toolset:t": sent }, { "toolset:t": [seen] }).changes).toEqual([]);
  });

  it("says which of its tools differ", () => {
    const objects = [found("t-1", tool()), found("t-2", tool({ default_query_params: { lang: "fr" } }))];
    const { byAddress, changes } = find({ "toolset:t": set }, { "toolset:t": objects });
    expect(changes).toEqual(['toolset:t default_query_params.lang "fr"']);
    expect([...(byAddress.get("toolset:t")?.partly ?? [])]).toEqual([["default_query_params", ["two"]]]);
  });

  it("names the IDs that are gone", () => {
    const objects: ObservedObject[] = [found("t-1", tool()), { id: "t-2", state: "gone" }];
    expect(find({ "toolset:t": set }, { "toolset:t": objects }).byAddress.get("toolset:t")?.gone).toEqual([
      "t-2",
    ]);
  });
});

test("each update whose outcome is not known may have arrived", () => {
  const attempted = [{ body: { name: "A", note: "new" } }, { body: { name: "A", note: "newer", size: 2 } }];
  const entries = { "agent:a": entry("1", { name: "A", note: "old" }, { uncertain: true, attempted }) };
  const seen = (note: string) => ({ "agent:a": [found("1", { name: "A", note })] });
  for (const note of ["old", "new", "newer"]) expect(find(entries, seen(note)).changes).toEqual([]);
  expect(find(entries, seen("other")).changes).toEqual(['agent:a note "other"']);
});

test("an update whose outcome is not known may have sent another ID for the same reference", () => {
  const body = { name: "A", features: [{ type: "RAI", config: { policy_id: "${policy:p}" } }] };
  const referring = (id: string) => ({ body, references: { "policy:p": id } });
  const more = { ...referring("p1"), uncertain: true, attempted: [referring("p2"), { body }] };
  const entries = { "agent:a": entry("1", body, more) };
  const changes = (policy_id: string) => {
    const features = [{ type: "RAI", config: { policy_id } }];
    return find(entries, { "agent:a": [found("1", { name: "A", features })] }).changes;
  };
  for (const id of ["p1", "p2"]) expect(changes(id)).toEqual([]);
  expect(changes("p3")).not.toEqual([]);
});

test("an update whose outcome is not known may have arrived at some tools of a set", () => {
  const before = { default_headers: { team: "a" } };
  const after = { default_headers: { team: "b" } };
  const set = { ids: ["t-1", "t-2", "t-3"], body: before, digest: "d", uncertain: true };
  const seen = (...teams: string[]) => ({
    "toolset:t": teams.map((team, index) => found(`t-${index + 1}`, { default_headers: { team } })),
  });
  const entries = { "toolset:t": { ...set, attempted: [{ body: after }] } };
  expect(find(entries, seen("b", "b", "a")).changes).toEqual([]);
  expect(find(entries, seen("b", "c", "a")).changes).not.toEqual([]);
});

test("what an update of unknown outcome added, took away or named is nobody's change", () => {
  const baseline = { own: {}, hidden: [] };
  const attempted = [
    { body: { name: "A", tools: ["${toolset:t/read}"] }, references: { "toolset:t/read": "t9" } },
  ];
  const more = { uncertain: true, attempted, baseline };
  const entries = { "agent:a": entry("1", { name: "A", note: "old" }, more) };
  const seen = (tool: string) => {
    const { byAddress, changes } = find(entries, { "agent:a": [found("1", { name: "A", tools: [tool] })] });
    return { changes, added: byAddress.get("agent:a")?.added };
  };
  expect(seen("t9")).toEqual({ changes: [], added: {} });
  expect(seen("t8").added).toEqual({ tools: ["t8"] });
});

test("what is observed under an ID that no resource has says nothing", () => {
  const { byAddress } = find(
    { "agent:a": entry("1", {}) },
    { "agent:a": [found("2", {})], "policy:a": [found("1", {})] },
  );
  expect(byAddress.size).toBe(0);
});

test("a change of the service's own is shown if an apply has remembered it", () => {
  const baseline = { own: { "/version": 1, "/flag": true, "/kept": 5 }, hidden: [] };
  const seen = { name: "A", version: 2, kept: 5, role: "r" };
  const changes = (more: Partial<LockEntry>) => {
    const { byAddress } = find(
      { "agent:a": entry("1", { name: "A" }, more) },
      { "agent:a": [found("1", seen)] },
    );
    const resource = byAddress.get("agent:a");
    return resource ? ownChanges(resource) : [];
  };
  expect(changes({})).toEqual([]);
  expect(changes({ baseline })).toEqual([
    { path: "role", after: "r", own: true },
    { path: "version", before: 1, after: 2, own: true },
    { path: "flag", before: true, own: true },
  ]);
});

test("every kind can be found", () => {
  const resources = Object.fromEntries(
    Object.keys(kinds).map((kind) => [`${kind}:a`, entry("1", { name: "A" })]),
  );
  const objects = Object.fromEntries(
    Object.keys(kinds).map((kind) => [`${kind}:a`, [found("1", { name: "B" })]]),
  );
  expect(find(resources, objects).changes).toHaveLength(Object.keys(kinds).length);
});
