import { isMap, isScalar, visit, type Document, type Node } from "yaml";

/** What a frame points at: line and column from 1. */
export interface FramePoint {
  readonly line: number;
  readonly column: number;
  /** The column after the last character, if it is on the same line. */
  readonly endColumn: number | undefined;
}

const context = 2;
const width = 100;
const secretNames =
  /^(credentials|provider_api_key|api_key|authorization|proxy-authorization|cookie|api-key|x-api-key)$/i;
const secretMention = /credentials|api[_-]key|authorization|cookie/i;
const mask = "••••••";

/**
 * Gives the lines around a point with a marker below it. What stands under the names of secrets is masked,
 * but for expressions; a file that mentions such names and has no syntax tree gives no frame.
 */
export function buildFrame(
  text: string,
  { line, column, endColumn }: FramePoint,
  documents: readonly Document[] | undefined,
): string | undefined {
  if (!documents && secretMention.test(text)) return undefined;
  const shown = documents ? maskSecrets(text, documents) : text;
  const lines = shown.split(/\r?\n/);
  const first = Math.max(1, line - context);
  const last = Math.min(lines.length, line + context);
  const digits = String(last).length;
  const rows: string[] = [];
  for (let number = first; number <= last; number++) {
    const content = (lines[number - 1] ?? "").replaceAll("\t", " ");
    const from = number === line && column > width ? column - width / 2 : 0;
    const cut = content.slice(from, from + width);
    rows.push(`${number === line ? ">" : " "} ${String(number).padStart(digits)} | ${cut}`.trimEnd());
    if (number === line) {
      const length = Math.max(1, Math.min((endColumn ?? column + 1) - column, width));
      rows.push(`  ${" ".repeat(digits)} | ${" ".repeat(column - 1 - from)}${"^".repeat(length)}`);
    }
  }
  return rows.join("\n");
}

// Masks keep the length of a line's remainder out of the frame, and line numbers in place.
function maskSecrets(text: string, documents: readonly Document[]): string {
  if (!secretMention.test(text)) return text;
  const ranges: (readonly [number, number])[] = [];
  for (const document of documents) {
    visit(document, {
      Pair(_, pair) {
        if (!isScalar(pair.key) || !secretNames.test(String(pair.key.value))) return undefined;
        collectScalars(pair.value as Node | null, text, ranges);
        return visit.SKIP;
      },
    });
  }
  let masked = "";
  let from = 0;
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (start < from) continue;
    const lineBreaks = text.slice(start, end).replaceAll(/[^\n]/g, "");
    masked += text.slice(from, start) + mask + lineBreaks;
    from = end;
  }
  return masked + text.slice(from);
}

function collectScalars(node: Node | null, text: string, ranges: (readonly [number, number])[]): void {
  if (isScalar(node) && node.range) {
    const [start, end] = node.range;
    if (!/^["']?\$\{env:[^}]*\}["']?$/.test(text.slice(start, end))) ranges.push([start, end]);
  } else if (isMap(node)) {
    for (const { value } of node.items) collectScalars(value as Node | null, text, ranges);
  } else if (node && "items" in node && Array.isArray(node.items)) {
    for (const item of node.items) collectScalars(item as Node | null, text, ranges);
  }
}
