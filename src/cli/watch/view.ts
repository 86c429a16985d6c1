/** A text of which a screen shows some lines. */
export interface View {
  readonly lines: readonly string[];
  /** The index of the first line that is shown. */
  readonly top: number;
}

/** Moves a view by a number of lines, as far as the text goes. */
export function scrolled({ lines, top }: View, by: number, rows: number): View {
  const last = Math.max(0, lines.length - rows);
  return { lines, top: Math.min(Math.max(0, top + by), last) };
}

/** Shows a new text at the place where its reader was in the old one: the first line on the screen that is in both. */
export function replaced({ lines, top }: View, newLines: readonly string[], rows: number): View {
  if (top === 0) return { lines: newLines, top: 0 };
  for (const [offset, line] of lines.slice(top, top + rows).entries()) {
    if (line.trim() === "") continue;
    const nearest = nearestIndex(newLines, line, top + offset);
    if (nearest !== undefined) return scrolled({ lines: newLines, top: nearest - offset }, 0, rows);
  }
  return scrolled({ lines: newLines, top }, 0, rows);
}

function nearestIndex(lines: readonly string[], line: string, index: number): number | undefined {
  for (let distance = 0; distance < Math.max(index + 1, lines.length - index); distance++) {
    if (lines[index - distance] === line) return index - distance;
    if (lines[index + distance] === line) return index + distance;
  }
  return undefined;
}
