import { expect, test } from "vitest";
import { buildGraph, reachable, affectedBy, withoutGone } from "../../../src/core/resources/graph.js";
import { othersBy } from "../../harness/edges.js";
import { fc } from "../../harness/property.js";

const names = Array.from({ length: 12 }, (_, index) => String.fromCodePoint(97 + index));
const acyclic = fc
  .array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 40 })
  .map((pairs) => pairs.filter(([from, to]) => from < to))
  .map((pairs) => pairs.map(([from, to]) => ({ from: names[from] ?? "", to: names[to] ?? "" })));

test("what an address affects is all that it leads to, but for what is gone", () => {
  fc.assert(
    fc.property(acyclic, fc.subarray(names), (edges, chosen) => {
      const gone = new Set(chosen);
      const { order, dependencies } = buildGraph(names, othersBy(edges));
      const next = withoutGone(
        order.filter((name) => gone.has(name)),
        dependencies,
      );
      for (const name of names) {
        const all = [...reachable([name], dependencies)].filter((each) => !gone.has(each));
        expect(affectedBy(name, next)).toEqual({ affects: all.toSorted() });
      }
    }),
  );
});

test("a hundred are all, and one more is said to be there", () => {
  const list = Array.from({ length: 101 }, (_, index) => `n${String(index).padStart(3, "0")}`);
  const next = (count: number) => (name: string) => (name === "root" ? list.slice(0, count) : []);
  expect(affectedBy("root", next(100))).toEqual({ affects: list.slice(0, 100) });
  expect(affectedBy("root", next(101))).toEqual({ affects: list.slice(0, 100), affects_more: true });
});

test("what is nearest is listed before what comes first by its name", () => {
  const far = Array.from({ length: 100 }, (_, index) => `a${index}`);
  const next = (name: string) => (name === "root" ? ["z"] : name === "z" ? far : []);
  const { affects } = affectedBy("root", next);
  expect(affects).toContain("z");
  expect(affects).toHaveLength(100);
});
