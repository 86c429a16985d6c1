import { describe, expect, test } from "vitest";
import { lazy } from "../../src/json/once.js";
import { sample } from "../harness/tier.js";
import { hiddenDangers } from "./storm/hidden-dangers.js";
import { excessOf, missOf, renderStorm, storyOf, type RenderedStorm } from "./storm/misses.js";
import { stormOf } from "./storm/storm.js";

const all = Array.from({ length: 120 }, (_, seed) => seed);

// STORM=17 shows what the reader of one storm gets and where its dangers are; STORM=17:temperature plants that one.
const [wanted, chosen] = process.env["STORM"]?.split(":") ?? [];
const seeds = wanted === undefined ? sample("storms", all, 1) : [Number(wanted)];
const dangers = chosen === undefined ? undefined : hiddenDangers.filter(({ sort }) => sort === chosen);

const storms = lazy(async (): Promise<RenderedStorm[]> => {
  const rendered: RenderedStorm[] = [];
  for (const seed of seeds) rendered.push(renderStorm(await stormOf(seed, dangers)));
  return rendered;
});

test("there are many sorts of danger", () => {
  expect(new Set(hiddenDangers.map(({ sort }) => sort)).size).toBe(hiddenDangers.length);
  expect(hiddenDangers.length).toBeGreaterThan(60);
});

test("storms are large, and have some dangers each", async () => {
  for (const storm of await storms()) {
    if (wanted !== undefined) console.log(storyOf(storm));
    expect(storm.plan.actions.length, `STORM=${storm.seed}`).toBeGreaterThanOrEqual(25);
    expect(storm.plan.actions.length, `STORM=${storm.seed}`).toBeLessThan(200);
    expect(storm.planted.length).toBeGreaterThan(dangers ? 0 : 1);
  }
});

test("a comment is short enough to be read", async () => {
  expect((await storms()).flatMap((storm) => excessOf(storm) ?? [])).toEqual([]);
});

describe("a reader sees in time, and in full", () => {
  test.each(hiddenDangers)("$sort", async ({ sort }) => {
    const missed = (await storms()).flatMap((storm) =>
      storm.planted.flatMap((each) => (each.danger.sort === sort ? (missOf(storm, each) ?? []) : [])),
    );
    expect(missed).toEqual([]);
  });
});
