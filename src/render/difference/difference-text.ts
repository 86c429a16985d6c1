import type { Palette } from "../words/palette.js";
import type { DifferenceLine, Segment } from "./text-difference.js";

/** Renders a line of a difference for a terminal, by its place in it; a tab that did not change takes four columns. */
export function renderLine(line: DifferenceLine, index: number, palette: Palette): string {
  switch (line.kind) {
    case "hunk":
      return palette.dim(`${index > 0 ? "… " : ""}@@ ${line.line} @@`);
    case "note":
      return palette.changed(line.text);
    case "context":
      // Not dim: of lines that changed places, the one that matters may be among these.
      return line.segments.length === 0 ? "" : `  ${renderSegments(line.segments, palette)}`;
    case "removed":
      return palette.removed(withSymbol("-", line.segments, palette));
    case "added":
      return palette.added(withSymbol("+", line.segments, palette));
  }
}

function withSymbol(symbol: string, segments: readonly Segment[], palette: Palette): string {
  return segments.length === 0 ? symbol : `${symbol} ${renderSegments(segments, palette)}`;
}

function renderSegments(segments: readonly Segment[], palette: Palette): string {
  return segments
    .map(({ text, changed }) => {
      const shown = text.replaceAll("\t", "    ");
      return changed ? palette.word(shown) : shown;
    })
    .join("");
}
