import { setTimeout } from "node:timers/promises";
import { type ExitCode, UsageError, exitCode, explainFailure } from "../exit-code.js";
import type { Terminal } from "../terminal/terminal.js";
import { usesGraph } from "../../workspace/others/uses-graph.js";
import { watchFolders, type FolderWatch } from "./watch-folders.js";

/** What is printed, and what it is made of. */
export interface Watched {
  readonly directory: string;
  /** The folders, outside of it too, of the files that options name. */
  readonly folders: readonly string[];
  /** Prints the result on a terminal. */
  run(terminal: Terminal): Promise<ExitCode>;
}

// The screen, and what can be scrolled back to.
const clear = "\x1b[2J\x1b[3J\x1b[H";
// In milliseconds: editors write a file in several steps, and git many files.
const settling = 100;

/** Prints a command's result again after each change, until Ctrl-C; throws UsageError if nobody is there to see it. */
export async function watchCommand(watched: Watched, terminal: Terminal): Promise<ExitCode> {
  if (!terminal.canAsk || !terminal.showsProgress) {
    throw new UsageError("--watch needs a terminal; without --watch, the plan is printed once");
  }
  const interrupted = new Promise<ExitCode>((resolve) => {
    process.once("SIGINT", () => resolve(exitCode.interrupted));
  });
  for (;;) {
    const folders = startWatching(watched);
    await showOnce(watched, terminal);
    const ended = await Promise.race([folders.changed, interrupted]);
    folders.close();
    if (ended !== undefined) return ended;
    await setTimeout(settling);
  }
}

async function showOnce({ run }: Watched, terminal: Terminal): Promise<void> {
  terminal.draw(clear);
  try {
    await run(terminal);
  } catch (cause) {
    const failure = await explainFailure(cause);
    if (!failure) throw cause;
    terminal.err(failure.text);
  }
  const time = new Date().toLocaleTimeString("en-GB");
  terminal.err(`\nPlanned at ${time}, and again after each change of a file; Ctrl-C ends it.\n`);
}

function startWatching({ directory, folders }: Watched): FolderWatch {
  try {
    // What those that it uses have applied is a part of its plan.
    return watchFolders(usesGraph([directory]).order, folders);
  } catch (cause) {
    const reason = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    const why = reason === "ENOENT" ? "one is gone" : "the system limits how many a user may watch";
    throw new UsageError(`--watch cannot watch the folders of the workspace (${reason}): ${why}`);
  }
}
