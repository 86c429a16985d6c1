import { expect, test } from "vitest";
import { renderPlanMarkdown } from "../../src/render/markdown/plan-markdown.js";
import { renderPlanText } from "../../src/render/plan/plan-text.js";
import { renderPlanHtml } from "../../src/render/html/plan-html.js";
import type { Plan } from "../../src/core/plan/plan.js";
import { movedEntries } from "../../src/core/review/saved-plan-check.js";
import { chain, lockOf, many, noLock, planOf, star, tangle, workspaceOf, type Node } from "./scene.js";

function waitsInOrder({ actions }: Plan): number {
  const places = new Map(actions.map(({ address }, index) => [address, index]));
  let waits = 0;
  for (const [index, { waits_for }] of actions.entries()) {
    for (const address of waits_for) if ((places.get(address) ?? many) < index) waits++;
  }
  return waits;
}

function countReferences(nodes: readonly Node[]): number {
  return nodes.reduce((sum, [, { length }]) => sum + length, 0);
}

test("all is created, dependencies first, and then there is nothing to do", () => {
  const workspace = workspaceOf(tangle);
  const { plan } = planOf(workspace, noLock);
  expect(plan.summary.create).toBe(tangle.length);
  expect(waitsInOrder(plan)).toBe(countReferences(tangle));
  const again = planOf(workspace, lockOf(workspace)).plan;
  expect(again.actions).toEqual([]);
  expect(again.summary.unchanged).toBe(tangle.length);
});

test("a replaced root updates all that refer to it, and lists a hundred of them", () => {
  const lock = lockOf(workspaceOf(star));
  const revision = (address: string) => (address === "policy:all" ? 1 : 0);
  const { plan } = planOf(workspaceOf(star, { revision }), lock);
  expect(plan.summary).toMatchObject({ replace: 1, update: many });
  expect(waitsInOrder(plan)).toBe(many);
  const affects = star.slice(1, 101).map(([address]) => address);
  expect(plan.actions[0]).toMatchObject({ address: "policy:all", affects, affects_more: true });
  expect(movedEntries(plan, lock)).toEqual([]);
  const [first, second] = affects;
  expect(renderPlanText(plan, { color: false })).toContain(`affects ${first}, ${second} and over 98 more`);
  expect(Buffer.byteLength(renderPlanMarkdown(plan))).toBeLessThan(60_000);
  expect(renderPlanHtml(plan)).toContain('"affects_more":true');
});

test("all that is gone is forgotten, those that refer to others first, and affects nothing", () => {
  const { plan } = planOf(workspaceOf([]), lockOf(workspaceOf(chain)));
  expect(plan.summary.forget).toBe(many);
  expect(waitsInOrder(plan)).toBe(countReferences(chain));
  expect(plan.actions.filter(({ affects, affects_more: more }) => affects.length > 0 || more)).toEqual([]);
});
