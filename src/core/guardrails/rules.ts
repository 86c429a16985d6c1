import type { GuardrailNote } from "../../generated/plan.js";
import { agentRules } from "./agent-rules.js";
import { policyRules } from "./policy-rules.js";
import { resourceRules } from "./resource-rules.js";
import { effects, type Rule } from "./rule.js";
import { toolsetRules } from "./toolset-rules.js";

const ruleByCode = { ...policyRules, ...toolsetRules, ...agentRules, ...resourceRules };

type RuleCode = keyof typeof ruleByCode;

/** The effect of each rule. Within one effect the place in this table is the rank: the most harmful first. */
const ranked: Readonly<Record<RuleCode, GuardrailNote["effect"]>> = {
  // What cannot be undone.
  "object-deleted": "weakens",
  // The check or policy that guards an agent is lost, or what guards a host or an object.
  "check-off": "weakens",
  "policy-detached": "weakens",
  "policy-forgotten": "weakens",
  "policy-feature-gone": "weakens",
  "security-dropped": "weakens",
  "protect-removed": "weakens",
  "removal-deletes": "weakens",
  // Parts of a guard.
  "banned-topic-gone": "weakens",
  "keyword-gone": "weakens",
  "pii-type-gone": "weakens",
  "custom-pii-gone": "weakens",
  "allowed-topics-emptied": "weakens",
  "feature-removed": "weakens",
  // How a guard works.
  "policy-feature-changed": "weakens",
  "policy-priority-changed": "weakens",
  "threshold-changed": "weakens",
  "check-action-changed": "weakens",
  "pii-type-changed": "weakens",
  "custom-pii-changed": "weakens",
  // Operations that change data or money.
  "writing-tool-gained": "widens",
  // Where calls go, and what they may do there.
  "host-added": "widens",
  "credential-changed": "widens",
  "secret-header-changed": "widens",
  "secret-changed": "widens",
  "default-changed": "widens",
  // Other reach.
  "agent-gained": "widens",
  "provider-changed": "widens",
  "model-changed": "widens",
  "tool-gained": "widens",
  // What only a person can judge: what is not guarded, what agents are told, and what they may talk about.
  "agent-without-policy": "review",
  "policy-without-checks": "review",
  "prohibition-lost": "review",
  "description-changed": "review",
  "allowed-topic-added": "review",
};

/** All changes that a plan points out, by rank: what weakens, what widens, and what a person must judge. */
export const rules: readonly Rule[] = effects.flatMap((effect) =>
  (Object.keys(ranked) as RuleCode[])
    .filter((code) => ranked[code] === effect)
    .map((code) => ({ code, effect, ...ruleByCode[code] })),
);

const ranks: ReadonlyMap<string, number> = new Map(rules.map(({ code }, index) => [code, index + 1]));

/** Gives the rank of a note by its code, the gravest first: from 1 for rules, and 0 for all else, such as settings. */
export function rankOf(code: string): number {
  return ranks.get(code) ?? 0;
}
