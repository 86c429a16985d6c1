import type { Finding } from "../core/finding/diagnostic.js";
import type { RuleVerdict } from "../core/guardrails/judged-documents.js";
import type { Fleet } from "../core/resources/fleet.js";
import type { CompiledRules } from "../core/rules/judge.js";

/** A workspace that its rules have judged. */
export interface JudgedFleet {
  readonly judge: CompiledRules;
  readonly verdicts: readonly RuleVerdict[];
  /** The verdicts as findings, and what is wrong with the rules themselves. */
  readonly findings: readonly Finding[];
}

/** Judges the documents of a workspace; undefined without rules, and then nothing is loaded for it. */
export async function judgeFleet(fleet: Fleet): Promise<JudgedFleet | undefined> {
  const { rules } = fleet.settings;
  if (rules.length === 0) return undefined;
  const [{ compileRules }, { judgeDocuments, verdictFinding }] = await Promise.all([
    import("../core/rules/judge.js"),
    import("../core/guardrails/judged-documents.js"),
  ]);
  const judge = compileRules(rules, fleet.resources.size);
  const { verdicts, findings } = judgeDocuments(fleet, judge);
  return { judge, verdicts, findings: [...judge.findings, ...findings, ...verdicts.map(verdictFinding)] };
}
