import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { RepeatedCheck } from "../../src/editor/repeated-check.js";
import { wholeTest } from "../harness/tier.js";

const environments = 5;

/** A check of so many steps in which something is done at each. */
function checkingWith(atStep: (step: number, round: number) => void) {
  const steps: number[] = [];
  let published = 0;
  const failures: unknown[] = [];
  const checking: RepeatedCheck = new RepeatedCheck(
    function* () {
      const round = steps.filter((step) => step === 0).length;
      for (let step = 0; step < environments; step++) {
        steps.push(step);
        atStep(step, round);
        yield;
      }
    },
    () => published++,
    (cause) => failures.push(cause),
  );
  onTestFinished(() => checking.stop());
  return { checking, steps, failures, published: () => published };
}

wholeTest(
  "when each step meets a change, every step has its turn, and what it found is published",
  async () => {
    let left = 200;
    const { checking, steps, failures, published } = checkingWith(() => {
      if (left-- > 0) checking.changed();
    });
    checking.changed();
    await expect.poll(() => left).toBeLessThanOrEqual(0);
    expect(failures).toEqual([]);
    expect(published()).toBeGreaterThanOrEqual(steps.length - 1);
    // Between two times that a step is done, there are two rounds that a change ends, and one that goes through.
    for (let step = 0; step < environments; step++) {
      const times = steps.flatMap((each, index) => (each === step ? [index] : []));
      for (const [index, time] of times.entries())
        expect(time - (times[index - 1] ?? -1)).toBeLessThanOrEqual(environments + 2);
    }
  },
);

test("changes that never pause put a check off only so often", async () => {
  const { checking, steps } = checkingWith(() => {});
  let changes = 0;
  // A pause never ends between these: no timer is looked at.
  while (steps.length === 0 && changes < 1_000_000) {
    changes++;
    checking.changed();
    await setImmediate();
  }
  expect(steps.length).toBeGreaterThan(0);
});

test("an answer does not wait for more than the first step, or for all of them in the end", async () => {
  let left = 20;
  const { checking, steps } = checkingWith(() => {
    if (left-- > 0) checking.changed();
  });
  checking.changed();
  await checking.begun;
  expect(steps).toEqual([0]);
  await checking.first;
  expect(steps).toEqual([0, 0, 0, 1, 2, 3, 4]);
});

test("what is stopped keeps no answer waiting, and checks nothing more", async () => {
  const { checking, steps } = checkingWith(() => {});
  checking.changed();
  checking.stop();
  checking.changed();
  await checking.begun;
  await checking.first;
  await setImmediate();
  expect(steps).toEqual([]);
});
