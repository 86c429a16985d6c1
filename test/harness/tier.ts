import { afterAll, inject, test, type TestFunction } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** How much of each sweep is run: a sample by `npm test`, all of it by `npm run test:all`. */
    tier: "sample" | "all";
  }
}

/** Whether every sweep is run whole. */
export const isWhole = inject("tier") === "all";

const sampled: string[] = [];

// What a run leaves out it says.
afterAll(() => {
  if (sampled.length > 0) console.log(`a sample (all of it: npm run test:all): ${sampled.join("; ")}`);
});

/** Defines a test that a sample leaves out. */
export function wholeTest(name: string, run: TestFunction): void {
  if (isWhole) test(name, run);
  else sampled.push(`not "${name}"`);
}

/** Gives how often something is done: `some` times in a sample, `all` times in a whole run. */
export function runs(what: string, some: number, all: number): number {
  if (isWhole) return all;
  sampled.push(`${what} ${some} of ${all}`);
  return some;
}

/** Gives all cases, or in a sample so many of them, spread over the list from its first to its last. */
export function sample<const Case>(what: string, cases: readonly Case[], some: number): Case[] {
  if (isWhole || cases.length <= some) return [...cases];
  const last = cases.length - 1;
  const chosen = new Set(
    Array.from({ length: some }, (_, index) => Math.round((index * last) / Math.max(1, some - 1))),
  );
  sampled.push(`${what} ${chosen.size} of ${cases.length}`);
  return cases.filter((_, index) => chosen.has(index));
}

/** Gives how far apart the points of a sweep lie whose end is found on the way: 1 in a whole run. */
export function stride(what: string, apart: number): number {
  if (isWhole) return 1;
  sampled.push(`${what} 1 of ${apart}`);
  return apart;
}

/**
 * Whether a point of a sweep, counted from 1, is one of the half that a sweep shares with its neighbour, which has the
 * others: by pairs, as steps that alternate would be all of one kind in every second one.
 */
export function isInHalf(half: "first" | "second", point: number): boolean {
  return (point - 1) % 4 < 2 === (half === "first");
}
