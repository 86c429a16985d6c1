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
  /** Results. */
  out(text: string): void;
  /** Progress, warnings and errors. */
  err(text: string): void;
}

/** The terminal of this process; a reader that has gone away ends no command. */
export function processTerminal(): Terminal {
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
