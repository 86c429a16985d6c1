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
    find: policiesDetached,
  },
  "policy-feature-gone": {
    kinds: ["agent"],
    on: "change",
    find: policyFeaturesGone,
  },
  "feature-removed": {
    kinds: ["agent"],
    on: "change",
    find: featuresGone,
  },
  "agent-without-policy": {
    kinds: ["agent"],
    on: "create",
    find: policyMissing,
  },
  "writing-tool-gained": {
    kinds: ["agent"],
    on: "change",
    find: writingToolsGained,
  },
  "credential-changed": {
    kinds: ["agent"],
    on: "change",
    find: fieldChanged("llm_credential_id"),
  },
  "prohibition-lost": {
    kinds: ["agent"],
    on: "change",
    find: prohibitionsLost,
  },
  "agent-gained": {
    kinds: ["agent"],
    on: "change",
    find: agentsGained,
  },
  "model-changed": {
    kinds: ["agent"],
    on: "change",
    find: fieldChanged("model"),
  },
  "tool-gained": {
    kinds: ["agent"],
    on: "change",
    find: toolsGained,
  },
  "policy-feature-changed": {
    kinds: ["agent"],
    on: "change",
    find: policyFeatureChanged,
  },
  "policy-priority-changed": {
    kinds: ["agent"],
    on: "change",
    find: policyPriorityChanged,
  },
} satisfies RuleTable;
