import { Command, type ErrorOptions } from "commander";

/** Arguments that commander refuses; `explainUsage` says it in the words of the project. */
export class WrongUsage extends Error {
  override readonly name = "WrongUsage";

  constructor(
    readonly command: Command,
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

/** A command that prints nothing itself, and throws what is wrong with its arguments. */
export class StrictCommand extends Command {
  /** @throws WrongUsage */
  override error(message: string, { code = "" }: ErrorOptions = {}): never {
    throw new WrongUsage(this, message, code);
  }
}
