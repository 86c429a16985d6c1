import {
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
  allowedTopicsAdded,
  allowedTopicsEmptied,
  checksOff,
  customPiiChanged,
  customPiiGone,
  itemsGone,
  piiTypesChanged,
  piiTypesGone,
  settingChanged,
} from "./policy.js";
import { prohibitionsLost } from "./prompt.js";
import { kindNames } from "../kind/kinds.js";
import type { Rule } from "./rule.js";
import { fieldChanged, protectRemoved } from "./settings.js";
import { hostsAdded, securityDropped } from "./toolset.js";

/** All changes that a plan points out. The place in this table is the rank: the most harmful first. */
export const rules: readonly Rule[] = [
  // The check or policy that guards an agent is lost.
  {
    code: "check-off",
    effect: "weakens",
    kinds: ["policy"],
    on: "change",
    meaning: "a check is removed, switched off, or no longer explicitly on",
    find: checksOff,
  },
  {
    code: "policy-detached",
    effect: "weakens",
    kinds: ["agent"],
    on: "change",
    meaning: "the agent no longer refers to a policy, or only inside a longer text",
    find: policiesDetached,
  },
  {
    code: "policy-forgotten",
    effect: "weakens",
    kinds: ["policy"],
    on: "forget",
    meaning: "the document of a policy is removed: its object stays in the service, unmanaged",
    find: () => [{ message: "is forgotten: its object stays in the service, unmanaged" }],
  },
  {
    code: "policy-feature-gone",
    effect: "weakens",
    kinds: ["agent"],
    on: "change",
    meaning:
      "a feature with a policy is removed or no longer has it, while the agent has the policy elsewhere",
    find: policyFeaturesGone,
  },
  {
    code: "agent-without-policy",
    effect: "review",
    kinds: ["agent"],
    on: "create",
    meaning: "a new agent has no policy, while other agents of the workspace have one",
    find: policyMissing,
  },
  {
    code: "policy-without-checks",
    effect: "review",
    kinds: ["policy"],
    on: "create",
    meaning: "every check of a new policy is off, or it has none",
    find: checksMissing,
  },
  // Operations that change data or money.
  {
    code: "writing-tool-gained",
    effect: "widens",
    kinds: ["agent"],
    on: "change",
    meaning: "the agent has a new tool with any other method than GET, HEAD and OPTIONS",
    find: writingToolsGained,
  },
  // Where calls go, and what they may do there.
  {
    code: "security-dropped",
    effect: "weakens",
    kinds: ["toolset"],
    on: "change",
    meaning:
      "the OpenAPI document allows calls with less security than all of its alternatives required before",
    find: securityDropped,
  },
  {
    code: "host-added",
    effect: "widens",
    kinds: ["toolset"],
    on: "change",
    meaning: "the servers of the OpenAPI document include a new host",
    find: hostsAdded,
  },
  {
    code: "credential-changed",
    effect: "widens",
    kinds: ["agent"],
    on: "change",
    meaning: "the agent has a different credential for its model",
    find: fieldChanged("llm_credential_id"),
  },
  {
    code: "secret-header-changed",
    effect: "widens",
    kinds: ["toolset"],
    on: "change",
    meaning:
      "a default header with a secret is added, changed or removed; a new revision of the same variable does not count",
    find: secretHeadersChanged,
  },
  {
    code: "secret-changed",
    effect: "widens",
    kinds: kindNames,
    on: "change",
    meaning:
      "any other value holds different secret variables than before, such as a query parameter, a key or a credential",
    find: secretsChanged,
  },
  {
    code: "default-changed",
    effect: "review",
    kinds: ["toolset"],
    on: "change",
    meaning:
      "a default header, query parameter, body parameter or endpoint default without a different secret is added, changed or removed",
    find: defaultsChanged,
  },
  // Parts of a guard.
  {
    code: "prohibition-lost",
    effect: "review",
    kinds: ["agent"],
    on: "change",
    meaning: "a text of the agent no longer has a sentence that forbids something, or has it in other words",
    find: prohibitionsLost,
  },
  {
    code: "banned-topic-gone",
    effect: "weakens",
    kinds: ["policy"],
    on: "change",
    meaning: "a topic is no longer banned",
    find: itemsGone("banned_topics", "topics", "bans"),
  },
  {
    code: "keyword-gone",
    effect: "weakens",
    kinds: ["policy"],
    on: "change",
    meaning: "a keyword is no longer looked for",
    find: itemsGone("keywords", "keywords", "looks for"),
  },
  {
    code: "pii-type-gone",
    effect: "weakens",
    kinds: ["policy"],
    on: "change",
    meaning: "a type of personal information is no longer looked for",
    find: piiTypesGone,
  },
  {
    code: "custom-pii-gone",
    effect: "weakens",
    kinds: ["policy"],
    on: "change",
    meaning: "an item of `custom_pii` is removed (items are compared by label)",
    find: customPiiGone,
  },
  {
    code: "allowed-topics-emptied",
    effect: "weakens",
    kinds: ["policy"],
    on: "change",
    meaning:
      "the list of allowed topics is empty or removed; whether that allows any topic is not documented",
    find: allowedTopicsEmptied,
  },
  // Other reach.
  {
    code: "agent-gained",
    effect: "widens",
    kinds: ["agent"],
    on: "change",
    meaning: "the agent refers to a further agent",
    find: agentsGained,
  },
  {
    code: "provider-changed",
    effect: "widens",
    kinds: ["agent", "credential"],
    on: "change",
    meaning: "the provider is different",
    find: fieldChanged("provider_id"),
  },
  {
    code: "model-changed",
    effect: "widens",
    kinds: ["agent"],
    on: "change",
    meaning: "the agent has a different model",
    find: fieldChanged("model"),
  },
  {
    code: "tool-gained",
    effect: "widens",
    kinds: ["agent"],
    on: "change",
    meaning: "the agent has a new tool that reads (GET, HEAD, OPTIONS), or that is given only by its ID",
    find: toolsGained,
  },
  {
    code: "protect-removed",
    effect: "widens",
    kinds: kindNames,
    on: "change",
    meaning: "`lifecycle.protect` is removed",
    find: protectRemoved,
  },
  // How a guard works.
  {
    code: "policy-feature-changed",
    effect: "weakens",
    kinds: ["agent"],
    on: "change",
    meaning: "a feature with a policy has changed in something other than its priority",
    find: policyFeatureChanged,
  },
  {
    code: "policy-priority-changed",
    effect: "weakens",
    kinds: ["agent"],
    on: "change",
    meaning: "the priority of a feature with a policy has changed, which may change the order of checks",
    find: policyPriorityChanged,
  },
  {
    code: "threshold-changed",
    effect: "weakens",
    kinds: ["policy"],
    on: "change",
    meaning: "the threshold of a check has changed; which direction is stricter is not documented",
    find: settingChanged("threshold"),
  },
  {
    code: "check-action-changed",
    effect: "weakens",
    kinds: ["policy"],
    on: "change",
    meaning: "the `action` of a check has changed; what the actions do is not documented",
    find: settingChanged("action"),
  },
  {
    code: "pii-type-changed",
    effect: "weakens",
    kinds: ["policy"],
    on: "change",
    meaning: "a type of personal information has a different value; what the values mean is not documented",
    find: piiTypesChanged,
  },
  {
    code: "custom-pii-changed",
    effect: "weakens",
    kinds: ["policy"],
    on: "change",
    meaning: "an item of `custom_pii` has a different replacement, action or other field",
    find: customPiiChanged,
  },
  // What models read, and what they may talk about.
  {
    code: "description-changed",
    effect: "review",
    kinds: ["toolset"],
    on: "change",
    meaning:
      "the summary or description of an operation has changed, or the tool set's own `description` or `enhance_descriptions`; models read them",
    find: descriptionsChanged,
  },
  {
    code: "allowed-topic-added",
    effect: "weakens",
    kinds: ["policy"],
    on: "change",
    meaning: "a topic is newly allowed",
    find: allowedTopicsAdded,
  },
];

const ranks: ReadonlyMap<string, number> = new Map(rules.map(({ code }, index) => [code, index + 1]));

/** Gives the rank of a note by its code, the gravest first: from 1 for rules, and 0 for all else, such as settings. */
export function rankOf(code: string): number {
  return ranks.get(code) ?? 0;
}
