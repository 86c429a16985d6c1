import { type ExitCode, exitCode, explainFailure } from "./exit-code.js";
import { guardedTerminal, processTerminal, type TerminalParts, type Terminal } from "./terminal/terminal.js";
import type { VersionAnswer } from "../generated/version.js";
import { version } from "../version.js";

/** Runs the command line; gives the exit code. */
export async function main(argv: readonly string[], surroundings: TerminalParts): Promise<ExitCode> {
  const terminal = guardedTerminal(surroundings);
  const isJson = asksForJson(argv);
  if (argv[0] === "--version" || argv[0] === "-V") {
    terminal.out(isJson ? await versionJson() : `${version}\n`);
    return exitCode.fine;
  }
  try {
    const { runProgram } = await import("./program.js");
    return await runProgram(argv, { format: isJson ? "json" : "text" }, terminal);
  } catch (cause) {
    return await report(cause, isJson, terminal);
  }
}

async function versionJson(): Promise<string> {
  const { jsonText } = await import("../render/words/json-text.js");
  const answer: VersionAnswer = { format: "agentform/version/v1", version };
  return jsonText(answer);
}

async function report(cause: unknown, isJson: boolean, terminal: Terminal): Promise<ExitCode> {
  const { text, code, problem } = (await explainFailure(cause)) ?? bugOf(cause);
  terminal.err(text);
  if (!isJson) return code;
  // In one line, so that it can also be read where a result is lines.
  const { renderDiagnosticsLine } = await import("../render/diagnostics/diagnostics-json.js");
  terminal.out(renderDiagnosticsLine([{ severity: "error", ...problem }]));
  return code;
}

function bugOf(cause: unknown) {
  const about = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  const text = `agentform ${version} has a bug; please report it with this text:\n${about}\n`;
  return { text, code: exitCode.bug, problem: { code: "bug" as const, message: text.trimEnd() } };
}

/** Runs the command line of this process, which ends once its output is written; the page explains the codes. */
export async function runProcess(codePage: URL): Promise<void> {
  const cwd = currentFolder();
  const terminal = processTerminal(codePage, cwd ?? "");
  process.once("exit", () => tellLost(terminal));
  const refusal = isTooOld() ? oldNode : cwd === undefined ? noFolder : undefined;
  if (refusal !== undefined) terminal.err(`error: ${refusal}\n`);
  process.exitCode = refusal === undefined ? await main(process.argv.slice(2), terminal) : exitCode.invalid;
  end();
}

const noFolder = "the current folder does not exist any more; change to another one";

// A shell may stand in a folder that was removed since, such as by git.
function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

// What a newer Node alone has would fail somewhere, as if it were a bug; 21 and the first of 22 lack some of it, too.
function isTooOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major < 20 || (major === 20 && minor < 19) || major === 21 || (major === 22 && minor < 3);
}

const oldNode = `agentform needs Node 20.19 or a later 20, or 22.3 or newer; this is ${process.version}`;

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

/** Whether a command line asks for JSON, also one that cannot be used. */
export function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  const words = end === -1 ? argv : argv.slice(0, end);
  return words.some(
    (word, at) => word === "--format=json" || (word === "json" && words[at - 1] === "--format"),
  );
}
