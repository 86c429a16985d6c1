// Generated from schemas/plan.schema.json; do not edit.

import type { Json, JsonObject } from "../json/json.js";

/**
 * What the workspace was compared with: the lock, or null when nothing was ever applied.
 */
export type PlanLock = {
  /**
   * Where the lock was read, such as `agentform.lock`.
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
 * What an apply will do to bring the service from what was last applied to what the workspace says.
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
  /**
   * The options that shaped the plan.
   */
  options: JsonObject;
  /**
   * Whether the plan was narrowed to a part of the workspace.
   */
  partial: boolean;
  /**
   * The digest of what an apply of this plan does and of what is shown of it: the actions with their changes, bodies, documents and the lock entries that they read or write, the edits of the state, the settings and what differs in them, and the notes.
   */
  digest: string;
  /**
   * What the change does to the state itself, which applies and `agentform lock` write; absent where it does nothing.
   */
  state_changes?: StateChange[];
  settings?: PlanSettings;
  /**
   * How the settings differ from those of the last apply; absent if they do not.
   */
  setting_changes?: Change[];
  /**
   * What the plan weakens or widens.
   */
  notes: GuardrailNote[];
  /**
   * The actions in an order that respects every reference; the unchanged are left out.
   */
  actions: Action[];
  summary: PlanSummary;
  /**
   * Warnings and notes of the workspace.
   */
  diagnostics: PlanDiagnostic[];
  /**
   * In a saved plan: the whole documents of which the bodies hold outlines, by address and field.
   */
  documents?: {
    [k: string]: JsonObject;
  };
  /**
   * In a saved plan: the digest of all the rest of it.
   */
  checksum?: string;
}
/**
 * One part of the state that the change edits: an entry, or a member such as the lineage.
 */
export interface StateChange {
  /**
   * The member of the lock, such as `resources`, `retired`, `unknown` or `service`.
   */
  part: string;
  /**
   * The entry's address, or the ID of a retired object; absent for a member without entries.
   */
  key?: string;
  /**
   * The address that the entry is about.
   */
  address?: string;
  /**
   * What was done to it.
   */
  edit: "added" | "removed" | "changed";
  /**
   * The digest of what it was, null where it was not there.
   */
  before: string | null;
  /**
   * The digest of what it is, null where it is gone.
   */
  after: string | null;
  /**
   * The differences, field by field.
   */
  changes: Change[];
}
/**
 * One difference between what was last applied and what the workspace says.
 */
export interface Change {
  /**
   * The field, such as `features[RAI].config.policy_id`.
   */
  path: string;
  /**
   * What was last applied; absent if the field is new.
   */
  before?: Json;
  /**
   * What the workspace says; absent if the field is gone.
   */
  after?: Json;
  /**
   * The list holds the same items in another order.
   */
  order?: true;
  /**
   * The values are an outline of an OpenAPI document, or a part of one; any other value is as the document has it.
   */
  outline?: true;
  /**
   * References here that get a new ID while their text stays.
   */
  references?: string[];
}
/**
 * The settings of a manifest that change what is sent, where to, or how an answer is read; those that are the default are left out.
 */
export interface PlanSettings {
  service?: PlanSettingsService;
  lock?: PlanSettingsLock;
}
/**
 * Where the service is, and how this deployment of it answers.
 */
export interface PlanSettingsService {
  /**
   * The address of the tool, credential and agent operations; `emulator` for the emulator.
   */
  base_url?: string;
  /**
   * The address of the policy operation.
   */
  rai_base_url?: string;
  /**
   * The API key as the manifest has it, its environment variables symbolic.
   */
  api_key?: string;
  /**
   * The names on the wire of fields that the deployment calls otherwise.
   */
  field_names?: {
    [k: string]: string;
  };
  /**
   * How the IDs of an answer belong to operations.
   */
  tool_ids?: string;
  /**
   * Where an answer keeps its ID, by kind.
   */
  id_pointers?: {
    [k: string]: string;
  };
  /**
   * The 5xx statuses that mean that nothing was done.
   */
  rejected_statuses?: number[];
}
/**
 * Where lock and journal are kept, if not in files beside the manifest.
 */
export interface PlanSettingsLock {
  /**
   * The store that keeps lock and journal.
   */
  store?: string;
  /**
   * The git remote of the store.
   */
  remote?: string;
  /**
   * The git ref of the store.
   */
  ref?: string;
}
/**
 * A change that makes an agent less guarded or gives it a wider reach.
 */
export interface GuardrailNote {
  /**
   * The rule's stable code.
   */
  code: string;
  /**
   * What the change does.
   */
  effect: "weakens" | "widens";
  /**
   * The resource that changes, or `agentform.yaml` for a setting.
   */
  address: string;
  /**
   * What changes, in a sentence.
   */
  message: string;
  /**
   * The field, as in the action's changes, or the setting.
   */
  path?: string;
}
/**
 * What is done to one resource.
 */
export interface Action {
  /**
   * The resource's address.
   */
  address: string;
  /**
   * What is done.
   */
  action: "create" | "update" | "replace" | "adopt" | "forget" | "record" | "unknown" | "blocked";
  /**
   * Why, in sentences.
   */
  reasons: string[];
  /**
   * The differences.
   */
  changes: Change[];
  /**
   * The resources that depend on this one, directly or through others; the nearest, if there are more than 100.
   */
  affects: string[];
  /**
   * More resources depend on this one than `affects` has.
   */
  affects_more?: true;
  /**
   * Actions of this plan that are done before.
   */
  waits_for: string[];
  /**
   * The digests of the lock entries that the action reads or writes, null where there is none.
   */
  reads: {
    [k: string]: string | null;
  };
  /**
   * The document's file, or the one that it was last seen in.
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
  /**
   * The `lifecycle.moved_from` that are honoured with the entry.
   */
  moved_from?: string[];
  /**
   * How many objects stay behind in the service.
   */
  leaves?: number;
  /**
   * The requests that the action sends, as method and path.
   */
  requests?: string[];
  /**
   * The fields of the body that an update must bring over.
   */
  fields?: string[];
  /**
   * The `lifecycle.adopt` that is honoured with the entry.
   */
  adopted?: string | string[];
  /**
   * The IDs that the object has now.
   */
  ids?: string[];
  /**
   * The address that the lock entry moves from.
   */
  from?: string;
  /**
   * For a tool set that is adopted or updated: which operation is which tool.
   */
  tools?: {
    [k: string]: string;
  };
  /**
   * The body is recorded as if the service had it, and never compared with it.
   */
  assumed?: boolean;
}
/**
 * How many actions of each sort there are, and how many resources are unchanged.
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
   * Objects to create anew, the old ones staying behind.
   */
  replace: number;
  /**
   * Objects that exist to take over.
   */
  adopt: number;
  /**
   * Objects to manage no longer.
   */
  forget: number;
  /**
   * Changes of the lock alone.
   */
  record: number;
  /**
   * Creates whose outcome is unknown.
   */
  unknown: number;
  /**
   * Resources that wait for something that this plan cannot give.
   */
  blocked: number;
  /**
   * Resources with nothing to do.
   */
  unchanged: number;
}
/**
 * One problem with its place and a way out.
 */
export interface PlanDiagnostic {
  /**
   * The problem's stable code.
   */
  code: string;
  /**
   * How bad it is.
   */
  severity: "error" | "warning" | "note";
  /**
   * What is wrong, naming the offending value.
   */
  message: string;
  /**
   * What to do about it.
   */
  hint?: string;
  /**
   * The resource concerned.
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
  related?: PlanRelatedPlace[];
}
/**
 * Another place that belongs to a problem.
 */
export interface PlanRelatedPlace {
  /**
   * What is there.
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
