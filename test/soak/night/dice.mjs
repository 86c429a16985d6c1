/** Random numbers from a seed: the same seed draws the same steps. */
export function dice(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (n) => Math.floor(next() * n);
  return {
    next,
    below,
    chance: (p) => next() < p,
    pick: (list) => list[below(list.length)],
    between: (low, high) => low + below(high - low + 1),
    hex: (length) => Array.from({ length }, () => below(16).toString(16)).join(""),
    /** Draws a name by its weight from a mapping of names. */
    weighted(weights) {
      const entries = Object.entries(weights).filter(([, weight]) => weight > 0);
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      return (entries.find(([, weight]) => (left -= weight) < 0) ?? entries.at(-1))[0];
    },
  };
}
