import { defaultsChanged, secretHeadersChanged } from "./default-value.js";
import { descriptionsChanged } from "./description.js";
import type { RuleTable } from "./rule.js";
import { hostsAdded, securityDropped } from "./toolset.js";

/** What a plan points out of tool sets. */
export const toolsetRules = {
  "security-dropped": {
    kinds: ["toolset"],
    on: "change",
    find: securityDropped,
  },
  "host-added": {
    kinds: ["toolset"],
    on: "change",
    find: hostsAdded,
  },
  "secret-header-changed": {
    kinds: ["toolset"],
    on: "change",
    find: secretHeadersChanged,
  },
  "default-changed": {
    kinds: ["toolset"],
    on: "change",
    find: defaultsChanged,
  },
  "description-changed": {
    kinds: ["toolset"],
    on: "change",
    find: descriptionsChanged,
  },
} satisfies RuleTable;
