// Generated from schemas/lock.schema.json; do not edit.

import type { JsonObject } from "../json/json.js";

/**
 * The document said that the object is deleted when the document is removed.
 */
export type RecordedRemoval = "delete";
/**
 * The address of a resource: the prefix of its kind and its key.
 */
export type Address = string;

/**
 * The lock of one environment of a workspace: the IDs of its objects and the bodies that were last sent for them.
 */
export interface Lock {
  /**
   * The format of this file and its version.
   */
  format: "agentform/lock/v1";
  /**
   * The workspace's name in its manifest.
   */
  workspace: string;
  /**
   * The environment's name, or null for the default one.
   */
  environment: string | null;
  /**
   * A random name from the first write; all versions of one lock have the same.
   */
  lineage: string;
  /**
   * The number of writes of this lock.
   */
  serial: number;
  /**
   * The names of the last hundred writes that this lock contains, newest first: each is the nonce of the apply or command that wrote it.
   */
  writes?: string;
  service?: LockService;
  settings?: AppliedSettings;
  /**
   * The managed objects by address.
   */
  resources: {
    [k: string]: LockEntry;
  };
  /**
   * Objects that still exist in the service but are not managed any more, by ID.
   */
  retired: {
    [k: string]: RetiredObject;
  };
  /**
   * The last thousand objects that were deleted, by kind and ID, each with the serial of the lock without it: an ID that is here was not lost.
   */
  deleted?: {
    [k: string]: number;
  };
  /**
   * The serial up to which `deleted` is not complete, because there were more.
   */
  deleted_before?: number;
  /**
   * Creates with an unknown outcome, by address.
   */
  unknown: {
    [k: string]: UnknownCreate;
  };
}
/**
 * The service to which the IDs belong.
 */
export interface LockService {
  /**
   * The address of the tool, credential and agent operations; `emulator` for the emulator.
   */
  base_url: string;
  /**
   * The address of the policy operation, if it is different.
   */
  rai_base_url?: string;
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
 * One managed object.
 */
export interface LockEntry {
  /**
   * The object's ID; missing if the service's answer had none.
   */
  id?: string;
  /**
   * The IDs of a tool set's tools, in the order of the answer.
   */
  ids?: string[];
  /**
   * The ID of the tool for each operation, by operationId or `METHOD /path`.
   */
  tools?: {
    [k: string]: string;
  };
  /**
   * The answer for each tool of a set, if it is not clear yet which member is its ID.
   */
  candidates?: {
    [k: string]: string;
  }[];
  /**
   * The body that was last sent to the service, with references and secrets symbolic.
   */
  body: JsonObject;
  references?: ResolvedReferences;
  /**
   * The digest of the body.
   */
  digest: string;
  /**
   * The name of the write that last changed this entry.
   */
  write?: string;
  /**
   * The file in which the document was last found.
   */
  file?: string;
  /**
   * Whether the document was protected at the last apply.
   */
  protect?: boolean;
  on_removal?: RecordedRemoval;
  /**
   * The `lifecycle.adopt` that was carried out.
   */
  adopted?: string | string[];
  /**
   * The body was never sent: the adopted object is assumed to have it.
   */
  assumed?: boolean;
  /**
   * The `lifecycle.moved_from` that were carried out.
   */
  moved_from?: string[];
  /**
   * The content of the object is not known: the outcome of its last update is unknown, or it was adopted and not updated since.
   */
  uncertain?: boolean;
  baseline?: Baseline;
  /**
   * The body of an update with an unknown outcome.
   */
  attempted?: JsonObject;
}
/**
 * The resolved value of each reference in the body: an ID, or for a whole tool set a list of IDs.
 */
export interface ResolvedReferences {
  [k: string]: string | string[];
}
/**
 * What was found when the object was read: no edit of somebody.
 */
export interface Baseline {
  /**
   * What the service has beyond what was sent, by JSON pointer: numbers, true and false as they are, other values as digests.
   */
  own: JsonObject;
  /**
   * The JSON pointers of what was sent and is not in the answers.
   */
  hidden: string[];
}
/**
 * One object that is left behind in the service.
 */
export interface RetiredObject {
  /**
   * Its last address.
   */
  address: Address;
  /**
   * For a tool of a tool set: its operation.
   */
  operation?: string;
  /**
   * Why it is not managed any more; `gone` if the service did not have it any more when it was read.
   */
  reason: "replaced" | "forgotten" | "gone";
  /**
   * The body that was last sent for it.
   */
  body?: JsonObject;
  /**
   * When a delete was sent for it whose outcome is unknown, in ISO 8601: it may not exist any more.
   */
  delete_sent?: string;
  /**
   * The addresses that referred to it when it was retired.
   */
  used_by?: string[];
}
/**
 * One create with an unknown outcome.
 */
export interface UnknownCreate {
  /**
   * The interrupted action.
   */
  operation: "create" | "replace";
  /**
   * When the request began, in ISO 8601.
   */
  since: string;
  /**
   * The method of the request.
   */
  method: string;
  /**
   * The path of the request.
   */
  path: string;
  /**
   * The status of the answer, if there was one.
   */
  status?: number;
  /**
   * The answer's request ID, if there was one.
   */
  request_id?: string;
  /**
   * What is known about the outcome.
   */
  message?: string;
  /**
   * The beginning of the answer, redacted.
   */
  answer?: string;
  /**
   * IDs that the service answered both for it and for a different address, so it is not certain that they are its own.
   */
  ids?: string[];
  /**
   * For a tool set: the operation of each of these IDs.
   */
  tools?: {
    [k: string]: string;
  };
  /**
   * The body that was sent, with references and secrets symbolic.
   */
  body: JsonObject;
  references?: ResolvedReferences;
  /**
   * The tools of a set that a person has found, operation to ID, while others are still unknown.
   */
  found?: {
    [k: string]: string;
  };
  /**
   * The digest of the body.
   */
  digest: string;
  /**
   * The file of the document.
   */
  file?: string;
  /**
   * Whether the document is protected.
   */
  protect?: boolean;
  on_removal?: RecordedRemoval;
  /**
   * Lifecycle marks to keep with the entry.
   */
  moved_from?: string[];
  /**
   * Those of the old IDs that the service did not have any more when it was read.
   */
  gone?: string[];
}
