import type { Action, GuardrailNote } from "../../generated/plan.js";
import { ruleFinding, type Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { once } from "../../json/once.js";
import { isExcused } from "../resources/exceptions.js";
import { holdsIn, judgesAt } from "../resources/fleet-rules.js";
import type { Fleet } from "../resources/fleet.js";
import type { CompiledRules } from "../rules/judge.js";
import type { OwnRule } from "../rules/own-rule.js";
import { tooMuch } from "../rules/too-costly.js";
import type { Violation } from "../rules/violation.js";
import { leadToChanges } from "./change-path.js";
import { isDone } from "./guardrail.js";
import { readChanges, type PlannedBodies, type PlanOfChange } from "./judged-change.js";
import {
  labelsOf,
  ruleHint,
  ruleSentence,
  type AppliedLabels,
  type RuleVerdict,
} from "./judged-documents.js";

/** A plan as far as rules judge it. */
export interface PlanToJudge extends PlanOfChange {
  readonly actions: readonly Action[];
  /** Its notes so far. */
  readonly notes: readonly GuardrailNote[];
}

/** What rules say of a plan. */
export interface JudgedPlan {
  readonly notes: readonly GuardrailNote[];
  readonly findings: readonly Finding[];
}

/**
 * Gives what rules say of the actions of a plan: notes, and the findings of those that refuse it. What they found in a
 * document is a note of the action that brings the document; nothing is said of what stays as it is.
 */
export function judgePlan(
  plan: PlanToJudge,
  { rules }: CompiledRules,
  verdicts: readonly RuleVerdict[],
  fleet: Pick<Fleet, "resources" | "settings">,
  bodies: PlannedBodies,
  applied: AppliedLabels,
): JudgedPlan {
  const findings: Finding[] = [];
  const actions = plan.actions.filter(({ action }) => isDone(action));
  const byAddress = new Map(actions.map((action) => [action.address, action]));
  const notes = verdicts.flatMap(({ rule, resource, violation }) => {
    const action = byAddress.get(resource.address);
    const { path } = violation;
    const at = path[0] === "spec" ? path.slice(1).join(".") : path.join(".");
    return action && rule.effect !== "error" ? [noteFrom(rule, action, violation, at)] : [];
  });
  const asChange = readChanges(bodies, plan.notes, plan);
  const valueOf = once((address) => asChange(byAddress.get(address) as Action));
  for (const { rule, judge } of rules) {
    if (rule.subject !== "change" || !holdsIn(rule, fleet.settings.environment)) continue;
    for (const action of actions) {
      const { address, labels } = action;
      if (!judgesAt(rule, address, labels, ...labelsOf(applied(address)))) continue;
      if (isExcused(fleet.settings.exceptions, address, rule)) continue;
      const violations = judge(valueOf(address));
      if (violations === undefined) {
        findings.push(tooMuch(rule));
        break;
      }
      for (const violation of violations) {
        if (rule.effect === "error") findings.push(refusal(rule, action, violation, fleet));
        else notes.push(noteFrom(rule, action, violation, changedPath(action, violation)));
      }
    }
  }
  return { notes, findings };
}

function noteFrom(
  rule: OwnRule,
  { address, changes }: Action,
  { found }: Violation,
  at: string | undefined,
): GuardrailNote {
  const says = ruleSentence(rule);
  const effect = rule.effect === "error" ? "weakens" : rule.effect;
  const path = at === undefined ? undefined : leadToChanges(changes)({ path: at, parts: {} });
  return {
    code: rule.name,
    effect,
    address,
    parts: { says, found },
    message: `${says}: ${found}`,
    ...(path !== undefined && { path }),
  };
}

function changedPath({ changes }: Action, { path }: Violation): string | undefined {
  const [list, index] = path;
  return list === "changes" && typeof index === "number" ? changes[index]?.path : undefined;
}

function refusal(
  rule: OwnRule,
  action: Action,
  violation: Violation,
  { resources }: Pick<Fleet, "resources">,
): Finding {
  const { address, file } = action;
  const resource = resources.get(address);
  const at = changedPath(action, violation)?.split(".") ?? [];
  const place = resource?.place(["spec", ...at]) ?? (file === undefined ? undefined : { file });
  const message = say`${ruleSentence(rule)}: ${bare({ found: violation.found })}`;
  return { ...ruleFinding("error", rule.name, place, message, ruleHint(rule, resource)), address };
}
