import { rename } from "./mention.js";
import type { JsonObject } from "../../json/json.js";
import { idsOf } from "../kind/identity.js";
import type { Lock, LockEntry } from "../state/lock.js";

/** Where objects are: the lock with the moves of a plan, who has an ID in it, and by new address the earlier one. */
interface Whereabouts {
  readonly lock: Pick<Lock, "resources">;
  readonly ownersOf: (id: string) => readonly string[];
  readonly moves?: ReadonlyMap<string, string>;
}

/**
 * Gives a lock entry with the names that its references have now: those of resources that were renamed after it was
 * applied. The ID of such a reference belongs to a different address, by a move that did not touch the body. With
 * `moves`, what these move has its earlier name still.
 */
export function withPresentNames(entry: LockEntry, { lock, ownersOf, moves }: Whereabouts): LockEntry {
  const { references = {} } = entry;
  const names = new Map<string, string>();
  for (const [text, ids] of Object.entries(references)) {
    const address = addressIn(text);
    const [id = ""] = [ids].flat();
    const owner = (!idsOf(lock.resources[address] ?? {}).includes(id) && ownersOf(id).at(-1)) || address;
    const name = moves?.get(owner) ?? owner;
    if (name !== address) names.set(address, name);
  }
  if (names.size === 0) return entry;
  const renamed = Object.entries(references).map(([text, ids]): [string, string | string[]] => {
    const address = addressIn(text);
    return [(names.get(address) ?? address) + text.slice(address.length), ids];
  });
  const body = rename(entry.body, names) as JsonObject;
  return { ...entry, references: Object.fromEntries(renamed), body };
}

function addressIn(reference: string): string {
  return reference.split("/", 1)[0] ?? reference;
}
