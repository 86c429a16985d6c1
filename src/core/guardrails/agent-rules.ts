import {
  featuresGone,
  policiesDetached,
  policyFeatureChanged,
  policyFeaturesGone,
  policyPriorityChanged,
} from "./agent-policy.js";
import { agentsGained, toolsGained, writingToolsGained } from "./agent-reach.js";
import { policyMissing } from "./creation.js";
import { prohibitionsLost } from "./prompt.js";
import type { RuleTable } from "./rule.js";
import { fieldChanged } from "./settings.js";

/** What a plan points out of agents. */
export const agentRules = {
  "policy-detached": {
    kinds: ["agent"],
    on: "change",
    meaning: "the agent no longer refers to a policy, or only inside a longer text",
    find: policiesDetached,
  },
  "policy-feature-gone": {
    kinds: ["agent"],
    on: "change",
    meaning:
      "a feature with a policy is removed or no longer has it, while the agent has the policy elsewhere",
    find: policyFeaturesGone,
  },
  "feature-removed": {
    kinds: ["agent"],
    on: "change",
    meaning: "a feature without a policy is removed; what each feature guards is not documented",
    find: featuresGone,
  },
  "agent-without-policy": {
    kinds: ["agent"],
    on: "create",
    meaning: "a new agent has no policy, while other agents of the workspace have one",
    find: policyMissing,
  },
  "writing-tool-gained": {
    kinds: ["agent"],
    on: "change",
    meaning: "the agent has a new tool with any other method than GET, HEAD and OPTIONS",
    find: writingToolsGained,
  },
  "credential-changed": {
    kinds: ["agent"],
    on: "change",
    meaning: "the agent has a different credential for its model",
    find: fieldChanged("llm_credential_id"),
  },
  "prohibition-lost": {
    kinds: ["agent"],
    on: "change",
    meaning: "a text of the agent no longer has a sentence that forbids something, or has it in other words",
    find: prohibitionsLost,
  },
  "agent-gained": {
    kinds: ["agent"],
    on: "change",
    meaning: "the agent refers to a further agent",
    find: agentsGained,
  },
  "model-changed": {
    kinds: ["agent"],
    on: "change",
    meaning: "the agent has a different model",
    find: fieldChanged("model"),
  },
  "tool-gained": {
    kinds: ["agent"],
    on: "change",
    meaning: "the agent has a new tool that reads (GET, HEAD, OPTIONS), or that is given only by its ID",
    find: toolsGained,
  },
  "policy-feature-changed": {
    kinds: ["agent"],
    on: "change",
    meaning: "a feature with a policy has changed in something other than its priority",
    find: policyFeatureChanged,
  },
  "policy-priority-changed": {
    kinds: ["agent"],
    on: "change",
    meaning: "the priority of a feature with a policy has changed, which may change the order of checks",
    find: policyPriorityChanged,
  },
} satisfies RuleTable;
