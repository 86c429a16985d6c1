import { checksMissing } from "./creation.js";
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
import type { RuleTable } from "./rule.js";

/** What a plan points out of policies. */
export const policyRules = {
  "check-off": {
    kinds: ["policy"],
    on: "change",
    find: checksOff,
  },
  "policy-forgotten": {
    kinds: ["policy"],
    on: "forget",
    find: () => [{ parts: { gone: false } }],
  },
  "policy-without-checks": {
    kinds: ["policy"],
    on: "create",
    find: checksMissing,
  },
  "banned-topic-gone": {
    kinds: ["policy"],
    on: "change",
    find: itemsGone("banned_topics", "topics"),
  },
  "keyword-gone": {
    kinds: ["policy"],
    on: "change",
    find: itemsGone("keywords", "keywords"),
  },
  "pii-type-gone": {
    kinds: ["policy"],
    on: "change",
    find: piiTypesGone,
  },
  "custom-pii-gone": {
    kinds: ["policy"],
    on: "change",
    find: customPiiGone,
  },
  "allowed-topics-emptied": {
    kinds: ["policy"],
    on: "change",
    find: allowedTopicsEmptied,
  },
  "threshold-changed": {
    kinds: ["policy"],
    on: "change",
    find: settingChanged("threshold"),
  },
  "check-action-changed": {
    kinds: ["policy"],
    on: "change",
    find: settingChanged("action"),
  },
  "pii-type-changed": {
    kinds: ["policy"],
    on: "change",
    find: piiTypesChanged,
  },
  "custom-pii-changed": {
    kinds: ["policy"],
    on: "change",
    find: customPiiChanged,
  },
  "allowed-topic-added": {
    kinds: ["policy"],
    on: "change",
    find: allowedTopicsAdded,
  },
} satisfies RuleTable;
