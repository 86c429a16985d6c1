import { safeLine } from "../words/terminal-text.js";
import { widestOf } from "../words/text-lines.js";

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
