import { kindNames } from "../kind/kinds.js";
import { secretsChanged } from "./default-value.js";
import type { RuleTable } from "./rule.js";
import { fieldChanged, protectRemoved, removalDeletes } from "./settings.js";

/** What a plan points out of resources of several kinds. */
export const resourceRules = {
  "object-deleted": {
    kinds: kindNames,
    on: "delete",
    find: () => [{ parts: {} }],
  },
  "secret-changed": {
    kinds: kindNames,
    on: "change",
    find: secretsChanged,
  },
  "provider-changed": {
    kinds: ["agent", "credential"],
    on: "change",
    find: fieldChanged("provider_id"),
  },
  "protect-removed": {
    kinds: kindNames,
    on: "change",
    find: protectRemoved,
  },
  "removal-deletes": {
    kinds: kindNames,
    on: "change",
    find: removalDeletes,
  },
} satisfies RuleTable;
