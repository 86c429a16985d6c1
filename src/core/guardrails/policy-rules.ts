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
    meaning: "a check is removed, switched off, or no longer explicitly on",
    find: checksOff,
  },
  "policy-forgotten": {
    kinds: ["policy"],
    on: "forget",
    meaning: "the document of a policy is removed: its object stays in the service, unmanaged",
    find: () => [{ parts: { gone: false } }],
  },
  "policy-without-checks": {
    kinds: ["policy"],
    on: "create",
    meaning: "every check of a new policy is off, or it has none",
    find: checksMissing,
  },
  "banned-topic-gone": {
    kinds: ["policy"],
    on: "change",
    meaning: "a topic is no longer banned",
    find: itemsGone("banned_topics", "topics"),
  },
  "keyword-gone": {
    kinds: ["policy"],
    on: "change",
    meaning: "a keyword is no longer looked for",
    find: itemsGone("keywords", "keywords"),
  },
  "pii-type-gone": {
    kinds: ["policy"],
    on: "change",
    meaning: "a type of personal information is no longer looked for",
    find: piiTypesGone,
  },
  "custom-pii-gone": {
    kinds: ["policy"],
    on: "change",
    meaning: "an item of `custom_pii` is removed (items are compared by label)",
    find: customPiiGone,
  },
  "allowed-topics-emptied": {
    kinds: ["policy"],
    on: "change",
    meaning:
      "the list of allowed topics is empty or removed; whether that allows any topic is not documented",
    find: allowedTopicsEmptied,
  },
  "threshold-changed": {
    kinds: ["policy"],
    on: "change",
    meaning: "the threshold of a check has changed; which direction is stricter is not documented",
    find: settingChanged("threshold"),
  },
  "check-action-changed": {
    kinds: ["policy"],
    on: "change",
    meaning: "the `action` of a check has changed; what the actions do is not documented",
    find: settingChanged("action"),
  },
  "pii-type-changed": {
    kinds: ["policy"],
    on: "change",
    meaning: "a type of personal information has a different value; what the values mean is not documented",
    find: piiTypesChanged,
  },
  "custom-pii-changed": {
    kinds: ["policy"],
    on: "change",
    meaning: "an item of `custom_pii` has a different replacement, action or other field",
    find: customPiiChanged,
  },
  "allowed-topic-added": {
    kinds: ["policy"],
    on: "change",
    meaning: "a topic is newly allowed",
    find: allowedTopicsAdded,
  },
} satisfies RuleTable;
