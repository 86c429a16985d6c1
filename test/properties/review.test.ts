import { expect, test } from "vitest";
import type { Action, Change } from "../../src/generated/plan.js";
import type { Plan } from "../../src/core/plan/plan.js";
import { isConsequence } from "../../src/core/plan/difference.js";
import { unitsOf } from "../../src/core/review/edit-units.js";
import { reviewOf, type Review } from "../../src/core/review/review.js";
import { isChanging } from "../../src/core/plan/plan-summary.js";
import { sectionsOf } from "../../src/render/view/plan-view.js";
import { withoutReview, withReview } from "../../src/core/review/reviewed-plan.js";
import { examples, fc } from "../harness/property.js";
import { history, noLock, planOf, planOptions, play } from "../plan/history.js";
import { pieces, workspaceOf } from "../plan/world.js";

const { plan: empty } = planOf(workspaceOf([]), noLock);

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    path: fc.constantFrom("name", "system_prompt"),
    before: fc.constantFrom("a", "a\nX", "b\nX", "X\na", "a\r\nX"),
    after: fc.constantFrom("a", "b", "X\nb", "a\nY"),
  }),
  fc.record({
    path: fc.constant("tools"),
    before: fc.constantFrom<string[]>(["a"], ["b"], ["a", "b"]),
    after: fc.constantFrom<string[]>(["a", "x"], ["x", "b"], ["b", "a"]),
  }),
  fc.constant<Change>({ path: "tools", before: ["r"], after: ["r"], references: ["toolset:r"] }),
);

const plans: fc.Arbitrary<Plan> = fc
  .array(
    fc.record({
      action: fc.constantFrom<Action["action"]>("update", "update", "update", "replace", "create", "forget"),
      changes: fc.uniqueArray(change, { maxLength: 3, selector: ({ path }) => path }),
      isMoved: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
    }),
    { maxLength: 12 },
  )
  .map((made) => ({
    ...empty,
    actions: made.map(({ action, changes, isMoved }, index) => ({
      address: `agent:a${index}`,
      action,
      reasons: [],
      changes,
      affects: [],
      waits_for: [],
      reads: {},
      ...(isMoved && { from: `agent:old${index}` }),
    })),
  }));

test("every edit is in one place, and nothing that was edited is behind a consequence", () => {
  fc.assert(
    fc.property(plans, (plan) => checkReview(plan)),
    { numRuns: examples(1000) },
  );
});

test("so it is in the plan of any workspace and any state, and no digest is made of it", async () => {
  await fc.assert(
    fc.asyncProperty(history, pieces, planOptions, async (steps, made, options) => {
      const { lock } = await play(steps);
      const { plan } = planOf(workspaceOf(made), lock, options);
      checkReview(plan);
      expect(withoutReview(withReview(plan))).toEqual(plan);
    }),
    { numRuns: examples(200) },
  );
});

function checkReview(plan: Plan): void {
  const review = reviewOf(plan);
  const { onlyHere, groups, consequences, held } = review;
  const places = new Map<Change, number>();
  const count = (units: readonly Change[]) => {
    for (const unit of units) places.set(unit, (places.get(unit) ?? 0) + 1);
  };
  for (const { units } of onlyHere) count(units);
  for (const { actions, edits, others } of groups) {
    expect(actions.length).toBeGreaterThan(1);
    expect(edits.map(({ action }) => action)).toEqual(actions);
    for (const { units } of edits) count(units);
    const members = new Set(actions.map(({ address }) => address));
    const kinds = new Set([...members].map((address) => address.split(":", 1)[0]));
    const changing = plan.actions.filter(
      (action) => isChanging(action) && kinds.has(action.address.split(":", 1)[0]),
    );
    expect(others.addresses.filter((address) => members.has(address))).toEqual([]);
    expect(others.addresses.length).toBeLessThanOrEqual(others.count ?? Infinity);
    // Those with another value are not asked for.
    if (others.value === undefined) {
      expect(others.count ?? Infinity).toBeGreaterThanOrEqual(changing.length - members.size);
    }
  }
  const wholes = new Set(onlyHere.filter((edit) => !edit.change).map(({ action }) => action));
  for (const action of plan.actions) {
    const isOfFields = ["update", "replace", "record"].includes(action.action);
    const edited = isOfFields ? action.changes.filter((each) => !isConsequence(each)) : [];
    const units = edited.flatMap(unitsOf);
    for (const unit of units) expect(places.get(unit)).toBe(1);
    const isElsewhere = wholes.has(action) || edited.length > 0 || held.includes(action);
    expect(consequences.includes(action)).toBe(!isElsewhere);
    if (action.from !== undefined && !held.includes(action)) expect(wholes.has(action)).toBe(true);
    for (const unit of units) places.delete(unit);
  }
  expect([...places.keys()]).toEqual([]);
  // What is done to many as they are for one reason is one edit.
  const alike = onlyHere.filter(
    ({ action: { action, from }, change }) =>
      action === "forget" || (action === "replace" && !change && from === undefined),
  );
  const reasons = new Set(alike.map(({ action: { action, reasons: all } }) => `${action} ${all.join()}`));
  expect(review.edits).toBe(onlyHere.length - alike.length + reasons.size + groups.length);
}

test("what is counted as one edit is one item, and a move that makes an object anew is its own", () => {
  fc.assert(
    fc.property(plans, (plan) => {
      // Without edits of fields, each item is an edit.
      const actions = plan.actions.map((action) => ({ ...action, changes: [] }));
      const bare = { ...plan, actions: actions.filter(({ action }) => /forget|replace/.test(action)) };
      const items = sectionsOf(bare).flatMap(({ name, items: all }) => (name === "onlyHere" ? all : []));
      expect(items.length).toBe(reviewOf(bare).edits);
    }),
    { numRuns: examples(500) },
  );
});

test("the order of actions makes no difference to groups", () => {
  fc.assert(
    fc.property(plans, fc.infiniteStream(fc.nat(1000)), (plan, numbers) => {
      const shuffled = plan.actions
        .map((action) => ({ action, at: numbers.next().value ?? 0 }))
        .toSorted((one, other) => one.at - other.at)
        .map(({ action }) => action);
      const [one, other] = [reviewOf(plan), reviewOf({ ...plan, actions: shuffled })];
      expect(other.groups).toEqual(one.groups);
      expect(addressesOf(other)).toEqual(addressesOf(one));
    }),
    { numRuns: examples(500) },
  );
});

function addressesOf({ onlyHere, consequences }: Review) {
  return {
    onlyHere: onlyHere.map(({ action, change: only }) => `${action.address} ${only?.path}`).toSorted(),
    consequences: consequences.map(({ address }) => address).toSorted(),
  };
}
