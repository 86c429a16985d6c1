import { shellLine } from "../../core/finding/shell-word.js";
import { wordsWith } from "../command-line.js";
import type { Terminal } from "../terminal/terminal.js";

/** How a person is asked, and a program is told what to agree to. */
interface Asking {
  readonly digest: string;
  readonly format: string;
  /** Aborted when nobody is to be asked any more. */
  readonly stop?: AbortSignal;
  /** Shows what is asked, if it is more than what was shown already. */
  readonly before?: () => Promise<void>;
  /** What would be done, as in "Type `yes` to apply". */
  readonly verb: string;
  /** Prints the words of the command that agrees, with what was shown; called where the result is for programs. */
  readonly tell: (command: readonly string[]) => void | Promise<void>;
}

/** Asks whoever can be asked; else says which command agrees to exactly what was shown. */
export async function askToAgree(asking: Asking, terminal: Terminal): Promise<boolean | "pending"> {
  const { digest, format, stop, before, verb, tell } = asking;
  if (terminal.canAsk && format === "text") {
    await before?.();
    const { ask } = await import("../terminal/ask.js");
    return await ask(`Type \`yes\` to ${verb}: `, stop);
  }
  const command = agreeing(digest, terminal);
  if (format === "json") await tell(command);
  terminal.err(
    `Nothing was done, for nobody can be asked. To agree to exactly this:\n\n  ${shellLine(command)}\n\n`,
  );
  return "pending";
}

/** Gives the words of the same command that agrees to what it showed. */
export function agreeing(digest: string, { line }: Terminal): string[] {
  if (!line) throw new Error("a command that asks was not run from a command line");
  return wordsWith(line, ["--yes", "--expect"], [["--expect", digest]]);
}
