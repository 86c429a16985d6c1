import { exitCode, UsageError, type ExitCode } from "../exit-code.js";
import { explainFailure } from "../failure.js";
import type { Key } from "../terminal/keys.js";
import { guardedTerminal, type Terminal } from "../terminal/terminal.js";
import { FolderChanges } from "./folder-changes.js";
import { HeldTerminal } from "./held-terminal.js";
import { Pager } from "./pager.js";

/** What is shown, and what it is made of. */
export interface Watched {
  /** The folder of the workspace. */
  readonly directory: string;
  /** The folders, outside of it too, of the files that options name. */
  readonly folders: readonly string[];
  /** Prints the result on a terminal. */
  run(terminal: Terminal): Promise<ExitCode>;
}

/**
 * Shows the result of a command on the whole terminal, again after each change of a file, until somebody quits.
 * @throws UsageError if nobody is there to see it
 */
export async function watchCommand(watched: Watched, terminal: Terminal): Promise<ExitCode> {
  const { listen } = terminal;
  if (!terminal.canAsk || !terminal.showsProgress || !listen) {
    throw new UsageError("--watch needs a terminal; without --watch, the plan is printed once");
  }
  const changes = new FolderChanges(watched.directory, watched.folders);
  const pager = new Pager(terminal, watched.directory);
  const end: { code?: ExitCode } = {};
  const onKey = (key: Key) => {
    const code = exitOf(key);
    if (code !== undefined) end.code ??= code;
    if (code !== undefined || asksAgain(key)) changes.notice();
    else pager.scroll(key);
  };
  const held = new HeldTerminal(listen, pager, onKey);
  try {
    await held.hold();
    while (end.code === undefined) await showOnce(watched, changes, pager, terminal);
    return end.code;
  } finally {
    held.release();
    changes.close();
  }
}

async function showOnce(
  watched: Watched,
  changes: FolderChanges,
  pager: Pager,
  terminal: Terminal,
): Promise<void> {
  startWaiting(changes);
  pager.note("planning");
  const { text, code } = await capture(watched, terminal);
  pager.note(`planned at ${new Date().toLocaleTimeString("en-GB")}`);
  pager.show(text, code !== exitCode.invalid && code !== exitCode.usage);
  await changes.next();
}

function exitOf(key: Key): ExitCode | undefined {
  if (key === "ctrl-c") return exitCode.interrupted;
  return key === "q" || key === "end-of-input" ? exitCode.fine : undefined;
}

function asksAgain(key: Key): boolean {
  return key === "r" || key === "resize";
}

function startWaiting(changes: FolderChanges): void {
  try {
    changes.start();
  } catch (cause) {
    const reason = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    throw new UsageError(
      `--watch cannot watch the folders of the workspace (${reason}); the system limits how many a user may watch`,
    );
  }
}

async function capture({ run }: Watched, terminal: Terminal): Promise<{ text: string; code: ExitCode }> {
  let text = "";
  const add = (more: string) => void (text += more);
  // Read at each run: the terminal may have a new size.
  const columns = terminal.screen?.columns;
  const screen = guardedTerminal({ ...terminal, columns, showsProgress: false, out: add, err: add });
  try {
    const code = await run({ ...screen, draw: () => {} });
    return { text, code };
  } catch (cause) {
    const failure = await explainFailure(cause);
    if (!failure) throw cause;
    return { text: text + failure.text, code: failure.code };
  }
}
