import { resolve } from "node:path";
import type { Command } from "commander";
import type { RuleTexts } from "../../core/rules/rule-texts.js";
import type { PlanRequest } from "../../sync/request.js";
import { UsageError } from "../exit-code.js";
import type { Terminal } from "../terminal/terminal.js";

/** The options that add rules to those of the workspace. */
export interface RuleFlags {
  readonly rules?: string;
  readonly rulesFrom?: string;
}

/** Adds the options that add rules. */
export function addRuleOptions(command: Command): void {
  command
    .option("--rules <dir>", "also judge by the rules in this folder, from which no document is excused")
    .option("--rules-from <gitref>", "also judge by the rules that the workspace has in this commit");
}

/** Reads the rules that options add; throws UsageError, GitError. */
export async function readRuleOptions(
  { rules, rulesFrom }: RuleFlags,
  directory: string,
  { cwd }: Terminal,
): Promise<Pick<PlanRequest, "rules" | "readMarks">> {
  const all: RuleTexts[] = [];
  if (rules !== undefined) {
    const { readRuleFolder, RuleFolderError } = await import("../../workspace/rule-folder.js");
    try {
      all.push(readRuleFolder(resolve(cwd, rules), rules));
    } catch (cause) {
      const why = cause instanceof RuleFolderError ? `: ${cause.message}` : "";
      throw new UsageError(`--rules must be a folder of rules that can be read, not \`${rules}\`${why}`);
    }
  }
  if (rulesFrom === undefined) return all.length > 0 ? { rules: all } : {};
  const [{ readBaseRules }, { readCommittedState }] = await Promise.all([
    import("../../workspace/commits/base-rules.js"),
    import("../../workspace/commits/base-states.js"),
  ]);
  const folder = resolve(directory);
  all.push(...(await readBaseRules(folder, rulesFrom)));
  return { rules: all, readMarks: (settings) => readCommittedState(folder, rulesFrom, settings) };
}
