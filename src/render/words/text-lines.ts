import { safeLine } from "./terminal-text.js";

/** Indents lines by so many columns, empty ones excepted. */
export function indented(lines: readonly string[], columns: number): string[] {
  return lines.map((line) => (line === "" ? "" : " ".repeat(columns) + line));
}

/** Breaks a text into lines of at most so many characters; a longer word has a line of its own, and is never cut. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Gives the length of the longest of some texts, however many there are; 0 of none. */
export function widestOf(texts: Iterable<string>): number {
  let widest = 0;
  for (const { length } of texts) widest = Math.max(widest, length);
  return widest;
}

/** Renders rows under a head as aligned lines, each cell safe and whole, for IDs are there to be copied. */
export function tableLines(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [head, ...rows].map((row) => row.map(safeLine));
  const widths = head.map((_, column) => widestOf(all.map((row) => row[column] ?? "")));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
