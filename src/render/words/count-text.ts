/** Renders how many there are: `1 object`, `3 objects`. */
export function countText(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

/** Renders a list of names, a long one cut: `a, b and 3 more`, or `more than 3 more` of one that was cut before. */
export function namesText(names: readonly string[], isCut = false): string {
  if (names.length <= 3) return `${names.join(", ")}${isCut ? " and more" : ""}`;
  return `${names.slice(0, 2).join(", ")} and ${isCut ? "more than " : ""}${names.length - 2} more`;
}
