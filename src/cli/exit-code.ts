import type { Code, Diagnostic } from "../core/finding/diagnostic.js";

/** The exit codes, as docs/reference/cli.md lists them. */
export const exitCode = {
  fine: 0,
  invalid: 1,
  pending: 2,
  unknown: 3,
  moved: 4,
  usage: 64,
  bug: 70,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** Gives how a command ends that errors prevented: whether the state has moved, or something is invalid. */
export function failureCode(diagnostics: readonly Diagnostic[]): ExitCode {
  const isMoved = diagnostics.some(
    ({ code, severity }) => severity === "error" && (code === "lock-moved" || code === "lock-moving"),
  );
  return isMoved ? exitCode.moved : exitCode.invalid;
}

/** A command line that cannot be used; ends with exit code 64. */
export class UsageError extends Error {
  /** The hint is printed in a line of its own. */
  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** An error that is not a bug: what to print, and how the command ends. */
interface CommandFailure {
  readonly text: string;
  readonly code: ExitCode;
  /** The same as data. */
  readonly problem: { readonly code: Code; readonly message: string; readonly hint?: string };
}

/** Explains an error that ended a command; undefined if it is a bug. */
export async function explainFailure(cause: unknown): Promise<CommandFailure | undefined> {
  if (!(cause instanceof Error)) return undefined;
  // The words of the command line may come from anywhere, and are shown in one line each.
  const { safeLine } = await import("../render/words/terminal-text.js");
  if (cause instanceof UsageError) {
    const { message, hint } = cause;
    const shownHint = hint === undefined ? "" : `(${safeLine(hint)})\n`;
    const problem = { code: "command-line" as const, message, ...(hint !== undefined && { hint }) };
    return { text: `error: ${safeLine(message)}\n${shownHint}`, code: exitCode.usage, problem };
  }
  const failure = (code: Code, ends: ExitCode): CommandFailure => ({
    text: `error: ${safeLine(cause.message)}\n`,
    code: ends,
    problem: { code, message: cause.message },
  });
  if (cause.name === "ChangedMeanwhileError") return failure("file-unreadable", exitCode.invalid);
  if (cause.name === "GitError") return failure("git-failed", exitCode.usage);
  if (cause.name === "LocalEmulatorError") return failure("emulator-storage", exitCode.usage);
  return cause.name === "StorageError" ? failure("emulator-storage", exitCode.invalid) : undefined;
}
