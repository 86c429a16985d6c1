import { defaultsChanged, secretHeadersChanged } from "./default-value.js";
import { descriptionsChanged } from "./description.js";
import type { RuleTable } from "./rule.js";
import { hostsAdded, securityDropped } from "./toolset.js";

/** What a plan points out of tool sets. */
export const toolsetRules = {
  "security-dropped": {
    kinds: ["toolset"],
    on: "change",
    meaning:
      "the OpenAPI document allows calls with less security than all of its alternatives required before",
    find: securityDropped,
  },
  "host-added": {
    kinds: ["toolset"],
    on: "change",
    meaning: "the servers of the OpenAPI document include a new host",
    find: hostsAdded,
  },
  "secret-header-changed": {
    kinds: ["toolset"],
    on: "change",
    meaning:
      "a default header with a secret is added, changed or removed; a new revision of the same variable does not count",
    find: secretHeadersChanged,
  },
  "default-changed": {
    kinds: ["toolset"],
    on: "change",
    meaning:
      "a default header, query parameter, body parameter or endpoint default without a different secret is added, changed or removed",
    find: defaultsChanged,
  },
  "description-changed": {
    kinds: ["toolset"],
    on: "change",
    meaning:
      "the summary or description of an operation has changed, or the tool set's own `description` or `enhance_descriptions`; models read them",
    find: descriptionsChanged,
  },
} satisfies RuleTable;
