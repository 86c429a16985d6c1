import type { Command } from "commander";
import type { Selector } from "../../core/resources/selector.js";
import { collect } from "../command.js";
import { UsageError } from "../exit-code.js";

/** Adds the option that selects resources by label. */
export function addSelectorOption(command: Command): void {
  command.option(
    "--selector <key=value>",
    "only resources with this label; may be repeated: of one key, any of the values is enough",
    collect,
  );
}

/**
 * Reads the option that selects resources by label.
 * @throws UsageError
 */
export function readSelector(given: readonly string[] = []): Selector {
  for (const each of given) {
    if (each.indexOf("=") < 1) throw new UsageError(`--selector must be KEY=VALUE, not \`${each}\``);
  }
  return new Set(given);
}
