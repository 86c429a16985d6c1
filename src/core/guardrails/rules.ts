import { noteCodes, type NoteCode } from "../../generated/codes.js";
import type { GuardrailNote } from "../../generated/plan.js";
import type { KindName } from "../../generated/kinds.js";
import { isOfKind, kindNames } from "../kind/kinds.js";
import {
  featuresGone,
  policiesAdded,
  policiesDetached,
  policyFeatureChanged,
  policyFeaturesGone,
  policyPriorityChanged,
} from "./agent-policy.js";
import { agentsGained, toolsGained, writingToolsGained, agentSettingsChanged } from "./agent-reach.js";
import { defaultsChanged, secretHeadersChanged, secretsChanged } from "./default-value.js";
import { callbacksAdded, descriptionsChanged, hostsAdded, serversTurned } from "./toolset.js";
import {
  allowedTopicsEmptied,
  checksMissing,
  checksOff,
  customPiiChanged,
  customPiiGone,
  itemsOnly,
  otherSettingsChanged,
  piiTypesChanged,
  settingChanged,
} from "./policy.js";
import { hiddenText, mixedScripts } from "./letter-rules.js";
import { prohibitionsLost } from "./prompt.js";
import { effects, type Remark, type Rule, type Subject } from "./rule.js";
import {
  fieldChanged,
  objectAdopted,
  objectExchanged,
  objectForgotten,
  policyForgotten,
  policyMissing,
  protectRemoved,
  removalDeletes,
} from "./settings.js";
import { keysMoved, securityDropped, tokenAddressesChanged } from "./key-place.js";

/** The codes of notes that need more than a resource and its change. */
type OtherCode =
  | "first-apply"
  | "setting-changed"
  | "state-edited"
  | "replacement-not-in-effect"
  | "used-by-others"
  | "used-id-changed"
  | "retired-deleted";

const present = ["create", "change"] as const;
const withoutPolicies = kindNames.filter((name) => name !== "policy");
const weakens = withEffect("weakens");
const widens = withEffect("widens");
const review = withEffect("review");

/** All that a plan points out. Among those of one effect the place is the rank: the most harmful first. */
const table: { readonly [Key in Exclude<NoteCode, OtherCode>]: Omit<Rule<Key>, "code"> } = {
  // What cannot be undone.
  "object-deleted": weakens("delete", kindNames, () => [{ parts: {} }]),
  // The check or policy that guards an agent is lost, or what guards a host or an object.
  "check-off": weakens("change", ["policy"], checksOff),
  "policy-detached": weakens("change", ["agent"], policiesDetached),
  "policy-forgotten": weakens("forget", ["policy"], policyForgotten),
  "object-exchanged": weakens("change", kindNames, objectExchanged),
  "policy-feature-gone": weakens("change", ["agent"], policyFeaturesGone, "features"),
  "security-dropped": weakens("change", ["toolset"], securityDropped, "openapi_schema"),
  "encryption-dropped": weakens("change", ["toolset"], serversTurned("open"), "openapi_schema"),
  "key-moved": weakens("change", ["toolset"], keysMoved, "openapi_schema"),
  "protect-removed": weakens("change", kindNames, protectRemoved),
  "removal-deletes": weakens("change", kindNames, removalDeletes),
  // Parts of a guard.
  "banned-topic-gone": weakens("change", ["policy"], itemsOnly("before", "banned_topics", "topics")),
  "keyword-gone": weakens("change", ["policy"], itemsOnly("before", "keywords", "keywords")),
  "pii-type-gone": weakens("change", ["policy"], itemsOnly("before", "pii_detection", "types")),
  "custom-pii-gone": weakens("change", ["policy"], customPiiGone),
  "allowed-topics-emptied": weakens("change", ["policy"], allowedTopicsEmptied),
  "feature-removed": weakens("change", ["agent"], featuresGone, "features"),
  // What a review cannot see.
  "hidden-text": weakens(present, kindNames, hiddenText(true)),
  // How a guard works.
  "policy-feature-changed": weakens("change", ["agent"], policyFeatureChanged, "features"),
  "policy-priority-changed": weakens("change", ["agent"], policyPriorityChanged, "features"),
  "threshold-changed": weakens("change", ["policy"], settingChanged("threshold")),
  "check-action-changed": weakens("change", ["policy"], settingChanged("action")),
  "policy-setting-changed": weakens("change", ["policy", "agent"], settingsChanged),
  "pii-type-changed": weakens("change", ["policy"], piiTypesChanged),
  "custom-pii-changed": weakens("change", ["policy"], customPiiChanged),
  // Operations that change data or money.
  "writing-tool-gained": widens(present, ["agent"], writingToolsGained),
  // Where calls go, and what they may do there.
  "host-added": widens("change", ["toolset"], hostsAdded, "openapi_schema"),
  "token-address-changed": widens("change", ["toolset"], tokenAddressesChanged, "openapi_schema"),
  "callback-added": widens("change", ["toolset"], callbacksAdded, "openapi_schema"),
  "server-changed": widens("change", ["toolset"], serversTurned("moved"), "openapi_schema"),
  "credential-changed": widens("change", ["agent"], fieldChanged("llm_credential_id")),
  "secret-header-changed": widens("change", ["toolset"], secretHeadersChanged),
  "secret-changed": widens(present, kindNames, secretsChanged),
  "default-changed": widens("change", withoutPolicies, defaultsChanged),
  // Other reach.
  "agent-gained": widens(present, ["agent"], agentsGained),
  "provider-changed": widens("change", ["agent", "credential"], fieldChanged("provider_id")),
  "tool-gained": widens("change", ["agent"], toolsGained),
  // What only a person can judge: what is not known, what is left as it is, what is not guarded, what agents are told, and what they may talk about.
  "object-adopted": review(present, kindNames, objectAdopted),
  "object-forgotten": review("forget", withoutPolicies, objectForgotten),
  "agent-without-policy": review("create", ["agent"], policyMissing),
  "policy-added": review("change", ["agent"], policiesAdded, "features"),
  "policy-without-checks": review("create", ["policy"], checksMissing),
  "model-changed": review("change", ["agent"], fieldChanged("model")),
  "invisible-characters": review(present, kindNames, hiddenText(false)),
  "mixed-scripts": review(present, kindNames, mixedScripts),
  "prohibition-lost": review("change", ["agent"], prohibitionsLost),
  "description-changed": review("change", ["toolset"], descriptionsChanged(true)),
  "allowed-topic-added": review("change", ["policy"], itemsOnly("after", "allowed_topics", "topics")),
  "description-repunctuated": review("change", ["toolset"], descriptionsChanged(false)),
};

function settingsChanged(subject: Subject): ReturnType<typeof otherSettingsChanged> {
  return isOfKind(subject.address, "agent") ? agentSettingsChanged(subject) : otherSettingsChanged(subject);
}

function withEffect(effect: GuardrailNote["effect"]) {
  return <Data>(
    on: Rule["on"],
    kinds: readonly KindName[],
    find: (subject: Subject) => Remark<Data>[],
    field?: string,
  ) => ({ effect, on, kinds, find, ...(field !== undefined && { field }) });
}

/** All changes that a plan points out, by rank: what weakens, what widens, and what a person must judge. */
export const rules: readonly Rule[] = effects.flatMap((effect) =>
  (Object.keys(table) as (keyof typeof table)[])
    .map((code) => ({ code, ...table[code] }))
    .filter((rule) => rule.effect === effect),
);

const ranks: ReadonlyMap<string, number> = new Map(rules.map(({ code }, index) => [code, index + 2]));

const builtIn: ReadonlySet<string> = new Set(noteCodes);

/** Whether a note is of a rule, of a team's own too, and not of something about the plan, such as its settings. */
export function isOfRule({ code }: Pick<GuardrailNote, "code">): boolean {
  return ranks.has(code) || !builtIn.has(code);
}

/** Gives the rank of a note, the gravest first: by effect, then of no rule, of a team's rules, of the built-in ones. */
export function rankOf(note: Pick<GuardrailNote, "code" | "effect">): number {
  const own = isOfRule(note) ? (ranks.get(note.code) ?? 1) : 0;
  return effects.indexOf(note.effect) * (rules.length + 2) + own;
}
