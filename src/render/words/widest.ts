/** Gives the length of the longest of some texts, however many there are; 0 of none. */
export function widestOf(texts: Iterable<string>): number {
  let widest = 0;
  for (const { length } of texts) widest = Math.max(widest, length);
  return widest;
}
