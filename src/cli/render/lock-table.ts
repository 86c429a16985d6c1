import { safeLine } from "./terminal-text.js";
import { widestOf } from "./widest.js";

/** Renders rows under a head as aligned lines, each cell safe; long cells do not push the others out. */
export function tableLines(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [head, ...rows].map((row) => row.map(safeLine));
  const widths = head.map((_, column) => {
    return Math.min(widest, widestOf(all.map((row) => row[column] ?? "")));
  });
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

const widest = 48;
