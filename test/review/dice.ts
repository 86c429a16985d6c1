/** Gives whole numbers from 0 to below a bound, the same ones for the same seed. */
export type Dice = (bound: number) => number;

/** Makes dice of a seed (a linear congruential generator, of whose numbers the upper bits are taken). */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** Gives the items of a list in an order that the dice decide. */
export function shuffled<T>(items: readonly T[], dice: Dice): T[] {
  return items
    .map((item) => ({ item, at: dice(2 ** 31) }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
