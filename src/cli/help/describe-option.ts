import type { Argument, Option } from "commander";
import type { HelpRow } from "./page.js";

/** Gives an option as the help writes it, and what it does. */
export function describeOption({ flags, description, argChoices, defaultValue, negate }: Option): HelpRow {
  return [flags, describe(description, argChoices, negate ? undefined : defaultValue)];
}

/** Gives an argument as the help writes it, and what it is. */
export function describeArgument(argument: Argument): HelpRow {
  const { required, variadic, description, argChoices, defaultValue } = argument;
  const name = `${argument.name()}${variadic ? "..." : ""}`;
  return [required ? `<${name}>` : `[${name}]`, describe(description, argChoices, defaultValue)];
}

function describe(description: string, choices: readonly string[] | undefined, standard: unknown): string {
  const listed = choices ? `: ${choices.map((choice) => `\`${choice}\``).join(", ")}` : "";
  const unlessGiven = standard === undefined ? "" : `; \`${String(standard)}\` unless given`;
  return `${description}${listed}${unlessGiven}`;
}
