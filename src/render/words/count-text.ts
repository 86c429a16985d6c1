/** Renders how many there are: `1 object`, `3 objects`. */
export function countText(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

/** Renders the counts that are not zero, each with its words: `2 to create`, `1 blocked`. */
export function countsTexts(counts: readonly (readonly [count: number, words: string])[]): string[] {
  return counts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
}

/** Renders a list of names, a long one cut: `a, b and 3 more`, or `over 3 more` of one that was cut before. */
export function namesText(names: readonly string[], isCut = false): string {
  if (names.length <= 3) return `${names.join(", ")}${isCut ? " and more" : ""}`;
  return `${names.slice(0, 2).join(", ")} and ${isCut ? "over " : ""}${names.length - 2} more`;
}
