import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { reviewOf } from "../../src/core/review/review.js";
import { rules } from "../../src/core/guardrails/rules.js";
import type { GuardrailNote } from "../../src/generated/plan.js";
import { runs, sample } from "../harness/tier.js";
import { dangers } from "./dangers.js";
import { harmlessCodes, harmlessEdits } from "./harmless-mass.js";
import { dangerMissed, numbersMissed, type Misses } from "./missed-in-forms.js";
import { plantedPlan, scenes, type Scene } from "./planted-plan.js";
import { missorted } from "./review-order.js";

const bySize = {
  55: sample("dangers in a plan of 55 actions", dangers, 5),
  300: sample("dangers in a plan of 300 actions", dangers, 2),
  2000: sample("dangers in a plan of 2,000 actions", dangers, 1),
};

/** The dangers that are planted in a scene: all, or in the largest plans, which take a second each, a quarter. */
const plantedIn = ({ size, seed }: Scene) =>
  bySize[size].filter((_, index) => size < 2000 || index % 4 === seed % 4);

/** Writes one line for each form in which something is missed: the form, what is missed, and why. */
function lines(name: string, misses: Misses): string[] {
  return Object.entries(misses).flatMap(([form, reasons]) =>
    reasons.slice(0, 1).map((reason) => `${form} ${name}: ${reason}`),
  );
}

const knownFile = new URL("../fixtures/review/missed.txt", import.meta.url);
const isUpdating = process.env["UPDATE_GOLDEN"] === "1";
const known = existsSync(knownFile) ? readFileSync(knownFile, "utf8").trim().split("\n") : [];
const found = new Set<string>();

/** Expects that nothing is missed but what is known to be, which is listed without the reasons. */
function expectKnown(missed: readonly string[]): void {
  const fresh = missed.filter((line) => {
    const what = line.slice(0, line.indexOf(":"));
    found.add(what);
    return !known.includes(what);
  });
  if (!isUpdating) expect(fresh.join("\n")).toBe("");
}

test("there are many kinds of danger", () => {
  expect(new Set(dangers.map(({ name }) => name)).size).toBeGreaterThan(35);
});

const largest = runs("actions of the largest scene", 55, 2000);

describe.each(
  sample(
    "scenes",
    scenes.filter(({ size }) => size <= largest),
    1,
  ),
)("about $size actions, seed $seed", (scene) => {
  test("nothing of a harmless plan stands out, and its first screen says how much it is", async () => {
    const { plan } = await plantedPlan(scene);
    expect(plan.actions.length).toBeGreaterThan(0.9 * scene.size);
    expect(plan.actions.length).toBeLessThan(1.1 * scene.size);
    expect(missorted(plan)).toEqual([]);
    const { edits, onlyHere, consequences, notes } = reviewOf(plan);
    expect({ edits, onlyHere }).toEqual({ edits: harmlessEdits.length, onlyHere: [] });
    expect(consequences.length).toBeGreaterThan(0);
    expect(notes.length).toBeLessThanOrEqual(harmlessCodes.size);
    expectKnown(lines("numbers", numbersMissed(plan)));
  });

  test("every danger is among the first three things, whole and unfolded, and the rest is sorted as without it", async () => {
    const missed: string[] = [];
    for (const danger of plantedIn(scene)) {
      const { plan, sight } = await plantedPlan(scene, danger);
      expect(missorted(plan, sight), danger.name).toEqual([]);
      if (sight) missed.push(...lines(danger.name, dangerMissed(plan, sight)));
    }
    expectKnown(missed);
  });
});

const fixtures = new URL("../fixtures/guardrails/", import.meta.url);

test.each(rules)("a note $code is among the first three things of every form", async ({ code }) => {
  const { plan } = await plantedPlan({ size: 55, seed: 1 });
  const [note] = JSON.parse(readFileSync(new URL(`${code}/notes.json`, fixtures), "utf8")) as GuardrailNote[];
  const { address = "" } = plan.actions.find(({ action }) => action === "update") ?? {};
  if (!note) throw new Error(`${code} has a fixture without a note`);
  const notes = [{ ...note, address }, ...plan.notes];
  const sight = { addresses: [address], shows: note.message.match(/[a-z]{5,}/g) ?? [] };
  expect(dangerMissed({ ...plan, notes }, sight)).toMatchObject({
    review: [],
    markdown: [],
    text: [],
    page: [],
  });
});

test("what is known to be missed is missed", () => {
  const now = [...found].toSorted();
  if (isUpdating) {
    rmSync(knownFile, { force: true });
    mkdirSync(new URL(".", knownFile), { recursive: true });
    if (now.length > 0) writeFileSync(knownFile, `${now.join("\n")}\n`);
  } else expect(now).toEqual(known);
});
