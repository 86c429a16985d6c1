import { idKey } from "../kind/id.js";
import { idsOf, operationsById } from "../kind/identity.js";
import { isUntold } from "./attempts.js";
import { retiredAt } from "./known-ids.js";
import type { Action } from "../../generated/plan.js";
import { kindOfAddress } from "../kind/kinds.js";
import { bodyDigest, type Lock, type LockEntry, type RetiredObject } from "./lock.js";

/** Gives entries with what was last sent for objects that were left behind and are taken over again, by new address. */
export function entriesTakenOver(
  actions: readonly Pick<Action, "address" | "action" | "ids">[],
  lock: Lock,
): [address: string, entry: LockEntry][] {
  return actions.flatMap(({ address, action, ids: [id = ""] = [] }) => {
    const { address: was = address, body } = retiredAt(lock, address, id) ?? {};
    const isOther = lock.resources[address] !== undefined || kindOfAddress(was) !== kindOfAddress(address);
    return action !== "adopt" || isOther || body === undefined
      ? []
      : [[address, { id, body, digest: bodyDigest(body) }]];
  });
}

/** Gives the objects of an entry as listed in the ledger, by the keys of their IDs: one, or one for each tool of a set. */
export function retiredObjects(
  address: string,
  entry: LockEntry,
  reason: RetiredObject["reason"],
  usedBy: readonly string[] = [],
  gone: readonly string[] = [],
): readonly (readonly [key: string, object: RetiredObject])[] {
  const common = {
    address,
    ...(usedBy.length > 0 && { used_by: [...usedBy] }),
    ...(isUntold(entry) && { untold: true }),
  };
  const reasonOf = (id: string | undefined) => (id !== undefined && gone.includes(id) ? "gone" : reason);
  if (entry.ids) {
    const operations = operationsById(entry);
    return entry.ids.map((id) => {
      const operation = operations.get(id);
      return [
        idKey(address, id),
        { ...common, reason: reasonOf(id), ...(operation !== undefined && { operation }) },
      ];
    });
  }
  if (entry.candidates) {
    const values = entry.candidates.flatMap(({ method: _method, path: _path, ...members }) =>
      Object.values(members),
    );
    return [...new Set(values)].map((id) => [idKey(address, id), { ...common, reason }]);
  }
  const isUncertain = entry.uncertain === true || entry.assumed === true;
  // An object without an ID stays in the ledger under its address.
  const [id] = idsOf(entry);
  return [
    [
      id === undefined ? `${address}#${entry.digest.slice(-8)}` : idKey(address, id),
      { ...common, reason: reasonOf(id), body: entry.body, ...(isUncertain && { uncertain: true }) },
    ],
  ];
}
