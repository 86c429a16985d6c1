import type { Diagnostic } from "../core/finding/diagnostic.js";

/** The exit codes, as README.md lists them. */
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
  override readonly name = "UsageError";
}

/** An error that is not a bug: what to print, and how the command ends. */
interface Failure {
  readonly text: string;
  readonly code: ExitCode;
}

/** Explains an error that ended a command; undefined if it is a bug. */
export function explainFailure(cause: unknown): Failure | undefined {
  if (!(cause instanceof Error)) return undefined;
  const text = `error: ${cause.message}\n`;
  if (cause instanceof UsageError || cause.name === "GitError") return { text, code: exitCode.usage };
  return cause.name === "StorageError" ? { text, code: exitCode.invalid } : undefined;
}
