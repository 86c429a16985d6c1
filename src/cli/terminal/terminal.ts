import { deadText } from "../../render/words/log-text.js";

/** The size of a terminal, in characters. */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
}

/** Where a command reads its surroundings from and writes to. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Whether standard output is a terminal, and whether a person can be asked. */
  readonly isTerminal: boolean;
  readonly canAsk: boolean;
  /** Whether standard error is a terminal that progress can be drawn on. */
  readonly showsProgress: boolean;
  /** The size that the terminal of standard error has now; 80 × 24 is taken where it is not known. */
  readonly screen?: Screen;
  /** Whether `--verbose` asks for details. */
  readonly isVerbose?: boolean;
  /** Results; of `main` on, whole lines that are dead for a log. */
  out(text: string): void;
  /** Progress, warnings and errors; of `main` on, whole lines that are dead for a log. */
  err(text: string): void;
  /** Lines on standard output that a CI is meant to take for commands. */
  command(lines: string): void;
  /** A frame on standard error, with what moves the cursor. */
  draw(frame: string): void;
}

/** What a process gives its command line to work with; nothing that is written to it is judged yet. */
export type Surroundings = Omit<Terminal, "command" | "draw">;

/** Makes a terminal on which no text is a command to a CI, whatever it holds and whoever writes it. */
export function guardedTerminal(surroundings: Surroundings): Terminal {
  const { out, err } = surroundings;
  return {
    ...surroundings,
    out: (text) => out(deadText(text)),
    err: (text) => err(deadText(text)),
    command: out,
    draw: err,
  };
}

/** The terminal of this process; a reader that has gone away ends no command. */
export function processTerminal(): Surroundings {
  const { stdout, stderr, stdin, env } = process;
  let isOutOpen = true;
  let isErrOpen = true;
  stdout.on("error", () => (isOutOpen = false));
  stderr.on("error", () => (isErrOpen = false));
  return {
    env,
    cwd: process.cwd(),
    isTerminal: stdout.isTTY === true,
    canAsk: stdin.isTTY === true && stdout.isTTY === true,
    showsProgress: stderr.isTTY === true && env.CI === undefined && env.TERM !== "dumb",
    screen: {
      get columns() {
        return stderr.columns || 80;
      },
      get rows() {
        return stderr.rows || 24;
      },
    },
    out: (text) => isOutOpen && stdout.write(text),
    err: (text) => isErrOpen && stderr.write(text),
  };
}

/** Decides on colour: the option wins, then NO_COLOR and FORCE_COLOR, then whether it is a terminal. */
export function wantsColor(option: boolean | undefined, terminal: Terminal): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = terminal.env;
  if (option !== undefined) return option;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "" && FORCE_COLOR !== "0") return true;
  return terminal.isTerminal && TERM !== "dumb";
}
