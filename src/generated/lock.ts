// Generated from schemas/lock.schema.json; do not edit.

import type { JsonObject } from "../json/json.js";

/**
 * The lock of one environment of a workspace: the IDs of its objects and what the service was last told of them.
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
   * A random name given at the first write; two locks of one history share it.
   */
  lineage: string;
  /**
   * Counts the writes of this lock.
   */
  serial: number;
  /**
   * The names of the last hundred writes that this lock rests on, newest first: each the nonce of the apply or command that wrote it.
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
   * Objects that still exist in the service and are no longer managed, by ID.
   */
  retired: {
    [k: string]: RetiredObject;
  };
  /**
   * Creates whose outcome could not be learnt, by address.
   */
  unknown: {
    [k: string]: UnknownCreate;
  };
}
/**
 * The service that the IDs belong to.
 */
export interface LockService {
  /**
   * The address of the tool, credential and agent operations; `emulator` for the emulator.
   */
  base_url: string;
  /**
   * The address of the policy operation, if it is another.
   */
  rai_base_url?: string;
}
/**
 * The settings of a manifest that change what is sent, where to, or how an answer is read; those that are the default are left out.
 */
export interface AppliedSettings {
  service?: AppliedSettingsService;
  lock?: AppliedSettingsLock;
}
/**
 * Where the service is, and how this deployment of it answers.
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
export interface AppliedSettingsLock {
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
 * One managed object.
 */
export interface LockEntry {
  /**
   * The object's ID; absent where the service answers none.
   */
  id?: string;
  /**
   * The IDs of a tool set's tools, in the order of the answer.
   */
  ids?: string[];
  /**
   * Which operation is which tool: operationId or `METHOD /path` to ID.
   */
  tools?: {
    [k: string]: string;
  };
  /**
   * What was answered of each tool of a set, where it is not known yet which member is its ID.
   */
  candidates?: {
    [k: string]: string;
  }[];
  /**
   * What the service was last told, with references and secrets symbolic.
   */
  body: JsonObject;
  references?: ResolvedReferences;
  /**
   * The digest of the body.
   */
  digest: string;
  /**
   * The name of the write in which this entry last changed.
   */
  write?: string;
  /**
   * The file that the document was last seen in.
   */
  file?: string;
  /**
   * Whether the document was protected when last applied.
   */
  protect?: boolean;
  /**
   * The `lifecycle.adopt` that was honoured.
   */
  adopted?: string | string[];
  /**
   * The body was assumed when the object was adopted, never sent.
   */
  assumed?: boolean;
  /**
   * The `lifecycle.moved_from` that were honoured.
   */
  moved_from?: string[];
  /**
   * What the object holds is not known: the outcome of the last update could not be learnt, or it was adopted and not updated since.
   */
  uncertain?: boolean;
  /**
   * The body that an update of unknown outcome tried to bring over.
   */
  attempted?: JsonObject;
}
/**
 * What each reference in the body was resolved to: an ID, or for a whole tool set a list of IDs.
 */
export interface ResolvedReferences {
  [k: string]: string | string[];
}
/**
 * One object left behind in the service.
 */
export interface RetiredObject {
  /**
   * The address that it had.
   */
  address: string;
  /**
   * For one tool of a tool set, its operation.
   */
  operation?: string;
  /**
   * Why it is no longer managed.
   */
  reason: "replaced" | "forgotten";
  /**
   * What the service was last told of it.
   */
  body?: JsonObject;
  /**
   * The addresses that referred to it when it was retired.
   */
  used_by?: string[];
}
/**
 * One create whose outcome could not be learnt.
 */
export interface UnknownCreate {
  /**
   * What was under way.
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
   * What is known of the outcome.
   */
  message?: string;
  /**
   * The start of the answer, redacted.
   */
  answer?: string;
  /**
   * IDs that the service answered for it and for another address, so that it may have them or not.
   */
  ids?: string[];
  /**
   * For a tool set, which operation each of these IDs would be.
   */
  tools?: {
    [k: string]: string;
  };
  /**
   * What was sent, with references and secrets symbolic.
   */
  body: JsonObject;
  references?: ResolvedReferences;
  /**
   * The tools of a set that a person found, operation to ID, while others are still unknown.
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
  /**
   * Lifecycle marks to keep with the entry.
   */
  moved_from?: string[];
}
