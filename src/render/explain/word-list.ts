import { indented } from "../words/indented.js";
import { widestOf } from "../words/widest.js";
import { wrapped } from "../words/wrapped.js";

const narrowest = 30;

/** Gives lines with names, each with a text beside it, in two columns. */
export function listLines(rows: readonly (readonly [name: string, text: string])[], width: number): string[] {
  const column = widestOf(rows.map(([name]) => name)) + 4;
  return rows.flatMap(([name, text]) => {
    const [first = "", ...more] = wrapped(text, Math.max(narrowest, width - column));
    return [`  ${name}`.padEnd(column) + first, ...indented(more, column)].map((line) => line.trimEnd());
  });
}

/** What can be asked, as groups of words with a line about each. */
export interface WordGroup {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, text: string])[];
}

/** Renders the words that can be asked, a line end at the end. */
export function renderWordList(groups: readonly WordGroup[], width: number): string {
  const parts = groups.map(({ title, rows }) => [`${title}:`, "", ...listLines(rows, width)].join("\n"));
  return `${parts.join("\n\n")}\n`;
}
