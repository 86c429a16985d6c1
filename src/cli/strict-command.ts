import { Argument, Command, Option, type ErrorOptions } from "commander";
import type { TypedOption } from "./command-line.js";

/** What is wrong with the arguments of a command. */
export type UsageMistake =
  | { readonly type: "unknown-option"; readonly flag: string }
  | { readonly type: "unexpected-argument"; readonly word: string }
  | { readonly type: "missing-argument"; readonly name: string }
  | { readonly type: "missing-value" | "missing-option" | "second-value"; readonly option: Option }
  | { readonly type: "wrong-choice"; readonly of: Option | Argument; readonly value: string }
  | { readonly type: "other"; readonly message: string };

/** Arguments that a command refuses; `explainUsage` says it in the words of the project. */
export class WrongUsage extends Error {
  constructor(
    readonly command: Command,
    readonly mistake: UsageMistake,
  ) {
    super(mistake.type);
  }
}

const takeSeveral = ["agentform validate", "agentform plan", "agentform apply"];

/** A command that prints nothing itself, and throws what is wrong with its arguments. */
export class StrictCommand extends Command {
  /** The options as they were typed, once parsed. */
  readonly typed: TypedOption[] = [];

  override addOption(option: Option): this {
    const { long } = option;
    this.on(`option:${option.name()}`, (value: string | null | undefined) => {
      if (!long) return;
      if (typeof value === "string" && this.#isTaken(option, value))
        this.#refuse({ type: "second-value", option });
      this.typed.push(value === null || value === undefined ? [long] : [long, value]);
    });
    return super.addOption(this.#choosing(option));
  }

  override addArgument(argument: Argument): this {
    return super.addArgument(this.#choosing(argument));
  }

  /** Called by commander, like those below. */
  unknownOption(flag: string): never {
    this.#refuse({ type: "unknown-option", flag });
  }

  missingArgument(name: string): never {
    this.#refuse({ type: "missing-argument", name });
  }

  optionMissingArgument(option: Option): never {
    this.#refuse({ type: "missing-value", option });
  }

  missingMandatoryOptionValue(option: Option): never {
    this.#refuse({ type: "missing-option", option });
  }

  /** @throws WrongUsage */
  override error(message: string, { code }: ErrorOptions = {}): never {
    if (code === "commander.excessArguments") {
      this.#refuse({ type: "unexpected-argument", word: this.args[this.registeredArguments.length] ?? "" });
    }
    this.#refuse({ type: "other", message });
  }

  // Of two gates or two digests, one would not hold.
  #isTaken(option: Option, value: string): boolean {
    const isList = Array.isArray(this.getOptionValue(option.attributeName()));
    if (isList || (option.long === "--workspace" && takeSeveral.includes(this.name()))) return false;
    return this.typed.some(([long, other]) => long === option.long && other !== value);
  }

  #refuse(mistake: UsageMistake): never {
    throw new WrongUsage(this, mistake);
  }

  /** Has a value that is none of the choices refused as data. */
  #choosing<Chosen extends Option | Argument>(choice: Chosen): Chosen {
    const { argChoices: choices, parseArg } = choice;
    if (!choices || !parseArg) return choice;
    choice.argParser((value: string, previous: unknown) => {
      if (!choices.includes(value)) this.#refuse({ type: "wrong-choice", of: choice, value });
      return parseArg(value, previous);
    });
    return choice;
  }
}
