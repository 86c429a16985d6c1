/** Lines that are written together. */
export interface GatheredLines {
  /** Adds whole lines, which are written at the end of this turn of the event loop. */
  add(lines: string): void;
  /** Writes what is waiting; nothing may be added after that. */
  end(): void;
}

/** Gathers the lines of each turn of the event loop into one write: of a fast apply, a turn has many. */
export function gatherLines(write: (lines: string) => void): GatheredLines {
  let waiting = "";
  const flush = () => {
    const lines = waiting;
    waiting = "";
    if (lines !== "") write(lines);
  };
  // The second signal ends the process at once.
  process.once("exit", flush);
  return {
    add(lines) {
      if (waiting === "") setImmediate(flush);
      waiting += lines;
    },
    end() {
      process.off("exit", flush);
      flush();
    },
  };
}
