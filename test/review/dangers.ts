import { agentDangers } from "./agent-dangers.js";
import type { Danger } from "./danger.js";
import { policyDangers } from "./policy-dangers.js";
import { toolsetDangers } from "./toolset-dangers.js";
import { workspaceDangers } from "./workspace-dangers.js";

/** Every danger that is planted. */
export const dangers: readonly Danger[] = [
  ...agentDangers,
  ...policyDangers,
  ...toolsetDangers,
  ...workspaceDangers,
];
