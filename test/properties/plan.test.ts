import { examples, fc } from "../harness/property.js";
import { expect, test } from "vitest";
import { hasErrors } from "../../src/core/finding/diagnostic.js";
import { validate } from "../../src/generated/validate-plan.js";
import { referencesIn } from "../../src/core/expression/reference.js";
import { parseSavedPlan } from "../../src/core/review/saved-plan.js";
import type { Plan } from "../../src/core/plan/plan.js";
import type { Fleet } from "../../src/core/resources/fleet.js";
import { applyTo, history, isSound, planOf, planOptions, play } from "../plan/history.js";
import { pieces, workspaceOf } from "../plan/world.js";
import { savedPlanText } from "../harness/plan-text.js";

test("any workspace and any state that applies reach give a plan that is in order", async () => {
  await fc.assert(
    fc.asyncProperty(
      history,
      pieces,
      planOptions,
      fc.boolean(),
      async (steps, made, options, documentOrder) => {
        const { lock } = await play(steps, { documentOrder });
        const fleet = workspaceOf(made);
        expect(hasErrors(fleet.findings)).toBe(false);
        const { plan } = planOf(fleet, lock, options);
        expect(validate(plan), JSON.stringify(validate.errors)).toBe(true);
        checkOrder(plan, fleet);
        checkActions(plan, fleet);
      },
    ),
    { numRuns: examples(200) },
  );
});

function checkOrder({ actions }: Plan, { graph }: Fleet): void {
  const places = new Map(actions.map(({ address }, index) => [address, index]));
  expect(places.size).toBe(actions.length);
  for (const [index, { address, waits_for }] of actions.entries()) {
    for (const dependency of graph.dependencies.get(address) ?? []) {
      const place = places.get(dependency);
      if (place === undefined) continue;
      expect(place).toBeLessThan(index);
      expect(waits_for).toContain(dependency);
    }
    for (const before of waits_for) expect(places.get(before)).toBeLessThan(index);
  }
}

function checkActions({ actions, summary }: Plan, { resources, graph }: Fleet): void {
  for (const action of actions) {
    const { address, affects, reads, requests, leaves, from, body, ids = [] } = action;
    expect(Object.keys(reads)).toContain(address);
    if (from !== undefined) expect(Object.keys(reads)).toContain(from);
    expect(affects).toEqual([...new Set(affects)].toSorted());
    for (const affected of affects) expect(resources.has(affected)).toBe(true);
    const hasResource = resources.has(address);
    switch (action.action) {
      case "create":
      case "replace":
        expect(requests).toHaveLength(1);
        expect(requests?.[0]).toMatch(/^POST /);
        expect(Object.keys(reads)).toEqual(
          expect.arrayContaining(referencesIn(body ?? {}).map((each) => each.address)),
        );
        break;
      case "update":
        for (const request of requests ?? []) expect(request).toMatch(/^PUT /);
        expect(requests).toHaveLength(ids.length);
        break;
      case "adopt":
        expect(ids.length).toBeGreaterThan(0);
        break;
      default:
        expect(requests).toBeUndefined();
    }
    const leavesSome = action.action === "replace" || action.action === "forget";
    if (leavesSome) expect(leaves).toBe(Math.max(1, ids.length));
    else if (action.action !== "adopt") expect(leaves).toBeUndefined();
    if (action.action === "forget") expect(hasResource).toBe(false);
    if (action.action === "replace") expect(affects).toEqual(dependentsOf(address, graph.dependents));
  }
  const { unchanged, ...counts } = summary;
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(actions.length);
  expect(unchanged).toBeGreaterThanOrEqual(0);
}

function dependentsOf(address: string, dependents: ReadonlyMap<string, readonly string[]>): string[] {
  const found = new Set<string>();
  const stack = [address];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    for (const dependent of dependents.get(next) ?? []) {
      if (found.has(dependent)) continue;
      found.add(dependent);
      stack.push(dependent);
    }
  }
  return [...found].toSorted();
}

test("where documents stand makes no difference", async () => {
  await fc.assert(
    fc.asyncProperty(history, pieces, fc.infiniteStream(fc.nat(100)), async (steps, made, numbers) => {
      const { lock } = await play(steps);
      const { plan } = planOf(workspaceOf(made), lock);
      const shuffled = made
        .map((piece) => ({ piece, at: numbers.next().value ?? 0 }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ piece }) => piece);
      expect(JSON.stringify(planOf(workspaceOf(shuffled), lock).plan)).toBe(JSON.stringify(plan));
      const moved = shuffled.map((piece) => ({
        ...piece,
        file: `elsewhere/${numbers.next().value ?? 0}.yaml`,
      }));
      const again = planOf(workspaceOf(moved), lock).plan;
      expect(again.digest).toBe(plan.digest);
      expect(withoutFiles(again)).toEqual(withoutFiles(plan));
    }),
    { numRuns: examples(80) },
  );
});

function withoutFiles(plan: Plan): Plan {
  return { ...plan, actions: plan.actions.map(({ file: _file, ...action }) => action) };
}

test("after an apply that succeeded there is nothing to do, whatever another branch plans meanwhile", async () => {
  let empty = 0;
  await fc.assert(
    fc.asyncProperty(history, pieces, pieces, async (steps, made, others) => {
      const counts = {};
      const { lock } = await play(steps, { counts });
      const fleet = workspaceOf(made);
      const { plan, findings } = planOf(fleet, lock);
      const { unknown, blocked } = plan.summary;
      if (!isSound(fleet, findings) || unknown + blocked > 0) return;
      const { after } = await applyTo(lock, plan, { counts });
      planOf(workspaceOf(others), after);
      const second = planOf(fleet, after);
      expect(second.plan.actions).toEqual([]);
      expect(second.plan.notes).toEqual([]);
      expect(hasErrors(second.findings)).toBe(false);
      if (plan.actions.length > 0) empty++;
    }),
    { numRuns: examples(200) },
  );
  expect(empty).toBeGreaterThan(examples(200) / 4);
});

test("a digest moves with what a plan rests on, and with nothing else", async () => {
  await fc.assert(
    fc.asyncProperty(history, pieces, fc.nat(), async (steps, made, choice) => {
      const { lock } = await play(steps);
      const fleet = workspaceOf(made);
      const { plan } = planOf(fleet, lock);
      expect(planOf(fleet, lock).plan.digest).toBe(plan.digest);
      const known = Object.keys(lock.resources);
      const address = known[choice % Math.max(1, known.length)];
      const entry = address === undefined ? undefined : lock.resources[address];
      if (address === undefined || !entry) return;
      const touched = {
        ...lock,
        resources: { ...lock.resources, [address]: { ...entry, file: "touched.yaml" } },
      };
      const isRead = plan.actions.some(({ reads }) => Object.hasOwn(reads, address));
      expect(planOf(fleet, touched).plan.digest === plan.digest).toBe(!isRead);
    }),
    { numRuns: examples(100) },
  );
});

test("a saved plan is read as it was, and refused with any value changed", async () => {
  await fc.assert(
    fc.asyncProperty(history, pieces, planOptions, fc.nat(), async (steps, made, options, choice) => {
      const { lock } = await play(steps);
      const { plan } = planOf(workspaceOf(made), lock, options);
      const text = savedPlanText(plan);
      expect(parseSavedPlan(text, "plan.json")).toEqual({ ok: true, plan });
      const leaves = [...text.matchAll(/(?<=[:[,\s])(?:"[^"\n]*"(?!:)|\d+|true|false|null)(?=,?\n)/g)];
      const leaf = leaves[choice % leaves.length];
      if (!leaf) throw new Error("the plan has no values");
      const changed = leaf[0].startsWith('"') ? `${leaf[0].slice(0, -1)}x"` : leaf[0] === "7" ? "8" : "7";
      const forged = text.slice(0, leaf.index) + changed + text.slice(leaf.index + leaf[0].length);
      expect(parseSavedPlan(forged, "plan.json")).toMatchObject({ problems: [{ code: "plan-invalid" }] });
    }),
    { numRuns: examples(150) },
  );
});
