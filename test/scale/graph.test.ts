import { expect, test } from "vitest";
import { buildGraph, reachable } from "../../src/core/resources/graph.js";
import { othersBy } from "../harness/edges.js";
import { addressAt, chain, clique, edgesOf, fan, many, star, tangle } from "./scene.js";

test.each(Object.entries({ chain, star, fan, clique, tangle }))(
  "the graph of a %s comes dependencies first",
  (_, nodes) => {
    const edges = edgesOf(nodes);
    const addresses = nodes.map(([address]) => address);
    const graph = buildGraph(addresses.toReversed(), othersBy([...edges.toReversed(), ...edges]));
    const places = new Map(graph.order.map((address, index) => [address, index]));
    expect(places.size).toBe(nodes.length);
    const late = edges.filter(({ from, to }) => (places.get(to) ?? many) >= (places.get(from) ?? 0));
    expect(late).toEqual([]);
    for (const lists of [graph.dependencies, graph.dependents]) {
      expect([...lists.values()].reduce((sum, { length }) => sum + length, 0)).toBe(edges.length);
    }
    const [last, references = []] = nodes.at(-1) ?? [];
    expect(graph.dependencies.get(last ?? "")).toEqual(references);
    expect(graph.cycles).toEqual([]);
  },
);

test("a circle of a hundred thousand is found, all the way round", () => {
  const closing = { from: addressAt("agent", 0), to: addressAt("agent", many - 1) };
  const addresses = chain.map(([address]) => address);
  const { cycles, dependencies } = buildGraph(addresses, othersBy([...edgesOf(chain), closing]));
  expect(cycles).toHaveLength(1);
  expect(cycles[0]).toHaveLength(many + 1);
  expect(cycles[0]?.slice(0, 2)).toEqual([closing.from, closing.to]);
  expect(reachable([closing.from], dependencies).size).toBe(many - 1);
});
