import { describe, expect, test } from "vitest";
import { difference, topField } from "../../../src/core/plan/difference.js";
import type { Json, JsonObject } from "../../../src/json/json.js";
import type { Lookup } from "../../../src/core/expression/resolution.js";

const nothing: Lookup = () => undefined;

function changes(before: JsonObject, after: JsonObject, [was, is]: readonly Lookup[] = []) {
  return difference(before, after, { before: was ?? nothing, after: is ?? nothing });
}

function ids(known: Readonly<Record<string, string | string[]>>): Lookup {
  return ({ text }) => known[text];
}

test("the order of keys and the spelling of numbers are no change", () => {
  expect(changes({ a: 1, b: { c: 1.5, d: [] } }, { b: { d: [], c: 15e-1 }, a: 1.0 })).toEqual([]);
});

test("a field that came, went or changed is one change each, at its path", () => {
  expect(changes({ a: { b: 1, gone: null } }, { a: { b: 2 }, "odd key": true })).toEqual([
    { path: "a.b", before: 1, after: 2 },
    { path: "a.gone", before: null },
    { path: '"odd key"', after: true },
  ]);
});

test("a value that changes its type is one change", () => {
  expect(changes({ a: [1] }, { a: { b: 1 } })).toEqual([{ path: "a", before: [1], after: { b: 1 } }]);
  expect(changes({ a: "1" }, { a: 1 })).toEqual([{ path: "a", before: "1", after: 1 }]);
});

describe("references", () => {
  const body = { policy: "${policy:strict}", text: "ask ${agent:a}" };

  test("with the same IDs they are no change, whatever they are called", () => {
    const lookups = [ids({ "policy:strict": "1" }), ids({ "policy:renamed": "1" })];
    expect(changes({ policy: "${policy:strict}" }, { policy: "${policy:renamed}" }, lookups)).toEqual([]);
  });

  test("with another ID the unchanged text is a change that names them", () => {
    const known = { "policy:strict": "1", "agent:a": "2" };
    expect(changes(body, body, [ids(known), ids({ ...known, "policy:strict": "9" })])).toEqual([
      { path: "policy", before: body.policy, after: body.policy, references: ["policy:strict"] },
    ]);
  });

  test("a whole tool set stands for its tools", () => {
    const set = { tools: ["${toolset:desk}"] };
    const two = ids({ "toolset:desk": ["1", "2"] });
    expect(changes(set, { tools: ["1", "2"] }, [two, two])).toEqual([]);
    expect(changes(set, set, [two, ids({ "toolset:desk": ["1"] })])).toMatchObject([
      { path: "tools", references: ["toolset:desk"] },
    ]);
  });

  test("a literal that reads like a reference is none", () => {
    expect(changes({ a: "$${policy:strict}" }, { a: "$${policy:strict}" })).toEqual([]);
    expect(changes({ a: "$${policy:strict}" }, { a: "${policy:strict}" })).toHaveLength(1);
  });
});

describe("lists", () => {
  test("of scalars are sets, and another order is noted", () => {
    expect(changes({ a: ["x", "y"] }, { a: ["y", "x"] })).toEqual([
      { path: "a", before: ["x", "y"], after: ["y", "x"], order: true },
    ]);
    expect(changes({ a: ["x", "x", "y"] }, { a: ["x", "y", "y"] })).toEqual([
      { path: "a", before: ["x", "x", "y"], after: ["x", "y", "y"] },
    ]);
  });

  test("of objects go by what names them", () => {
    const memory = { type: "MEMORY", priority: 1 };
    const tool = { type: "TOOL", priority: 2 };
    expect(
      changes({ a: [memory, tool] }, { a: [{ type: "RAI" }, memory, { ...tool, priority: 3 }] }),
    ).toEqual([
      { path: "a[RAI]", after: { type: "RAI" } },
      { path: "a[TOOL].priority", before: 2, after: 3 },
    ]);
    expect(changes({ a: [memory, tool] }, { a: [tool, memory] })).toEqual([
      { path: "a", before: ["MEMORY", "TOOL"], after: ["TOOL", "MEMORY"], order: true },
    ]);
  });

  test("of parameters and operations have no order in an outline, and one elsewhere", () => {
    const items = [
      { in: "query", name: "a" },
      { in: "path", name: "a" },
    ];
    const lookups = { before: () => undefined, after: () => undefined };
    const [before, after] = [{ a: { list: items } }, { a: { list: items.toReversed() } }];
    expect(difference(before, after, lookups, ["a"])).toEqual([]);
    expect(difference(before, after, lookups, ["b"])).not.toEqual([]);
  });

  test("of objects without names show one that was put between as one change", () => {
    const item = (number: number): Json => ({ value: { number } });
    const before = [item(1), item(2), item(3)];
    expect(changes({ a: before }, { a: [item(1), item(9), item(2), item(3)] })).toEqual([
      { path: "a[1]", after: item(9) },
    ]);
    expect(changes({ a: before }, { a: [item(1), item(3)] })).toEqual([{ path: "a[1]", before: item(2) }]);
    expect(changes({ a: before }, { a: [item(1), item(8), item(3)] })).toEqual([
      { path: "a[1].value.number", before: 2, after: 8 },
    ]);
  });

  test("nested deep in one another are compared in time", () => {
    let [left, right]: Json[] = [{ end: 1 }, { end: 2 }];
    for (let depth = 0; depth < 90; depth++)
      [left, right] = [
        [{ a: left ?? null }, {}],
        [{ a: right ?? null }, {}],
      ];
    expect(changes({ a: left ?? null }, { a: right ?? null })).toHaveLength(1);
  });
});

describe("JSON inside of a text", () => {
  const compare = (before: string, after: string) => changes({ t: before }, { t: after });

  test("formatting and the order of keys are no change", () => {
    expect(compare('{"a":1,"b":[1,2]}', ' {\n "b": [1, 2],\n "a": 1.0 }\n')).toEqual([]);
    expect(compare("[]", "[ ]")).toEqual([]);
  });

  test("what differs stands at a path inside", () => {
    expect(compare('{"a":{"b":1},"l":["x"]}', '{"a":{"b":2},"l":["y"]}')).toEqual([
      { path: "t{json}.a.b", before: 1, after: 2 },
      { path: "t{json}.l", before: ["x"], after: ["y"] },
    ]);
    expect(compare('[{"a":1}]', '{"a":1}')).toEqual([
      { path: "t{json}", before: [{ a: 1 }], after: { a: 1 } },
    ]);
  });

  test("JSON in a text of JSON is JSON too", () => {
    const inner = (text: string) => JSON.stringify({ inner: text });
    expect(compare(inner('{"a":1}'), inner('{ "a": 2 }'))).toEqual([
      { path: "t{json}.inner{json}.a", before: 1, after: 2 },
    ]);
  });

  test.each([
    ["no JSON", '{"a":1', '{"a": 1'],
    ["JSON on one side alone", '{"a":1}', "a: 1"],
    ["a scalar", "1", "1.0"],
    ["a key twice", '{"a":1,"a":2}', '{"a":3,"a":2}'],
    ["an integer that would lose digits", '{"a":9007199254740993}', '{"a":9007199254740992}'],
    ["a fraction that would lose digits", '{"a":0.10000000000000000001}', '{"a":0.1}'],
    ["a reference", '{"a":"${policy:p}"}', '{"a": "${policy:p}"}'],
    [
      "a depth beyond all bounds",
      `${"[".repeat(5000)}${"]".repeat(5000)}`,
      `${"[".repeat(5000)} ${"]".repeat(5000)}`,
    ],
  ])("%s is compared as text", (_, before, after) => {
    expect(compare(before, after)).toEqual([{ path: "t", before, after }]);
  });
});

test.each([
  ["name", "name"],
  ["features[RAI].config", "features"],
  ["examples{json}.a", "examples"],
  ['"a.b".c', "a.b"],
  ['"say \\"so\\"[1]"[2]', 'say "so"[1]'],
])("the field of %s is %s", (path, field) => {
  expect(topField({ path })).toBe(field);
});
