/** Lines that are written together. */
export interface GatheredLines {
  /** Adds whole lines, which are written a tenth of a second later at the latest. */
  add(lines: string): void;
  /** Writes what is waiting. */
  end(): void;
}

// A write wakes its reader, which costs more than what is written, and a fast apply ends a thousand actions in a second.
const writeTime = 100;

/** Gathers lines into few writes. */
export function gatherLines(write: (lines: string) => void): GatheredLines {
  let waiting = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    const lines = waiting;
    waiting = "";
    timer = undefined;
    if (lines !== "") write(lines);
  };
  // The second signal ends the process at once.
  process.once("exit", flush);
  return {
    add(lines) {
      timer ??= setTimeout(flush, writeTime);
      waiting += lines;
    },
    end() {
      process.off("exit", flush);
      clearTimeout(timer);
      flush();
    },
  };
}
