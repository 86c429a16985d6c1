/** Indents lines by so many columns, empty ones excepted. */
export function indented(lines: readonly string[], columns: number): string[] {
  return lines.map((line) => (line === "" ? "" : " ".repeat(columns) + line));
}
