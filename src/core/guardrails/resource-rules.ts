import { kindNames } from "../kind/kinds.js";
import { secretsChanged } from "./default-value.js";
import type { RuleTable } from "./rule.js";
import { fieldChanged, protectRemoved, removalDeletes } from "./settings.js";

/** What a plan points out of resources of several kinds. */
export const resourceRules = {
  "object-deleted": {
    kinds: kindNames,
    on: "delete",
    meaning: "the document is removed, and its object is deleted in the service",
    find: () => [{ parts: {} }],
  },
  "secret-changed": {
    kinds: kindNames,
    on: "change",
    meaning:
      "any other value holds different secret variables than before, such as a query parameter, a key or a credential",
    find: secretsChanged,
  },
  "provider-changed": {
    kinds: ["agent", "credential"],
    on: "change",
    meaning: "the provider is different",
    find: fieldChanged("provider_id"),
  },
  "protect-removed": {
    kinds: kindNames,
    on: "change",
    meaning: "`lifecycle.protect` is removed",
    find: protectRemoved,
  },
  "removal-deletes": {
    kinds: kindNames,
    on: "change",
    meaning: "`lifecycle.on_removal` becomes `delete`",
    find: removalDeletes,
  },
} satisfies RuleTable;
