import { expect, test } from "vitest";
import { evaluate } from "../../src/core/expression/resolution.js";
import { toReference } from "../../src/core/expression/reference.js";
import { idsOf } from "../../src/core/kind/identity.js";
import type { Observation, ObservedObject } from "../../src/core/observation/observation.js";
import { buildDrift } from "../../src/core/plan/drift.js";
import { buildPlan, type Plan } from "../../src/core/plan/plan.js";
import { noOptions, type PlanOptions } from "../../src/core/plan/plan-options.js";
import { hiddenChanges } from "../../src/core/review/hidden-changes.js";
import { parseSavedPlan } from "../../src/core/review/saved-plan.js";
import type { Fleet } from "../../src/core/resources/fleet.js";
import type { Lock, LockEntry } from "../../src/core/state/lock.js";
import { validate } from "../../src/generated/validate-plan.js";
import { fitsLock } from "../../src/core/state/lock-shape.js";
import type { JsonObject } from "../../src/json/json.js";
import { examples, fc } from "../harness/property.js";
import { history, play, planOptions } from "../plan/history.js";
import { pieces, workspaceOf } from "../plan/world.js";
import { savedPlanText } from "../harness/plan-text.js";
import { wholeTest } from "../harness/tier.js";

// What somebody may have done to an object, or what a file says of it that nobody made by looking.
type Fate =
  | "same"
  | "gone"
  | "unreadable"
  | "unseen"
  | { readonly edit: JsonObject }
  | { readonly without: number };

const fates: fc.Arbitrary<Fate[]> = fc.array(
  fc.oneof(
    fc.constantFrom<Fate>("same", "gone", "unreadable", "unseen"),
    fc.record({ without: fc.nat(5) }),
    fc
      .dictionary(
        fc.constantFrom("name", "tools", "features", "model", "note", "openapi_schema"),
        fc.jsonValue({ maxDepth: 2 }),
      )
      .map((edit) => ({ edit: edit as JsonObject })),
  ),
  { minLength: 1, maxLength: 8 },
);

function bodyShown({ body, references = {} }: LockEntry): JsonObject {
  const shown = evaluate(body, (expression) => {
    const text = toReference(expression)?.text;
    return text === undefined ? undefined : references[text];
  });
  return JSON.parse(JSON.stringify(shown)) as JsonObject;
}

function observe(lock: Lock, left: readonly Fate[]): Observation {
  let next = 0;
  const seen = (address: string, entry: LockEntry, id: string): ObservedObject[] => {
    const fate = left[next++ % left.length] ?? "same";
    const body = bodyShown(entry);
    if (fate === "unseen") return [];
    if (fate === "same") return [{ id, state: "found", body }];
    if (fate === "gone") return [{ id, state: "gone" }];
    if (fate === "unreadable") return [{ id, state: "unreadable", why: "HTTP 500" }];
    const keys = Object.keys(body);
    const edited =
      "edit" in fate
        ? { ...body, ...fate.edit }
        : Object.fromEntries(
            Object.entries(body).filter(([key]) => key !== keys[fate.without % keys.length]),
          );
    // The rest is refused before it is planned with.
    return [{ id, state: "found", body: fitsLock(address, edited) ? edited : body }];
  };
  return {
    format: "agentform/observation/v1",
    at: "now",
    workspace: lock.workspace,
    environment: lock.environment,
    service: { base_url: "" },
    lock: { lineage: lock.lineage, serial: lock.serial },
    objects: Object.fromEntries(
      Object.entries(lock.resources).map(([address, entry]) => [
        address,
        idsOf(entry).flatMap((id) => seen(address, entry, id)),
      ]),
    ),
  };
}

function plan(fleet: Fleet, lock: Lock, options: PlanOptions, observation?: Observation): Plan {
  const input = { fleet, lock, source: "agentform.lock", options };
  return buildPlan({ ...input, ...(observation && { observation }) }).plan;
}

wholeTest(
  "whatever was found, a plan sends what documents say, shows it, and is read as it was saved",
  async () => {
    await fc.assert(
      fc.asyncProperty(history, pieces, planOptions, fates, async (steps, made, options, left) => {
        const { lock } = await play(steps, { documentOrder: true });
        const fleet = workspaceOf(made);
        const observation = observe(lock, left);
        const found = plan(fleet, lock, options, observation);
        expect(validate(found), JSON.stringify(validate.errors)).toBe(true);
        for (const { address, body, action } of found.actions) {
          const isSent = action === "create" || action === "update" || action === "replace";
          if (isSent) expect(body).toEqual(fleet.resources.get(address)?.body);
        }
        const saved = parseSavedPlan(savedPlanText(found), "plan.json");
        expect(saved.ok ? [] : saved.problems).toEqual([]);
        expect(hiddenChanges(found, lock)).toEqual([]);
        const { deployment, name, environment } = fleet.settings;
        const settings = { deployment, name, environment };
        const drift = buildDrift({ lock, source: "l", observation, settings, isChosen: () => true });
        expect(validate(drift.plan), JSON.stringify(validate.errors)).toBe(true);
      }),
      { numRuns: examples(500) },
    );
  },
);

test("where the service has what was sent, a plan is the same as if nobody had looked, and there is no drift", async () => {
  await fc.assert(
    fc.asyncProperty(history, pieces, planOptions, async (steps, made, options) => {
      const { lock } = await play(steps, { documentOrder: true });
      const fleet = workspaceOf(made);
      const observation = observe(lock, ["same"]);
      expect(plan(fleet, lock, options, observation).digest).toBe(plan(fleet, lock, options).digest);
      const { deployment, name, environment } = fleet.settings;
      const settings = { deployment, name, environment };
      const drift = buildDrift({ lock, source: "l", observation, settings, isChosen: () => true });
      expect(drift.plan.actions).toEqual([]);
    }),
    { numRuns: examples(300) },
  );
});

test("nothing found is nothing undone", () => {
  const fleet = workspaceOf([]);
  const lock: Lock = {
    format: "agentform/lock/v1",
    workspace: "test",
    environment: null,
    lineage: "l",
    serial: 1,
    writes: "w1",
    resources: {},
    retired: {},
    unknown: {},
  };
  expect(plan(fleet, lock, noOptions, observe(lock, ["gone"])).actions).toEqual([]);
});
