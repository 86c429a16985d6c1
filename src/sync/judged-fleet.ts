import type { Finding } from "../core/finding/diagnostic.js";
import type { RulesAtHand } from "../core/guardrails/rule-notes.js";
import type { Fleet } from "../core/resources/fleet.js";

/** A workspace that its rules have judged. */
export interface JudgedFleet extends RulesAtHand {
  /** The verdicts as findings, and what is wrong with the rules themselves. */
  readonly findings: readonly Finding[];
}

/** Judges the documents of a workspace; undefined without rules, and then nothing is loaded for it. */
export async function judgeFleet(fleet: Fleet): Promise<JudgedFleet | undefined> {
  const { rules: written } = fleet.settings;
  if (written.length === 0) return undefined;
  const [{ compileRules }, { judgeDocuments, verdictFinding }] = await Promise.all([
    import("../core/rules/judge.js"),
    import("../core/guardrails/judged-documents.js"),
  ]);
  const rules = compileRules(written, fleet.resources.size);
  const { verdicts, findings } = judgeDocuments(fleet, rules);
  return { rules, verdicts, findings: [...rules.findings, ...findings, ...verdicts.map(verdictFinding)] };
}
