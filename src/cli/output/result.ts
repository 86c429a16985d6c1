import type { Command } from "commander";
import { jsonText } from "../../render/words/json-text.js";
import { addFormat } from "../command.js";
import type { Terminal } from "../terminal/terminal.js";

/** The forms of a result that is one document for programs. */
const resultFormats = ["text", "json"] as const;
export type ResultFormat = (typeof resultFormats)[number];

/** The option for the form of such a result. */
export interface ResultFlags {
  readonly format: ResultFormat;
}

/** Adds the option for the form of a result that is one document for programs. */
export function addResultFormat(command: Command): void {
  addFormat(command, resultFormats);
}

/** A result in its forms; only the one that was asked for is made. */
export interface ResultForms<Printed extends object> {
  readonly text: () => string | Promise<string>;
  /** A document of one of the schemas, which its `format` names. */
  readonly json: () => Printed | Promise<Printed>;
}

/** Prints the result of a command to standard output, in the form that was asked for. */
export async function printResult<Printed extends { readonly format: string }>(
  { text, json }: ResultForms<Printed>,
  { format }: { readonly format: string },
  terminal: Terminal,
): Promise<void> {
  terminal.out(format === "json" ? jsonText(await json()) : await text());
}
