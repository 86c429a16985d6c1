import type { GuardrailNote } from "../../generated/plan.js";
import type { KindName } from "../../generated/kinds.js";
import { kindNames } from "../kind/kinds.js";
import {
  featuresGone,
  policiesDetached,
  policyFeatureChanged,
  policyFeaturesGone,
  policyPriorityChanged,
} from "./agent-policy.js";
import { agentsGained, toolsGained, writingToolsGained } from "./agent-reach.js";
import { checksMissing, policyMissing } from "./creation.js";
import { defaultsChanged, secretHeadersChanged, secretsChanged } from "./default-value.js";
import { descriptionsChanged } from "./description.js";
import {
  allowedTopicsEmptied,
  checksOff,
  customPiiChanged,
  customPiiGone,
  itemsOnly,
  piiTypesChanged,
  piiTypesGone,
  settingChanged,
} from "./policy.js";
import { prohibitionsLost } from "./prompt.js";
import type { NoteCode } from "./note-parts.js";
import { effects, type Remark, type Rule, type RuleTable, type Subject } from "./rule.js";
import { fieldChanged, protectRemoved, removalDeletes } from "./settings.js";
import { hostsAdded, securityDropped } from "./toolset.js";

/** All that a plan points out, by effect. Within one effect the place is the rank: the most harmful first. */
const table = {
  weakens: {
    // What cannot be undone.
    "object-deleted": on("delete", kindNames, () => [{ parts: {} }]),
    // The check or policy that guards an agent is lost, or what guards a host or an object.
    "check-off": on("change", ["policy"], checksOff),
    "policy-detached": on("change", ["agent"], policiesDetached),
    "policy-forgotten": on("forget", ["policy"], () => [{ parts: { gone: false } }]),
    "policy-feature-gone": on("change", ["agent"], policyFeaturesGone),
    "security-dropped": on("change", ["toolset"], securityDropped),
    "protect-removed": on("change", kindNames, protectRemoved),
    "removal-deletes": on("change", kindNames, removalDeletes),
    // Parts of a guard.
    "banned-topic-gone": on("change", ["policy"], itemsOnly("before", "banned_topics", "topics")),
    "keyword-gone": on("change", ["policy"], itemsOnly("before", "keywords", "keywords")),
    "pii-type-gone": on("change", ["policy"], piiTypesGone),
    "custom-pii-gone": on("change", ["policy"], customPiiGone),
    "allowed-topics-emptied": on("change", ["policy"], allowedTopicsEmptied),
    "feature-removed": on("change", ["agent"], featuresGone),
    // How a guard works.
    "policy-feature-changed": on("change", ["agent"], policyFeatureChanged),
    "policy-priority-changed": on("change", ["agent"], policyPriorityChanged),
    "threshold-changed": on("change", ["policy"], settingChanged("threshold")),
    "check-action-changed": on("change", ["policy"], settingChanged("action")),
    "pii-type-changed": on("change", ["policy"], piiTypesChanged),
    "custom-pii-changed": on("change", ["policy"], customPiiChanged),
  },
  widens: {
    // Operations that change data or money.
    "writing-tool-gained": on("change", ["agent"], writingToolsGained),
    // Where calls go, and what they may do there.
    "host-added": on("change", ["toolset"], hostsAdded),
    "credential-changed": on("change", ["agent"], fieldChanged("llm_credential_id")),
    "secret-header-changed": on("change", ["toolset"], secretHeadersChanged),
    "secret-changed": on("change", kindNames, secretsChanged),
    "default-changed": on("change", ["toolset"], defaultsChanged),
    // Other reach.
    "agent-gained": on("change", ["agent"], agentsGained),
    "provider-changed": on("change", ["agent", "credential"], fieldChanged("provider_id")),
    "model-changed": on("change", ["agent"], fieldChanged("model")),
    "tool-gained": on("change", ["agent"], toolsGained),
  },
  review: {
    // What only a person can judge: what is not guarded, what agents are told, and what they may talk about.
    "agent-without-policy": on("create", ["agent"], policyMissing),
    "policy-without-checks": on("create", ["policy"], checksMissing),
    "prohibition-lost": on("change", ["agent"], prohibitionsLost),
    "description-changed": on("change", ["toolset"], descriptionsChanged),
    "allowed-topic-added": on("change", ["policy"], itemsOnly("after", "allowed_topics", "topics")),
  },
} as const satisfies Readonly<Record<GuardrailNote["effect"], RuleTable>>;

function on<Parts>(
  occasion: Rule["on"],
  kinds: readonly KindName[],
  find: (subject: Subject) => Remark<Parts>[],
) {
  return { on: occasion, kinds, find };
}

/** All changes that a plan points out, by rank: what weakens, what widens, and what a person must judge. */
export const rules: readonly Rule[] = effects.flatMap((effect) => {
  const ofEffect: RuleTable = table[effect];
  return (Object.keys(ofEffect) as NoteCode[]).flatMap((code) => {
    const rule = ofEffect[code];
    return rule ? [{ code, effect, ...rule }] : [];
  });
});

const ranks: ReadonlyMap<string, number> = new Map(rules.map(({ code }, index) => [code, index + 1]));

/** Gives the rank of a note by its code, the gravest first: from 1 for rules, and 0 for all else, such as settings. */
export function rankOf(code: string): number {
  return ranks.get(code) ?? 0;
}
