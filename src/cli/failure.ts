import { exitCode, UsageError, type ExitCode } from "./exit-code.js";

/** An error that is not a bug: what to print, and how the command ends. */
interface CommandFailure {
  readonly text: string;
  readonly code: ExitCode;
}

/** Explains an error that ended a command; undefined if it is a bug. */
export async function explainFailure(cause: unknown): Promise<CommandFailure | undefined> {
  if (!(cause instanceof Error)) return undefined;
  if (cause instanceof UsageError) {
    // The words of the command line may come from anywhere, and are shown in one line each.
    const { safeLine } = await import("../render/words/terminal-text.js");
    const hint = cause.hint === undefined ? "" : `(${safeLine(cause.hint)})\n`;
    return { text: `error: ${safeLine(cause.message)}\n${hint}`, code: exitCode.usage };
  }
  const text = `error: ${cause.message}\n`;
  if (cause.name === "GitError" || cause.name === "LocalEmulatorError") return { text, code: exitCode.usage };
  return cause.name === "StorageError" ? { text, code: exitCode.invalid } : undefined;
}
