/** Compares two texts by their UTF-16 code units, for sorting: the same on every machine. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
