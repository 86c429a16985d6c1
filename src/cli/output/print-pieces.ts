import type { Terminal } from "../terminal/terminal.js";

// Characters that are printed at a time.
const portion = 1_000_000;

/** Prints a text in pieces to standard output, whole lines at a time. */
export function printPieces(pieces: Iterable<string>, terminal: Terminal): void {
  let kept: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    kept.push(piece);
    length += piece.length;
    if (length < portion) continue;
    const text = kept.join("");
    const end = text.lastIndexOf("\n") + 1;
    if (end > 0) terminal.out(text.slice(0, end));
    kept = [text.slice(end)];
    length -= end;
  }
  if (length > 0) terminal.out(kept.join(""));
}
