import { bare, say, type Said, type Sentence } from "../finding/said.js";
import type { Identity } from "../kind/kind.js";
import { idsOf } from "../kind/identity.js";
import type { JournalRecord } from "../state/journal.js";
import type { Lock, LockEntry, UnknownCreate } from "../state/lock.js";
import { movedFrom } from "../resources/former-address.js";
import { refused, type Checked, type Refusal } from "../finding/checked.js";
import { error, type Code } from "../finding/diagnostic.js";
import type { Resource } from "../resources/resource.js";
import type { AddressChange } from "./repair-change.js";

type Resources = ReadonlyMap<string, Resource>;

/** What an edit is made with. */
export interface Editing {
  /** The lock after the previous edits. */
  readonly lock: Lock;
  readonly resources: Resources;
}

/** The effect of one edit: the records that an apply would have written for it. */
export interface Edited {
  readonly change: AddressChange;
  readonly records: readonly JournalRecord[];
  /** The create that is still unknown, if only some tools were found. */
  readonly rest?: UnknownCreate;
  /** The tools that are left behind in the service, operation to ID. */
  readonly left?: Readonly<Record<string, string>>;
}

/** Gives the address that an entry has in the lock: a moved document has its old one until the next apply. */
export function heldAt(
  address: string,
  resources: Resources,
  entries: Readonly<Record<string, unknown>>,
): string {
  if (entries[address] !== undefined) return address;
  const resource = resources.get(address);
  return (resource && movedFrom(resource).find((from) => entries[from] !== undefined)) ?? address;
}

/** The edit that replaces the entry of an address. */
export function record(address: string, entry: LockEntry, change: AddressChange): Checked<Edited> {
  return { ok: true, change, records: [{ type: "entry", address, entry }] };
}

/** The edit that changes nothing, as the lock has it already. */
export function already(change: AddressChange): Checked<Edited> {
  return { ok: true, change, records: [] };
}

/** Refuses an edit with a message that begins with its address. */
export function refuse(code: Code, address: string, message: Sentence, hint: Sentence): Refusal {
  return refused([error(code, undefined, say`${bare({ address })}: ${message}`, hint)]);
}

/** Writes the IDs of an object for a message. */
export function idText(identity: Identity): Said {
  const ids = idsOf(identity);
  const { tools } = identity;
  if (tools) {
    const pairs = Object.entries(tools).map(([operation, id]) => `${operation}=${id}`);
    return say`IDs ${bare({ ids: [...ids] }, pairs.join(", "))}`;
  }
  if (ids.length === 0) return say`no ID`;
  return say`${ids.length === 1 ? "ID" : "IDs"} ${bare({ ids: [...ids] })}`;
}
