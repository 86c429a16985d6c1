import {
  policiesDetached,
  policyFeatureChanged,
  policyFeaturesGone,
  policyPriorityChanged,
} from "./agent-policy.js";
import { agentsGained, toolsGained, writingToolsGained } from "./agent-reach.js";
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
import { kindNames } from "../kind/kinds.js";
import type { Rule } from "./rule.js";
import { fieldChanged, protectRemoved } from "./settings.js";
import { hostsAdded, secretHeadersChanged, securityDropped } from "./toolset.js";

const policyWeakens = { effect: "weakens", kinds: ["policy"], on: "change" } as const;
const toolsetWidens = { effect: "widens", kinds: ["toolset"], on: "change" } as const;
const agentWeakens = { effect: "weakens", kinds: ["agent"], on: "change" } as const;
const agentWidens = { effect: "widens", kinds: ["agent"], on: "change" } as const;

/** Every sort of change that a plan points out as weakening or widening. */
export const rules: readonly Rule[] = [
  {
    ...policyWeakens,
    code: "check-off",
    meaning: "a check that was there is gone, switched off, or no longer said to be on",
    find: checksOff,
  },
  {
    ...policyWeakens,
    code: "banned-topic-gone",
    meaning: "a topic is banned no longer",
    find: itemsGone("banned_topics", "topics", "bans"),
  },
  {
    ...policyWeakens,
    code: "allowed-topic-added",
    meaning: "a topic is newly allowed",
    find: allowedTopicsAdded,
  },
  {
    ...policyWeakens,
    code: "allowed-topics-emptied",
    meaning: "the list of allowed topics is empty or gone; whether that allows any topic is not documented",
    find: allowedTopicsEmptied,
  },
  {
    ...policyWeakens,
    code: "keyword-gone",
    meaning: "a keyword is looked for no longer",
    find: itemsGone("keywords", "keywords", "looks for"),
  },
  {
    ...policyWeakens,
    code: "threshold-changed",
    meaning: "the threshold of a check is another; which way is stricter is not documented",
    find: settingChanged("threshold"),
  },
  {
    ...policyWeakens,
    code: "check-action-changed",
    meaning: "the `action` of a check is another; what the actions do is not documented",
    find: settingChanged("action"),
  },
  {
    ...policyWeakens,
    code: "pii-type-gone",
    meaning: "a type of personal information is looked for no longer",
    find: piiTypesGone,
  },
  {
    ...policyWeakens,
    code: "pii-type-changed",
    meaning: "a type of personal information has another value; what the values mean is not documented",
    find: piiTypesChanged,
  },
  {
    ...policyWeakens,
    code: "custom-pii-gone",
    meaning: "an item of `custom_pii` is gone, by its label",
    find: customPiiGone,
  },
  {
    ...policyWeakens,
    code: "custom-pii-changed",
    meaning: "an item of `custom_pii` has another replacement, action or other field",
    find: customPiiChanged,
  },
  {
    ...policyWeakens,
    on: "forget",
    code: "policy-forgotten",
    meaning: "the document of a policy is gone: its object stays in the service, and nobody manages it",
    find: () => [
      { message: "is forgotten: its object stays in the service, and nothing manages it any more" },
    ],
  },
  {
    ...agentWeakens,
    code: "policy-detached",
    meaning: "the agent no longer refers to a policy, or names it inside of a longer text alone",
    find: policiesDetached,
  },
  {
    ...agentWeakens,
    code: "policy-feature-gone",
    meaning:
      "a feature that held a policy is gone or holds it no longer, while the agent has the policy elsewhere",
    find: policyFeaturesGone,
  },
  {
    ...agentWeakens,
    code: "policy-feature-changed",
    meaning: "something else than the priority changed in a feature that holds a policy",
    find: policyFeatureChanged,
  },
  {
    ...agentWeakens,
    code: "policy-priority-changed",
    meaning: "the priority of a feature that holds a policy is another, which may change the order of checks",
    find: policyPriorityChanged,
  },
  {
    ...toolsetWidens,
    effect: "weakens",
    code: "security-dropped",
    meaning: "the OpenAPI document can be called with less than every way to call it asked for before",
    find: securityDropped,
  },
  {
    ...toolsetWidens,
    code: "host-added",
    meaning: "the servers of the OpenAPI document name a host that they did not name",
    find: hostsAdded,
  },
  {
    ...toolsetWidens,
    code: "secret-header-changed",
    meaning:
      "a default header that carries a secret is new, another, or gone; a new revision of the same variable is none",
    find: secretHeadersChanged,
  },
  {
    ...agentWidens,
    code: "tool-gained",
    meaning:
      "the agent has a tool that it had not, which reads (GET, HEAD, OPTIONS) or is given by its ID alone",
    find: toolsGained,
  },
  {
    ...agentWidens,
    code: "writing-tool-gained",
    meaning: "the agent has a tool that it had not, of any other method",
    find: writingToolsGained,
  },
  {
    ...agentWidens,
    code: "agent-gained",
    meaning: "the agent refers to another agent that it did not refer to",
    find: agentsGained,
  },
  {
    ...agentWidens,
    code: "model-changed",
    meaning: "the agent has another model",
    find: fieldChanged("model"),
  },
  {
    ...agentWidens,
    kinds: ["agent", "credential"],
    code: "provider-changed",
    meaning: "another provider",
    find: fieldChanged("provider_id"),
  },
  {
    ...agentWidens,
    code: "credential-changed",
    meaning: "the agent has another credential for its model",
    find: fieldChanged("llm_credential_id"),
  },
  {
    code: "protect-removed",
    effect: "widens",
    kinds: kindNames,
    on: "change",
    meaning: "`lifecycle.protect` is taken away",
    find: protectRemoved,
  },
];
