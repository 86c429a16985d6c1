import { hash } from "./digest.js";
import { loadWorkspace as load, type LoadedWorkspace, type LoadOptions } from "./workspace/load-workspace.js";

export { apply } from "./sync/apply.js";
export { plan } from "./sync/plan.js";
export { validate } from "./sync/validate.js";
export type { ApplyRequest, ApplyResult, PlanRequest, PlanResult, WorkspaceOptions } from "./sync/request.js";
export type { ApplyEvent, ApplySummary } from "./core/apply/apply-event.js";
export type { Diagnostic } from "./core/finding/diagnostic.js";
export type { Action, Change, GuardrailNote, Plan, PlanSummary } from "./generated/plan.js";
export type { Lock, LockEntry, RetiredObject, UnknownCreate } from "./generated/lock.js";
export type { AgentDocument } from "./generated/agent.js";
export type { CredentialDocument } from "./generated/credential.js";
export type { PolicyDocument } from "./generated/policy.js";
export type { ToolSetDocument } from "./generated/toolset.js";
export type { WorkspaceManifest } from "./generated/workspace.js";
export { environmentSecrets } from "./service/secret.js";
export { targetOf } from "./service/target.js";
export { version } from "./version.js";
export type { LoadedWorkspace, LoadOptions };

/** Reads and checks a workspace; problems are located diagnostics, all of them at once. */
export function loadWorkspace(options: LoadOptions): LoadedWorkspace {
  return load(options, hash);
}
