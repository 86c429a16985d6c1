import type { KindName } from "../../generated/kinds.js";
import type { RetiredObject, UnknownCreate } from "../state/lock.js";
import type { ObjectUser } from "../state/object-users.js";

type Nothing = Record<never, never>;

/** What a reason of an action is about, by its code. */
export interface PartsOfCauses {
  edited: { fields: string[] };
  /** A resource that is referred to gets a new ID, or new ones. */
  "new-id": { address: string; many: boolean };
  "other-id": { address: string; many: boolean };
  /** What another workspace has at an address has a new ID, or new ones; or an apply there gives it one first. */
  "new-id-there": { address: string; use: string; many: boolean; pending?: "new" | "created" };
  /** What another workspace has at an address was to get a new ID, and still has the old one. */
  "old-id-there": { address: string; use: string };
  /** Another workspace has no ID for an address, or for an operation of it. */
  "not-applied-there": { address: string; use: string; operation?: string };
  /** Unless it says otherwise, the object keeps its ID. */
  moved: { from: string; isKept?: false };
  "rest-left-out": Nothing;
  "replace-asked": Nothing;
  /** The fields with secrets among those that are sent again. */
  "resend-asked": { fields: string[] };
  "update-uncertain": Nothing;
  /** An adopted object was never sent what its document says. */
  "never-sent": { id?: string };
  /** The service can update no field of the kind, or not these. */
  "cannot-update": { kind: KindName; fields: string[]; any: boolean };
  "changed-in-service": Nothing;
  /** Somebody changed these fields in the service. */
  "no-update-undoes": { address: string; fields: string[] };
  "object-gone": Nothing;
  "tools-gone": { tools: string[]; of: number };
  "outcome-unknown": Pick<
    UnknownCreate,
    "operation" | "since" | "method" | "path" | "message" | "request_id"
  > & {
    found?: string[];
  };
  "document-gone": Nothing;
  "environment-left": { environment: string | null };
  /** A key of `for_each`, and the file with the keys: the document's own, or one that it includes. */
  "key-gone": { key: string; keys: string; included?: boolean };
  "key-renamed": { key: string; file: string };
  "delete-asked": Nothing;
  "delete-undeclared": { kind: string };
  "delete-without-id": Nothing;
  "delete-never-sent": Nothing;
  "still-used": { use: Cause };
  /** Why an object is in the ledger; its ID where an action deletes several. */
  "left-behind": { id?: string; reason: RetiredObject["reason"]; operation?: string };
  "delete-uncertain": { id?: string; sent: string };
  "adopt-asked": Nothing;
  /** Fields that cannot be updated, all of them where none is named; and whether the deployment can show them. */
  "assumed-equal": { fields: string[]; shown?: boolean };
  "updated-to-match": { rest: boolean };
  /** Whether nothing was sent to what it takes the place of, so that it is no new object of this address either. */
  "takes-place": { ids: string[]; unsent?: true };
  "adopted-already": Nothing;
  "tool-ids-told": Nothing;
  /** The members of an answer that can be the IDs of tools; of a resource that is waited for, or of its own. */
  "tool-ids-unsettled": { pointers: string[]; address?: string };
  "left-out": { address: string };
  "dependency-unknown": { address: string };
  "dependency-blocked": { address: string };
  "id-unknown": { address: string };
  "tool-unmapped": { address: string; operation: string };
  "differs-in-part": { field: string; tools: string[]; of: number };
  /** What somebody added in the service; `anew` where no update can be sent that takes it away. */
  "only-in-service": { address: string; anew: boolean };
  "sent-uncertain": Nothing;
  "adopted-never-sent": Nothing;
  "other-environment-alone": Nothing;
  /** Why an apply did not start an action, or did not delete an object. */
  "dependency-failed": { address: string };
  "dependency-skipped": { address: string };
  "user-not-deleted": { address: string };
  "not-in-ledger": { id: string };
  "there-again": { id: string };
  used: { user: ObjectUser };
  "used-in-service": { name: string };
  "adopted-by-document": { address: string; where?: string };
  "named-by-document": { address: string; where?: string };
  /** In the lock of another environment, or of a branch. */
  "used-elsewhere": { user: ObjectUser; where: string };
  /** What may use it could not be read, for each of these reasons. */
  "users-unread": { reasons: string[] };
  /** Why an apply could not run an action. */
  "not-in-lock": { address: string };
  "id-taken": { addresses: string[] };
  /** References whose IDs are not known, as their texts; or no ID was answered for them. */
  "ids-unknown": { references: string[]; answered: boolean };
  "changed-meanwhile": { fields: string[] };
  /** What was left behind has something else in these fields now, so it may be another object. */
  "not-as-left": { fields: string[] };
  /** The object is gone, or could not be read for a reason. */
  "not-seen": { reason?: string };
  interrupted: Nothing;
  "state-unsaved": Nothing;
  "event-unreported": Nothing;
  /** A failure that every further request would meet. */
  "shared-failure": { reason: string };
  /** How many creates in a row had an unknown outcome, and how many are left. */
  "creates-wait": { unknown: number; left: number };
}

/** The code of a reason. */
export type CauseCode = keyof PartsOfCauses;

/** A reason of an action, as data. */
export interface Cause<Key extends CauseCode = CauseCode> {
  readonly code: Key;
  readonly parts: PartsOfCauses[Key];
}

/** Makes a reason of an action. */
export function cause<Key extends CauseCode>(code: Key, parts: PartsOfCauses[Key]): Cause {
  return { code, parts };
}
