/** Gives the lines of a text with all that is another each time made the same. */
export function settled(text: string): string[] {
  const lines = text
    .replaceAll(/\b[0-9a-f]{24}\b/g, "ID")
    .replaceAll(/sha256:[0-9a-f]+…?/g, "DIGEST")
    .replaceAll(/\b[0-9a-f]{16}\b/g, "NAME")
    .split("\n")
    .map((line) => line.trimEnd())
    // On a slow machine a command also prints how far it is.
    .filter((line) => !/^[\d,]+ of [\d,]+ done, .*in flight$/.test(line));
  return sortProgress(trimmed(lines));
}

/** Puts what was printed in the place of every line `…` of what a document shows, where that makes the two equal. */
export function unfold(shown: readonly string[], printed: readonly string[]): string[] {
  const stretches = stretchesOf(shown);
  const unfolded: string[] = [];
  let from = 0;
  for (const [index, stretch] of stretches.entries()) {
    const last = index === stretches.length - 1;
    const at = last && index > 0 ? printed.length - stretch.length : find(stretch, printed, from);
    // The comparison of the two then shows what is missing.
    if (at < from || (index === 0 && at > 0)) return [...shown];
    unfolded.push(...printed.slice(from, at), ...stretch);
    from = at + stretch.length;
  }
  return unfolded;
}

function stretchesOf(shown: readonly string[]): string[][] {
  const stretches: string[][] = [[]];
  for (const line of shown) {
    if (line.trim() === "…") stretches.push([]);
    else stretches.at(-1)?.push(line);
  }
  return stretches;
}

function find(stretch: readonly string[], lines: readonly string[], from: number): number {
  for (let at = from; at + stretch.length <= lines.length; at++) {
    if (stretch.every((line, index) => line === lines[at + index])) return at;
  }
  return -1;
}

function trimmed(lines: readonly string[]): string[] {
  const isText = (line: string) => line !== "";
  const first = lines.findIndex(isText);
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex(isText) + 1);
}

// Actions that wait for nothing end in any order.
function sortProgress(lines: readonly string[]): string[] {
  const isProgress = (line: string) => /^\w+:\S+: \w/.test(line);
  const sorted = lines.filter(isProgress).toSorted();
  return lines.map((line) => (isProgress(line) ? (sorted.shift() ?? line) : line));
}
