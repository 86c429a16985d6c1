import { renderReading, renderReadingLine } from "../../render/apply/bar-text.js";
import type { Terminal } from "../terminal/terminal.js";
import { openLateText } from "./late-text.js";
import type { LiveText } from "./live-text.js";

/** Shows on standard error how many objects were read: a bar on a terminal, and elsewhere a line at the end. */
export interface ReadProgress {
  readonly read: (done: number, all: number) => void;
  /** Removes the bar, or prints the line; once. */
  end(): void;
}

/** Begins to show how many objects were read. */
export function openReading(terminal: Terminal, color: boolean): ReadProgress {
  const counts = { done: 0, all: 0 };
  let live: LiveText | undefined;
  let isEnded = false;
  return {
    read(done, all) {
      Object.assign(counts, { done, all });
      if (!terminal.showsProgress) return;
      live ??= openLateText(terminal, ({ columns }) => renderReading(counts, { columns, color }));
    },
    end() {
      if (isEnded) return;
      isEnded = true;
      live?.end();
      if (!terminal.showsProgress && counts.all > 0) terminal.err(`${renderReadingLine(counts)}\n`);
    },
  };
}
