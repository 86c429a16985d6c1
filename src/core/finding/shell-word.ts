/** Writes words as a line for a shell. */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(" ");
}

/** Quotes a word for a shell, if it needs that: what a message proposes is copied, and names in it may be a stranger's. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
