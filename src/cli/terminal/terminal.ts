import { hostname } from "node:os";
import type { CommandLine } from "../command-line.js";
import { standardOutput } from "./standard-output.js";
import { deadText, linksTo } from "../../render/words/log-text.js";

/** The size of a terminal, in characters. */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
}

/** A stream of a command's output. */
export type OutputStream = "out" | "err";

/** Links from the codes of diagnostics to a page that explains them. */
interface CodeLinks {
  /** The address of the page; each code is an anchor of it. */
  readonly page: string;
  /** Whether what shows the stream makes links of the escape sequences for them. */
  areTaken(stream: OutputStream): Promise<boolean>;
}

/** The surroundings of a command: its input, outputs and environment. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Whether standard output is a terminal, and whether a person can be asked. */
  readonly isTerminal: boolean;
  /** The width of the terminal of standard output, if it is one. */
  readonly columns?: number | undefined;
  readonly canAsk: boolean;
  /** Whether standard error is a terminal that progress can be drawn on. */
  readonly showsProgress: boolean;
  /** The present size of the terminal of standard error; 80 × 24 if unknown. */
  readonly screen?: Screen;
  /** Whether `--verbose` asks for details. */
  readonly isVerbose?: boolean;
  /** The command line that runs, once it was understood. */
  readonly line?: CommandLine;
  readonly codeLinks?: CodeLinks;
  /** Results; in `main` and after, whole lines that no CI takes for commands. */
  out(text: string): void;
  /** Progress, warnings and errors; in `main` and after, whole lines that no CI takes for commands. */
  err(text: string): void;
  /** Why a result was not written, as by a full disk; undefined while all was, or if its reader went away. */
  outFailure?(): string | undefined;
  /** Lines on standard output that are commands for a CI. */
  command(lines: string): void;
  /** A frame on standard error, with cursor movements. */
  draw(frame: string): void;
}

/** The terminal as the process offers it, before anything written to it is made safe. */
export type TerminalParts = Omit<Terminal, "command" | "draw">;

/** Makes a terminal on which no text is a command to a CI, whatever it contains and whoever wrote it. */
export function guardedTerminal(surroundings: TerminalParts): Terminal {
  const { out, err, codeLinks } = surroundings;
  const kept = codeLinks && linksTo(codeLinks.page);
  return {
    ...surroundings,
    out: (text) => out(deadText(text, kept)),
    err: (text) => err(deadText(text, kept)),
    command: out,
    draw: err,
  };
}

/** The terminal of this process; a command goes on if its output's reader has gone. `codePage` explains codes. */
export function processTerminal(codePage: URL, cwd: string): TerminalParts {
  const { stdout, stderr, stdin, env } = process;
  const out = standardOutput(stdout);
  const err = standardOutput(stderr);
  const page = new URL(codePage);
  // Over a connection to a different machine, a terminal must not look for the file on its own; Windows reads a host as a share.
  if (process.platform !== "win32" && page.protocol === "file:") page.hostname = hostname();
  return {
    env,
    cwd,
    isTerminal: stdout.isTTY === true,
    columns: stdout.columns,
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
    codeLinks: {
      page: page.href,
      async areTaken(stream) {
        const target = stream === "out" ? stdout : stderr;
        if (target.isTTY !== true || env.CI !== undefined) return false;
        const { createSupportsHyperlinks } = await import("supports-hyperlinks");
        return createSupportsHyperlinks(target);
      },
    },
    out: (text) => out.write(text),
    err: (text) => err.write(text),
    outFailure: () => out.failure(),
  };
}

/** Decides on colour: the option comes first, then NO_COLOR and FORCE_COLOR, then whether it is a terminal. */
export function wantsColor(option: boolean | undefined, terminal: Terminal): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = terminal.env;
  if (option !== undefined) return option;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0";
  return terminal.isTerminal && TERM !== "dumb";
}

/** Gives the page that the codes of a stream are links to; undefined where they are not: links go with colour. */
export async function codePageFor(
  stream: OutputStream,
  color: boolean,
  { codeLinks }: Terminal,
): Promise<string | undefined> {
  return color && codeLinks && (await codeLinks.areTaken(stream)) ? codeLinks.page : undefined;
}
