import { othersBy, type Edge } from "../../harness/edges.js";
import { fc } from "../../harness/property.js";
import { expect, test } from "vitest";
import { buildGraph, reachable } from "../../../src/core/resources/graph.js";

function edges(...pairs: readonly string[]): Edge[] {
  return pairs.map((pair) => {
    const [from = "", to = ""] = pair.split(">");
    return { from, to };
  });
}

test("every address comes after all that it refers to, and equals in the order of their names", () => {
  expect(buildGraph(["c", "a", "b"], othersBy(edges("a>b", "b>c"))).order).toEqual(["c", "b", "a"]);
  expect(buildGraph(["c", "a", "b"], othersBy([])).order).toEqual(["a", "b", "c"]);
});

test("dependencies and dependents are sorted and each told once", () => {
  const graph = buildGraph(["a", "b", "c"], othersBy(edges("a>c", "a>b", "a>b", "b>c", "b>c")));
  expect(graph.dependencies.get("a")).toEqual(["b", "c"]);
  expect(graph.dependencies.get("b")).toEqual(["c"]);
  expect(graph.dependents.get("c")).toEqual(["a", "b"]);
});

test("an edge to nothing is left out", () => {
  const graph = buildGraph(["a"], othersBy(edges("a>b", "b>a")));
  expect(graph.dependencies.get("a")).toEqual([]);
  expect(graph.cycles).toEqual([]);
});

test.each([
  [["a>a"], [["a", "a"]]],
  [["a>b", "b>a"], [["a", "b", "a"]]],
  [["a>b", "b>c", "c>a"], [["a", "b", "c", "a"]]],
  [["a>b", "b>c", "c>a", "b>a"], [["a", "b", "a"]]],
  [["a>d", "d>b", "b>d"], [["b", "d", "b"]]],
  [
    ["a>b", "b>a", "c>d", "d>c"],
    [
      ["a", "b", "a"],
      ["c", "d", "c"],
    ],
  ],
])("the circles of %j are %j", (pairs, expected) => {
  const cycles = buildGraph(["a", "b", "c", "d"], othersBy(edges(...pairs))).cycles;
  expect(cycles.toSorted()).toEqual(expected);
});

test("a chain of fifty thousand is no strain", () => {
  const names = Array.from({ length: 50_000 }, (_, index) => `n${index}`);
  const chain = names.slice(1).map((to, index) => ({ from: `n${index}`, to }));
  expect(buildGraph(names, othersBy(chain)).order[0]).toBe("n49999");
});

test("what can be reached leaves the start out", () => {
  const { dependencies } = buildGraph(["a", "b", "c", "d"], othersBy(edges("a>b", "b>c", "c>a")));
  expect([...reachable(["a"], dependencies)].toSorted()).toEqual(["b", "c"]);
  expect(reachable(["d"], dependencies).size).toBe(0);
});

test("any graph: an order of all, dependencies first but in circles, and circles that are ways round", () => {
  const name = fc.integer({ min: 0, max: 9 }).map(String);
  fc.assert(
    fc.property(fc.array(fc.record({ from: name, to: name }), { maxLength: 30 }), (pairs) => {
      const names = Array.from({ length: 10 }, (_, index) => String(index));
      const { order, dependencies, cycles } = buildGraph(names, othersBy(pairs));
      expect(order.toSorted()).toEqual(names);
      for (const cycle of cycles) {
        expect(cycle[0]).toBe(cycle.at(-1));
        for (const [index, from] of cycle.slice(0, -1).entries()) {
          expect(dependencies.get(from)).toContain(cycle[index + 1]);
        }
      }
      for (const { from, to } of pairs) {
        const isInCircle = from === to || reachable([to], dependencies).has(from);
        if (isInCircle) expect(cycles.length).toBeGreaterThan(0);
        else expect(order.indexOf(to)).toBeLessThan(order.indexOf(from));
      }
    }),
  );
});
