import type { Lock, LockEntry, UnknownCreate } from "../../generated/lock.js";
import { isShallow, type JsonObject, depthLimit } from "../../json/json.js";
import { isKeptId, idKey, ledgerKey } from "../kind/id.js";
import { kindOfAddress } from "../kind/kinds.js";
import { retiredId } from "./ledger.js";

/** The maximum depth of values in state files: that of a body, plus what is around it. */
export const stateDepth = depthLimit + 20;

/** Gives the path of a body in a valid lock that lacks an outline where its kind requires one. */
export function misshapenBody({ resources, unknown, retired }: Lock): string[] | undefined {
  for (const [address, { body, attempted = [] }] of Object.entries(resources)) {
    if (!isOutlined(address, body)) return ["resources", address, "body"];
    if (attempted.some((each) => !isOutlined(address, each.body))) return ["resources", address, "attempted"];
  }
  for (const [address, { body }] of Object.entries(unknown)) {
    if (!isOutlined(address, body)) return ["unknown", address, "body"];
  }
  for (const [id, { address, body }] of Object.entries(retired)) {
    if (body && !isOutlined(address, body)) return ["retired", id, "body"];
  }
  return undefined;
}

/** Gives the path of what cannot be an ID: it is part of a request's path, and an empty one means all objects. */
export function misshapenId({ resources, unknown, retired }: Lock): string[] | undefined {
  const tables = { resources, unknown } as const;
  for (const [table, entries] of Object.entries(tables)) {
    for (const address in entries) if (!areIds(entries[address] ?? {})) return [table, address];
  }
  const seen = new Set<string>();
  const left = Object.entries(retired).find(([key, object]) => {
    const id = retiredId(key, object);
    const own = idKey(object.address, id);
    if (!isKeptId(id) || seen.has(own)) return true;
    seen.add(own);
    return object.id === undefined ? key !== ledgerKey(object.address, id) : key !== own;
  });
  return left && ["retired", left[0]];
}

/** What may have IDs, in a lock or in a record of a journal. */
type HoldsIds = Partial<Pick<LockEntry, "id" | "ids" | "tools"> & Pick<UnknownCreate, "found">>;

/** Whether all that are there can be IDs. */
export function areIds({ id, ids, tools, found }: HoldsIds): boolean {
  if (id !== undefined && !isKeptId(id)) return false;
  return (ids === undefined || ids.every(isKeptId)) && areIdsIn(tools) && areIdsIn(found);
}

function areIdsIn(table: Readonly<Record<string, string>> | undefined): boolean {
  return table === undefined || Object.values(table).every(isKeptId);
}

/** Whether a body has an outline wherever its kind requires one. */
export function isOutlined(address: string, body: JsonObject): boolean {
  return kindOfAddress(address).isOutlined?.(body) ?? true;
}

/** Whether a body can be part of a lock, which adds up to five levels above it. */
export function fitsLock(address: string, body: JsonObject): boolean {
  return isShallow(body, stateDepth - 5) && isOutlined(address, body);
}
