import type { CommanderError } from "commander";
import { exitCode, UsageError, type ExitCode } from "./exit-code.js";
import { guardedTerminal, processTerminal, type Surroundings, type Terminal } from "./terminal/terminal.js";
import { version } from "../version.js";

/** Runs the command line; gives the exit code. */
export async function main(argv: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const terminal = guardedTerminal(surroundings);
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    terminal.out(`${version}\n`);
    return exitCode.fine;
  }
  try {
    const { runProgram } = await import("./program.js");
    return await runProgram(argv, terminal);
  } catch (cause) {
    return report(cause, terminal);
  }
}

function report(cause: unknown, terminal: Terminal): ExitCode {
  if (isCommanderError(cause)) return cause.exitCode === 0 ? exitCode.fine : exitCode.usage;
  if (cause instanceof UsageError || (cause instanceof Error && cause.name === "GitError")) {
    terminal.err(`error: ${cause.message}\n`);
    return exitCode.usage;
  }
  if (cause instanceof Error && cause.name === "StorageError") {
    terminal.err(`error: ${cause.message}\n`);
    return exitCode.invalid;
  }
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  terminal.err(`agentform ${version} has a bug; please report it with this text:\n${text}\n`);
  return exitCode.bug;
}

function isCommanderError(cause: unknown): cause is CommanderError {
  return cause instanceof Error && "code" in cause && String(cause.code).startsWith("commander.");
}

/** Runs the command line of this process, which ends within a second after it; the page explains the codes. */
export async function runProcess(codePage: URL): Promise<void> {
  process.exitCode = await main(process.argv.slice(2), processTerminal(codePage));
  endSoon();
}

// What is still open then, such as a name look-up without a time limit, must not keep the process alive.
function endSoon(): void {
  setTimeout(() => {
    if (process.stdout.writableLength + process.stderr.writableLength > 0) endSoon();
    else process.exit();
  }, 1000).unref();
}
