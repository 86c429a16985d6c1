import { exitCode, type ExitCode } from "./exit-code.js";
import { explainFailure } from "./failure.js";
import { guardedTerminal, processTerminal, type TerminalParts, type Terminal } from "./terminal/terminal.js";
import { version } from "../version.js";

/** Runs the command line; gives the exit code. */
export async function main(argv: readonly string[], surroundings: TerminalParts): Promise<ExitCode> {
  const terminal = guardedTerminal(surroundings);
  if (argv[0] === "--version" || argv[0] === "-V") {
    terminal.out(`${version}\n`);
    return exitCode.fine;
  }
  try {
    const { runProgram } = await import("./program.js");
    return await runProgram(argv, terminal);
  } catch (cause) {
    return await report(cause, terminal);
  }
}

async function report(cause: unknown, terminal: Terminal): Promise<ExitCode> {
  const failure = await explainFailure(cause);
  if (failure) {
    terminal.err(failure.text);
    return failure.code;
  }
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  terminal.err(`agentform ${version} has a bug; please report it with this text:\n${text}\n`);
  return exitCode.bug;
}

/** Runs the command line of this process, which ends once its output is written; the page explains the codes. */
export async function runProcess(codePage: URL): Promise<void> {
  const terminal = processTerminal(codePage);
  process.once("exit", () => tellLost(terminal));
  process.exitCode = isTooOld() ? refuseNode(terminal) : await main(process.argv.slice(2), terminal);
  end();
}

// What a newer Node alone has would fail somewhere, as if it were a bug; 21 and the first of 22 lack some of it, too.
function isTooOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major < 20 || (major === 20 && minor < 19) || major === 21 || (major === 22 && minor < 3);
}

function refuseNode({ err }: TerminalParts): ExitCode {
  err(`error: agentform needs Node 20.19 or a later 20, or 22.3 or newer; this is ${process.version}\n`);
  return exitCode.invalid;
}

// Node would free all memory piece by piece, and wait for what is still open, such as a name look-up without a time limit.
function end(): void {
  const isWritten = process.stdout.writableLength + process.stderr.writableLength === 0;
  if (isWritten) process.exit();
  setTimeout(end, 10).unref();
}

/** A result that is lost or cut is none, for who reads the exit code alone, too. */
function tellLost({ outFailure, err }: TerminalParts): void {
  const failure = outFailure?.();
  if (failure === undefined) return;
  err(`error: standard output cannot be written (${failure})\n`);
  const codes: unknown[] = [exitCode.fine, exitCode.pending];
  if (codes.includes(process.exitCode)) process.exitCode = exitCode.invalid;
}
