// Generated from schemas/plan.schema.json; do not edit.

import type { Json, JsonObject } from "../json/json.js";

/**
 * The lock that the workspace was compared with, or null if nothing was ever applied.
 */
export type PlanLock = {
  /**
   * The source of the lock, such as `agentform.lock`.
   */
  source: string;
  /**
   * The lock's lineage.
   */
  lineage: string;
  /**
   * The lock's serial.
   */
  serial: number;
} | null;
/**
 * The address of a resource: the prefix of its kind and its key.
 */
export type Address = string;
/**
 * The document said that the object is deleted when the document is removed.
 */
export type RecordedRemoval = "delete";

/**
 * The actions of an apply that make the service match the workspace.
 */
export interface Plan {
  /**
   * The format of this plan and its version.
   */
  format: "agentform/plan/v1";
  /**
   * The workspace's name.
   */
  workspace: string;
  /**
   * The environment's name, or null for the default one.
   */
  environment: string | null;
  lock: PlanLock;
  observation?: PlanObservation;
  /**
   * The options that shaped the plan.
   */
  options: JsonObject;
  /**
   * Whether the plan was narrowed to a part of the workspace.
   */
  partial: boolean;
  /**
   * The digest of everything that an apply of this plan does and that the plan shows: the actions with their changes, bodies, documents and the lock entries that they read or write, the edits of the state, the settings and their differences, and the notes.
   */
  digest: string;
  /**
   * The edits that the change makes to the state, which normally only applies and `agentform lock` write; missing if there are none.
   */
  state_changes?: StateChange[];
  settings?: AppliedSettings;
  /**
   * The differences of the settings from those of the last apply; missing if there are none.
   */
  setting_changes?: Change[];
  /**
   * The guardrail notes: what the plan weakens or widens, and what a person must judge; the gravest first.
   */
  notes: GuardrailNote[];
  /**
   * The actions, dependencies first; unchanged resources are left out.
   */
  actions: Action[];
  summary: PlanSummary;
  /**
   * Warnings and notes of the workspace.
   */
  diagnostics: PlanDiagnostic[];
  /**
   * In a saved plan: the complete documents for the outlines in the bodies, by address and field.
   */
  documents?: {
    [k: string]: JsonObject;
  };
  /**
   * In a saved plan: the digest of everything else in it.
   */
  checksum?: string;
  /**
   * The number of distinct edits: an edit that several resources share counts once, and what only follows from other actions does not count.
   */
  edits?: number;
  /**
   * The edits that several resources share, with the same path and the same difference, or with the same changed words in lines that differ; those of the most resources last, each of the two for itself.
   */
  groups?: PlanGroup[];
  /**
   * Of each kind of which several resources change: the resources without a change, so that a reader sees where a shared edit is missing. Not covered by the digest.
   */
  unchanged?: {
    [k: string]: PlanUnchanged;
  };
}
/**
 * What was found in the service and the workspace was compared with as well; missing without. Not covered by the digest: what an action takes from it is.
 */
export interface PlanObservation {
  /**
   * The time at which the service was read, in ISO 8601.
   */
  at: string;
}
/**
 * A part of the state that the change edits: an entry, or a member such as the lineage.
 */
export interface StateChange {
  /**
   * The member of the lock, such as `resources`, `retired`, `unknown` or `service`.
   */
  part: string;
  /**
   * The entry's address, or the ID of a retired object; missing for a member without entries.
   */
  key?: string;
  /**
   * The address of the entry.
   */
  address?: string;
  /**
   * The type of the edit.
   */
  edit: "added" | "removed" | "changed";
  /**
   * The digest before the edit, null if there was nothing.
   */
  before: string | null;
  /**
   * The digest after the edit, null if it was removed.
   */
  after: string | null;
  /**
   * The differences, field by field.
   */
  changes: Change[];
}
/**
 * One difference between the last applied body and the workspace.
 */
export interface Change {
  /**
   * The field, such as `features[RAI].config.policy_id`.
   */
  path: string;
  /**
   * The last applied value; missing if the field is new.
   */
  before?: Json;
  /**
   * The value in the workspace; missing if the field was removed.
   */
  after?: Json;
  /**
   * The list has the same items in a different order.
   */
  order?: true;
  /**
   * The values are an outline of an OpenAPI document, or a part of one; otherwise they are exactly as in the document.
   */
  outline?: true;
  /**
   * References in this field that get a new ID although their text is unchanged.
   */
  references?: string[];
  /**
   * The text is unchanged, and only what it refers to gets a new ID; any other change is an edit.
   */
  consequence?: true;
  /**
   * The value before is what was found in the service, set there since the last apply; the action undoes that.
   */
  undoes?: true;
  /**
   * The service has this beyond what documents say, and it has changed since the last apply.
   */
  own?: true;
  origin?: Origin;
}
/**
 * Where the new value comes from, if not from the document itself: the manifest's defaults, or a patch.
 */
export interface Origin {
  /**
   * The file, relative to the workspace, with `/`.
   */
  file: string;
  /**
   * The line, from 1.
   */
  line?: number;
}
/**
 * The settings of a manifest that change what is sent, where to, or how an answer is read; defaults are left out.
 */
export interface AppliedSettings {
  service?: AppliedSettingsService;
  /**
   * Where lock and journal are stored, as written in the manifest, if not in files beside it.
   */
  lock?: JsonObject;
}
/**
 * The address of the service, and how this deployment answers.
 */
export interface AppliedSettingsService {
  /**
   * The address of the tool, credential and agent operations; `emulator` for the emulator.
   */
  base_url?: string;
  /**
   * The address of the policy operation.
   */
  rai_base_url?: string;
  /**
   * The API key as written in the manifest, with symbolic environment variables.
   */
  api_key?: string;
  /**
   * This deployment's own names of fields, as sent in requests.
   */
  field_names?: {
    [k: string]: string;
  };
  /**
   * How the IDs of an answer are assigned to operations.
   */
  tool_ids?: string;
  /**
   * The place of the ID in an answer, by kind.
   */
  id_pointers?: {
    [k: string]: string;
  };
  /**
   * What the deployment can do beyond the documented operations, by kind, as written in the manifest.
   */
  operations?: JsonObject;
  /**
   * The 5xx statuses that mean that nothing was done.
   */
  rejected_statuses?: number[];
}
/**
 * A change that weakens the guardrails of an agent, widens what it can reach, or needs a person to judge it.
 */
export interface GuardrailNote {
  /**
   * The code of the rule, which stays the same between versions.
   */
  code: string;
  /**
   * The effect of the change; `review` if only a person can judge it.
   */
  effect: "weakens" | "widens" | "review";
  /**
   * The changed resource, or `agentform.yaml` for a setting.
   */
  address: string;
  /**
   * The change, in a sentence.
   */
  message: string;
  /**
   * The field, as in the action's changes, or the setting.
   */
  path?: string;
}
/**
 * The action for one resource.
 */
export interface Action {
  /**
   * The resource's address.
   */
  address: Address;
  /**
   * The type of the action; `changed` and `gone` say what became of an object in the service, and are only in the result of `agentform drift`.
   */
  action:
    | "create"
    | "update"
    | "replace"
    | "adopt"
    | "forget"
    | "delete"
    | "record"
    | "unknown"
    | "blocked"
    | "changed"
    | "gone";
  /**
   * The reasons, in sentences.
   */
  reasons: string[];
  /**
   * The differences.
   */
  changes: Change[];
  /**
   * The resources that depend on this one, directly or through others; the nearest 100, if there are more.
   */
  affects: string[];
  /**
   * True if more resources depend on this one than `affects` lists.
   */
  affects_more?: true;
  /**
   * Actions of this plan that must be done before this one.
   */
  waits_for: string[];
  /**
   * The digests of the lock entries that the action reads or writes, null if there is no entry.
   */
  reads: {
    [k: string]: string | null;
  };
  /**
   * The document's file, or the file in which it was last found.
   */
  file?: string;
  /**
   * The body to send or to record, with references and secrets symbolic and large documents as outlines.
   */
  body?: JsonObject;
  /**
   * Whether the document is protected.
   */
  protect?: boolean;
  on_removal?: RecordedRemoval;
  /**
   * The `lifecycle.moved_from` that this action carries out.
   */
  moved_from?: string[];
  /**
   * How many objects are left behind in the service.
   */
  leaves?: number;
  /**
   * How many objects are deleted at the end of the apply, if nothing uses them any more.
   */
  deletes?: number;
  /**
   * The requests that the action sends, as method and path.
   */
  requests?: string[];
  /**
   * The fields of the body that an update must send.
   */
  fields?: string[];
  /**
   * The `lifecycle.adopt` that this action carries out.
   */
  adopted?: string | string[];
  /**
   * The present IDs of the object.
   */
  ids?: string[];
  /**
   * Those of the IDs that the service did not have any more when it was read; nothing of them is left behind.
   */
  gone?: string[];
  /**
   * The address from which the lock entry is moved.
   */
  from?: string;
  /**
   * For a tool set that is adopted or updated: the ID of the tool for each operation.
   */
  tools?: {
    [k: string]: string;
  };
  /**
   * The body is recorded as if the service had it, without a comparison.
   */
  assumed?: boolean;
  /**
   * The other files that an edited resource is made of: patches, the manifest if it has defaults for it, and included files. The edit may be in one of them, or in the variables of the manifest.
   */
  files?: string[];
}
/**
 * The number of actions of each type, and of unchanged resources.
 */
export interface PlanSummary {
  /**
   * Objects to create.
   */
  create: number;
  /**
   * Objects to update in place.
   */
  update: number;
  /**
   * Objects to create again; the old ones are left behind.
   */
  replace: number;
  /**
   * Objects to delete, as their removed documents asked for; missing if there are none.
   */
  delete?: number;
  /**
   * Existing objects to take over.
   */
  adopt: number;
  /**
   * Objects that will not be managed any more.
   */
  forget: number;
  /**
   * Changes of the lock only.
   */
  record: number;
  /**
   * Creates whose outcome is unknown.
   */
  unknown: number;
  /**
   * Resources that wait for something that this plan does not provide.
   */
  blocked: number;
  /**
   * Objects that were changed in the service; only in the result of `agentform drift`.
   */
  changed?: number;
  /**
   * Objects that the service does not have any more; only in the result of `agentform drift`.
   */
  gone?: number;
  /**
   * Resources without a change.
   */
  unchanged: number;
}
/**
 * One problem, with its place and a hint.
 */
export interface PlanDiagnostic {
  /**
   * The code of the problem, which stays the same between versions.
   */
  code: string;
  /**
   * The severity of the problem.
   */
  severity: "error" | "warning" | "note";
  /**
   * What is wrong, with the wrong value.
   */
  message: string;
  /**
   * How to correct it.
   */
  hint?: string;
  /**
   * The resource with the problem.
   */
  address?: string;
  /**
   * The file, relative to the workspace, with `/`.
   */
  file?: string;
  /**
   * The line, from 1.
   */
  line?: number;
  /**
   * The column, from 1, in UTF-16 code units.
   */
  column?: number;
  /**
   * The line where the place ends.
   */
  end_line?: number;
  /**
   * The column after the place's last character.
   */
  end_column?: number;
  /**
   * Other places that belong to the problem.
   */
  related?: RelatedPlace[];
}
/**
 * A further place that belongs to a problem.
 */
export interface RelatedPlace {
  /**
   * What this place is.
   */
  message: string;
  /**
   * The file, relative to the workspace, with `/`.
   */
  file?: string;
  /**
   * The line, from 1.
   */
  line?: number;
  /**
   * The column, from 1.
   */
  column?: number;
}
/**
 * An edit that several resources share.
 */
export interface PlanGroup {
  change: Change;
  /**
   * Whether only the changed words are the same in all of the resources, and the lines that they are in differ, such as by a value for each resource. The change is that of the first.
   */
  lines_differ?: boolean;
  /**
   * The addresses of the resources, sorted; the change is as in the first of them.
   */
  addresses: string[];
}
/**
 * The resources of one kind without a change.
 */
export interface PlanUnchanged {
  /**
   * How many they are.
   */
  count: number;
  /**
   * The first twenty of their addresses, sorted.
   */
  addresses: Address[];
}
