import { idsOf } from "../kind/identity.js";
import type { Kind } from "../kind/kind.js";
import type { BeginRecord, ClaimedCreate, UnknownRecord } from "../../generated/journal.js";
import type { Trace } from "./journal.js";
import { defined } from "./defined.js";
import { documentMarks } from "./document-marks.js";
import type { LockEntry, UnknownCreate } from "./lock.js";

/** What is known of an answer that tells no outcome. */
export type UnknownTrace = Trace & Pick<UnknownRecord, "ids" | "tools">;

/** A create of which it is not known whether it made an object. */
export function lostCreate(
  begin: Omit<BeginRecord | ClaimedCreate, "operation"> & Pick<UnknownCreate, "operation">,
  { message, status, request_id, answer, ids, tools }: UnknownTrace,
): UnknownCreate {
  const { operation, time: since, method, path, body, digest, references, gone, sent_once } = begin;
  return {
    ...documentMarks(begin),
    ...defined({ status, request_id, answer, references, gone, sent_once, ids, tools }),
    operation,
    since,
    method,
    path,
    message,
    body,
    digest,
  };
}

/** An object that another address has as well; what is known of it is kept for the person who resolves it. */
export function doubtedCreate(
  entry: LockEntry,
  { create: { method, path } }: Kind,
  { other, since }: { readonly other: string; readonly since: string },
  earlier: UnknownCreate | undefined,
): UnknownCreate {
  const { body, digest, references, tools } = entry;
  return {
    ...documentMarks(entry),
    ...defined({ references }),
    operation: "create",
    since,
    method,
    path,
    message: doubtText(other),
    body,
    digest,
    ...earlier,
    ...defined({ tools }),
    ids: [...idsOf(entry)],
  };
}

/** Says why it is not certain which object an address has: the service also answered its ID for a different address. */
export function doubtText(other: string): string {
  return `the service answered the same ID for ${other}`;
}
