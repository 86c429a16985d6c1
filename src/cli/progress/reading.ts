import { renderReading, renderReadingLine } from "../../render/apply/reading-text.js";
import type { LiveText } from "./live-text.js";
import type { Terminal } from "../terminal/terminal.js";

/** Shows on standard error how many objects were read: a bar on a terminal, and elsewhere a line at the end. */
export interface ReadProgress {
  /** Takes note of one more object that was read. */
  readonly read: (done: number, all: number) => void;
  /** Removes the bar, or prints the line. */
  end(): void;
}

const quietTime = 500;

/** Begins to show how many objects were read. */
export function openReading(terminal: Terminal, color: boolean): ReadProgress {
  const counts = { done: 0, all: 0 };
  let timer: NodeJS.Timeout | undefined;
  let live: LiveText | undefined;
  let isOver = false;
  const show = async () => {
    const { openLiveText } = await import("./live-text.js");
    if (!isOver) live = openLiveText(terminal, ({ columns }) => renderReading(counts, { columns, color }));
  };
  return {
    read(done, all) {
      Object.assign(counts, { done, all });
      // If the bar cannot be loaded, reading goes on without it.
      if (terminal.showsProgress)
        timer ??= setTimeout(() => void show().catch(() => undefined), quietTime).unref();
    },
    end() {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      live?.end();
      if (!terminal.showsProgress && counts.all > 0) terminal.err(`${renderReadingLine(counts)}\n`);
    },
  };
}
