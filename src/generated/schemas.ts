// Generated from schemas/*.schema.json; do not edit.

/** Loads a schema by its name. */
export const schemas = {
  agent: () => import("../../schemas/agent.schema.json", { with: { type: "json" } }),
  credential: () => import("../../schemas/credential.schema.json", { with: { type: "json" } }),
  diagnostics: () => import("../../schemas/diagnostics.schema.json", { with: { type: "json" } }),
  journal: () => import("../../schemas/journal.schema.json", { with: { type: "json" } }),
  lock: () => import("../../schemas/lock.schema.json", { with: { type: "json" } }),
  observation: () => import("../../schemas/observation.schema.json", { with: { type: "json" } }),
  plan: () => import("../../schemas/plan.schema.json", { with: { type: "json" } }),
  policy: () => import("../../schemas/policy.schema.json", { with: { type: "json" } }),
  toolset: () => import("../../schemas/toolset.schema.json", { with: { type: "json" } }),
  workspace: () => import("../../schemas/workspace.schema.json", { with: { type: "json" } }),
} as const;
