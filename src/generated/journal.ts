// Generated from schemas/journal.schema.json; do not edit.

import type { JsonObject } from "../json/json.js";

/**
 * The JSON value of one line of the journal beside a lock, after its checksum: the header or a record.
 */
export type JournalLine =
  | JournalHeader
  | BeginRecord
  | DoneRecord
  | RejectedRecord
  | NotSentRecord
  | UnknownRecord
  | ForgetRecord
  | DeleteRecord
  | EntryRecord
  | MoveRecord
  | ClaimRecord
  | ResolvedRecord;
/**
 * An integer that has an exact representation.
 */
export type WholeNumber = number;
/**
 * The address of a resource: the prefix of its kind and its key.
 */
export type Address = string;
/**
 * The document said that the object is deleted when the document is removed.
 */
export type RecordedRemoval = "delete";

/**
 * The first line: the lock that the journal continues.
 */
export interface JournalHeader {
  /**
   * The type of the record.
   */
  type: "header";
  /**
   * The format of the journal and its version.
   */
  format: "agentform/journal/v1";
  /**
   * The workspace's name in its manifest.
   */
  workspace: string;
  /**
   * The environment's name, or null for the default one.
   */
  environment: string | null;
  /**
   * The lineage of the lock.
   */
  lineage: string;
  /**
   * The serial of the lock before the records.
   */
  serial: WholeNumber;
  /**
   * The name of the last write that the lock contains, if it has one.
   */
  after?: string;
  /**
   * The name of the write that puts the records into the lock.
   */
  write?: string;
  service: LockService;
  settings?: AppliedSettings;
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
 * An action begins; written and synced before the first byte of its first request.
 */
export interface BeginRecord {
  /**
   * The type of the record.
   */
  type: "begin";
  /**
   * The number of the action in the journal.
   */
  n: WholeNumber;
  /**
   * The address of the resource.
   */
  address: Address;
  /**
   * What the action does.
   */
  operation: "create" | "replace" | "update";
  /**
   * When it began, in ISO 8601.
   */
  time: string;
  /**
   * The method of the request.
   */
  method: string;
  /**
   * The path of the request.
   */
  path: string;
  /**
   * The body to send, with references and secrets symbolic, and a tool set's operations in order.
   */
  body: JsonObject;
  /**
   * The digest of the body.
   */
  digest: string;
  references?: ResolvedReferences;
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
   * The `lifecycle.adopt` that the action carries out.
   */
  adopted?: string | string[];
  /**
   * The `lifecycle.moved_from` that were carried out.
   */
  moved_from?: string[];
  /**
   * The resources that refer to the replaced object.
   */
  used_by?: string[];
  /**
   * Those of the old IDs that the service did not have any more when it was read.
   */
  gone?: string[];
  baseline?: Baseline;
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
 * The action succeeded; the IDs of the answer, recorded before anything uses them.
 */
export interface DoneRecord {
  /**
   * The type of the record.
   */
  type: "done";
  /**
   * The number of the action in the journal.
   */
  n: WholeNumber;
  /**
   * The object's ID; missing if the answer had none.
   */
  id?: string;
  /**
   * The IDs of a tool set's tools, in the order of the answer.
   */
  ids?: string[];
  /**
   * The ID of the tool for each operation.
   */
  tools?: {
    [k: string]: string;
  };
  /**
   * The answer for each tool, if it is not clear which member is its ID.
   */
  candidates?: {
    [k: string]: string;
  }[];
}
/**
 * The service refused: nothing was done, except the `sent` earlier requests of an update.
 */
export interface RejectedRecord {
  /**
   * The type of the record.
   */
  type: "rejected";
  /**
   * The number of the action in the journal.
   */
  n: WholeNumber;
  /**
   * What is known about the outcome.
   */
  message: string;
  /**
   * The status of the answer, if there was one.
   */
  status?: WholeNumber;
  /**
   * The answer's request ID, if there was one.
   */
  request_id?: string;
  /**
   * The beginning of the answer, redacted.
   */
  answer?: string;
  /**
   * How many earlier requests of the update the service carried out.
   */
  sent?: WholeNumber;
}
/**
 * No byte of the request arrived; the `sent` earlier requests of an update did.
 */
export interface NotSentRecord {
  /**
   * The type of the record.
   */
  type: "not-sent";
  /**
   * The number of the action in the journal.
   */
  n: WholeNumber;
  /**
   * What is known about the outcome.
   */
  message: string;
  /**
   * The status of the answer, if there was one.
   */
  status?: WholeNumber;
  /**
   * The answer's request ID, if there was one.
   */
  request_id?: string;
  /**
   * The beginning of the answer, redacted.
   */
  answer?: string;
  /**
   * How many earlier requests of the update the service carried out.
   */
  sent?: WholeNumber;
}
/**
 * It is not known whether the service did it.
 */
export interface UnknownRecord {
  /**
   * The type of the record.
   */
  type: "unknown";
  /**
   * The number of the action in the journal.
   */
  n: WholeNumber;
  /**
   * What is known about the outcome.
   */
  message: string;
  /**
   * The status of the answer, if there was one.
   */
  status?: WholeNumber;
  /**
   * The answer's request ID, if there was one.
   */
  request_id?: string;
  /**
   * The beginning of the answer, redacted.
   */
  answer?: string;
  /**
   * How many earlier requests of the update the service carried out.
   */
  sent?: WholeNumber;
  /**
   * When it began, in ISO 8601.
   */
  time: string;
  /**
   * The method of the request.
   */
  method: string;
  /**
   * The path of the request.
   */
  path: string;
  /**
   * The IDs of an answer that cannot be trusted, because other addresses have them.
   */
  ids?: string[];
  /**
   * For a tool set: the operation of each of these IDs.
   */
  tools?: {
    [k: string]: string;
  };
  /**
   * The other addresses, whose IDs cannot be trusted any more either.
   */
  doubts?: string[];
}
/**
 * The resource is no longer managed; its objects are left behind.
 */
export interface ForgetRecord {
  /**
   * The type of the record.
   */
  type: "forget";
  /**
   * The address of the resource.
   */
  address: Address;
  /**
   * The resources that refer to the object that is left behind.
   */
  used_by?: string[];
  /**
   * Those of the old IDs that the service did not have any more when it was read.
   */
  gone?: string[];
}
/**
 * A delete of a retired object is about to be sent; `done` says that the object does not exist any more, and without it the object stays in the ledger.
 */
export interface DeleteRecord {
  /**
   * The type of the record.
   */
  type: "delete";
  /**
   * The number of the action in this apply; closing records repeat it.
   */
  n: WholeNumber;
  /**
   * The last address of the object, whose kind is that of the object.
   */
  address: Address;
  /**
   * The ID of the object.
   */
  id: string;
  /**
   * When the request is sent, in ISO 8601.
   */
  time: string;
  /**
   * The method of the request.
   */
  method: string;
  /**
   * The path of the request.
   */
  path: string;
}
/**
 * Sets the entry of an address as given.
 */
export interface EntryRecord {
  /**
   * The type of the record.
   */
  type: "entry";
  /**
   * The address of the resource.
   */
  address: Address;
  entry: LockEntry;
  /**
   * Whether it replaces an object, which is left behind.
   */
  replaces?: boolean;
  /**
   * The resources that refer to the replaced object.
   */
  used_by?: string[];
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
 * Entries move to other addresses, all at once.
 */
export interface MoveRecord {
  /**
   * The type of the record.
   */
  type: "move";
  /**
   * The moves.
   */
  moves: Move[];
}
export interface Move {
  /**
   * The address before.
   */
  from: Address;
  /**
   * The address after.
   */
  to: Address;
  /**
   * The `lifecycle.moved_from` that were carried out.
   */
  moved_from?: string[];
}
/**
 * Everything that the apply may create; written before anything is sent, by a store that may lose later records with its machine. A claim that no later record accounts for may exist in the service.
 */
export interface ClaimRecord {
  /**
   * The type of the record.
   */
  type: "claim";
  /**
   * The creates.
   */
  creates: ClaimedCreate[];
}
export interface ClaimedCreate {
  /**
   * The address of the resource.
   */
  address: Address;
  /**
   * What the action does.
   */
  operation: "create" | "replace";
  /**
   * When it began, in ISO 8601.
   */
  time: string;
  /**
   * The method of the request.
   */
  method: string;
  /**
   * The path of the request.
   */
  path: string;
  /**
   * The body to send, with references and secrets symbolic, and a tool set's operations in order.
   */
  body: JsonObject;
  /**
   * The digest of the body.
   */
  digest: string;
  references?: ResolvedReferences;
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
   * The `lifecycle.moved_from` that were carried out.
   */
  moved_from?: string[];
  /**
   * Those of the old IDs that the service did not have any more when it was read.
   */
  gone?: string[];
}
/**
 * A person looked up an unknown create, and it does not exist.
 */
export interface ResolvedRecord {
  /**
   * The type of the record.
   */
  type: "resolved";
  /**
   * The address of the resource.
   */
  address: Address;
}
