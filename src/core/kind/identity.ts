import { asId } from "./id.js";
import type { Identity } from "./kind.js";
import { equal, isObject, type Json } from "../../json/json.js";
import { atPointer } from "../../json/json-pointer.js";

/** Finds an ID in an answer, a string or an integer: at a JSON pointer, or else in the first field that holds one. */
export function findId(answer: Json, fields: readonly string[], pointer?: string): string | undefined {
  if (pointer !== undefined) return asId(atPointer(answer, pointer));
  if (!isObject(answer)) return undefined;
  for (const field of fields) {
    const id = asId(answer[field]);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Gives all IDs of an identity, be it one object or the tools of a set. */
export function idsOf(identity: Identity): readonly string[] {
  return identity.ids ?? (identity.id === undefined ? [] : [identity.id]);
}

/** Whether two identities share the same non-empty IDs. */
export function isSameIdentity(one: Identity, other: Identity): boolean {
  const ids = idsOf(one);
  return ids.length > 0 && equal(ids.toSorted(), idsOf(other).toSorted());
}

/** Gives the operations of a tool set by the IDs of its tools. */
export function operationsById({ tools = {} }: Pick<Identity, "tools">): ReadonlyMap<string, string> {
  return new Map(Object.entries(tools).map(([operation, id]) => [id, operation]));
}

/** Names tools of a set by their operations, others by their IDs. */
export function toolNames(identity: Pick<Identity, "tools">, ids: readonly string[]): string[] {
  const names = operationsById(identity);
  return ids.map((id) => names.get(id) ?? id);
}

/** The members of a lock entry that an identity makes. */
export function identityMembers({ id, ids, tools }: Identity): {
  id?: string;
  ids?: string[];
  tools?: Record<string, string>;
} {
  return {
    ...(id !== undefined && { id }),
    ...(ids && { ids: [...ids] }),
    ...(tools && { tools: { ...tools } }),
  };
}
