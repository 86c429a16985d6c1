import type { Finding } from "../core/finding/diagnostic.js";
import type { PlanInput } from "../core/plan/plan.js";
import type { Fleet } from "../core/resources/fleet.js";
import { leftBefore } from "../core/plan/adoption.js";
import { entriesBefore, moveEntries } from "../core/plan/move.js";
import { once } from "../json/once.js";
import type { Lock } from "../core/state/lock.js";

/** A workspace that its rules have judged. */
export interface JudgedFleet {
  /** What they found in documents, and what is wrong with the rules themselves. */
  readonly findings: readonly Finding[];
  readonly judge: NonNullable<PlanInput["judge"]>;
}

/** Judges the documents of a workspace, with the labels of what was last applied and of what a base commit had. */
export type FleetJudge = (fleet: Fleet, lock?: Lock, base?: Lock) => JudgedFleet;

/** Judges documents with labels of now, of the last apply and of the base; undefined without rules. */
export async function judgeFleet(fleet: Fleet, lock?: Lock, base?: Lock): Promise<JudgedFleet | undefined> {
  return (await judgeOf(fleet))?.(fleet, lock, base);
}

/** Loads what judges a workspace, and the same with edits; undefined without rules. */
export async function judgeOf({ settings }: Fleet): Promise<FleetJudge | undefined> {
  if (settings.rules.length === 0) return undefined;
  const [{ compileRules }, { judgeDocuments, judgePlan, verdictFinding }] = await Promise.all([
    import("../core/rules/judge.js"),
    import("../core/guardrails/rule-verdicts.js"),
  ]);
  return (fleet, lock, base) => {
    const compiled = compileRules(fleet.settings.rules, fleet.resources.size, fleet.settings.kindFields);
    const moved = lock ? moveEntries(lock, fleet.resources).lock : { resources: {}, retired: {} };
    const entries = entriesBefore(moved, base, fleet.resources);
    const left = leftBefore(base ? [moved, base] : [moved], fleet);
    const applied = once((address) => [...entries(address), ...left(address)]);
    const judging = { compiled, fleet, applied };
    const { verdicts, findings } = judgeDocuments(judging);
    return {
      findings: [...compiled.findings, ...findings, ...verdicts.map(verdictFinding)],
      judge: (plan, bodies) => judgePlan(plan, verdicts, bodies, judging),
    };
  };
}
