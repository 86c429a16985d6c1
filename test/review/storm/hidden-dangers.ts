import { dangersInAgents } from "./dangers-in-agents.js";
import { dangersInCalls } from "./dangers-in-calls.js";
import { dangersInPolicies } from "./dangers-in-policies.js";
import { dangersInPrompts } from "./dangers-in-prompts.js";
import { dangersInWorkspace } from "./dangers-in-workspace.js";
import type { HiddenDanger } from "./hidden-danger.js";

/** Every sort of danger that storms have. */
export const hiddenDangers: readonly HiddenDanger[] = [
  ...dangersInPrompts,
  ...dangersInAgents,
  ...dangersInPolicies,
  ...dangersInCalls,
  ...dangersInWorkspace,
];
