import { spellings } from "../kind/id.js";
import type { Lock } from "./lock.js";

/** How many deleted objects a lock names; without a limit the list would grow for as long as the lock exists. */
const namedDeletions = 1000;

/** The part of a lock that tells which objects were deleted on purpose. */
export type DeletedMembers = Pick<Lock, "deleted" | "deleted_before">;

/** Names an object in `deleted` by its kind and ID; an ID may be that of one object of each kind. */
export function deletedKey(address: string, id: string): string {
  return `${address.slice(0, address.indexOf(":"))} ${id}`;
}

/** Whether an object was deleted on purpose, as far as a lock still names it. */
export function isDeleted({ deleted }: DeletedMembers, address: string, id: string): boolean {
  return spellings(id).some((each) => Object.hasOwn(deleted ?? {}, deletedKey(address, each)));
}

/** Gives the members of a lock for deleted objects: the newest thousand, and the serial up to which others are left out. */
export function deletedMembers(
  deleted: Readonly<Record<string, number>>,
  before: number | undefined,
): DeletedMembers {
  const names = Object.entries(deleted);
  const left = names.length - namedDeletions;
  if (left <= 0) {
    return {
      ...(names.length > 0 && { deleted: { ...deleted } }),
      ...(before !== undefined && { deleted_before: before }),
    };
  }
  const byAge = names.toSorted(([, one], [, other]) => one - other);
  const newest = Math.max(before ?? 0, byAge[left - 1]?.[1] ?? 0);
  return { deleted: Object.fromEntries(byAge.slice(left)), deleted_before: newest };
}
