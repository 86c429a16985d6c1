import { groupBy } from "../../json/groups.js";
import { idsOf, operationsById } from "../kind/identity.js";
import { isNeverSent } from "./attempts.js";
import { defined } from "./defined.js";
import type { LockEntry, RetiredObject } from "./lock.js";

/** Gives the objects of an entry as listed in the ledger, by ID: one, or one for each tool of a set. */
export function retiredObjects(
  address: string,
  entry: LockEntry,
  reason: RetiredObject["reason"],
  usedBy: readonly string[] = [],
  gone: readonly string[] = [],
): readonly (readonly [id: string, object: RetiredObject])[] {
  const common = {
    address,
    ...(entry.moved_from && { moved_from: [...entry.moved_from] }),
    ...defined({ labels: entry.labels }),
    ...(usedBy.length > 0 && { used_by: [...usedBy] }),
    ...(isNeverSent(entry) && { untold: true }),
  };
  const reasonOf = (id: string | undefined) => (id !== undefined && gone.includes(id) ? "gone" : reason);
  if (entry.ids) {
    const operations = operationsById(entry);
    return entry.ids.map((id) => {
      const operation = operations.get(id);
      return [id, { ...common, reason: reasonOf(id), ...(operation !== undefined && { operation }) }];
    });
  }
  if (entry.candidates) {
    const values = entry.candidates.flatMap(({ method: _method, path: _path, ...members }) =>
      Object.values(members),
    );
    // Of the members of an answer, one is the ID.
    return [...new Set(values)].map((id) => [id, { ...common, reason, untold: true }]);
  }
  const isUncertain = entry.uncertain === true || entry.assumed === true;
  // An object without an ID stays in the ledger under its address.
  const [id] = idsOf(entry);
  return [
    [
      id ?? `${address}#${entry.digest.slice(-8)}`,
      {
        ...common,
        reason: reasonOf(id),
        body: entry.body,
        ...defined({ references: allReferences(entry), baseline: entry.baseline }),
        ...(isUncertain && { uncertain: true }),
      },
    ],
  ];
}

// Any of the attempts may have arrived.
function allReferences({ references, attempted = [] }: LockEntry): RetiredObject["references"] {
  if (attempted.length === 0) return references;
  const all = [{ references }, ...attempted].flatMap((each) => Object.entries(each.references ?? {}));
  const byText = groupBy(all, ([text]) => text);
  return Object.fromEntries(
    [...byText].map(([text, each]) => [text, [...new Set(each.flatMap(([, ids]) => ids))]]),
  );
}
