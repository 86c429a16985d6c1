/** Shares room among some that want this much: each gets what it wants, or as much as any other that wants more. */
export function sharesOf(wanted: readonly number[], room: number): number[] {
  const shares = wanted.map(() => 0);
  let left = room;
  const smallestFirst = [...wanted.keys()].toSorted(
    (one, other) => (wanted[one] ?? 0) - (wanted[other] ?? 0),
  );
  for (const [served, at] of smallestFirst.entries()) {
    const share = Math.max(0, Math.min(wanted[at] ?? 0, Math.floor(left / (wanted.length - served))));
    shares[at] = share;
    left -= share;
  }
  return shares;
}
