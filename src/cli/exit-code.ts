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

  /** The hint is printed in a line of its own. */
  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}
