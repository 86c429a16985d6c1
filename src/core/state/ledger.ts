import { idKey, idOfKey, ledgerKey } from "../kind/id.js";
import type { Lock, RetiredObject } from "../../generated/lock.js";

type Ledger = Lock["retired"];

/** Gives the ID of an object of a ledger; of one without an ID, its key. */
export function retiredId(key: string, { id }: RetiredObject): string {
  return id ?? idOfKey(key);
}

/** Gives the key of an object in a ledger, where that has it. */
export function keyIn(ledger: Ledger, address: string, id: string): string | undefined {
  // The second is beside an object of another kind with the same ID.
  return [ledgerKey(address, id), idKey(address, id)].find((key) => {
    const object = Object.hasOwn(ledger, key) ? ledger[key] : undefined;
    return object !== undefined && idKey(object.address, retiredId(key, object)) === idKey(address, id);
  });
}

/** Puts an object into a ledger by its ID: behind its kind, where one of another kind has the same. */
export function putRetired(ledger: Ledger, id: string, { id: _id, ...object }: RetiredObject): void {
  const [own, behind] = [ledgerKey(object.address, id), idKey(object.address, id)];
  const known = keyIn(ledger, object.address, id);
  const key = known ?? (Object.hasOwn(ledger, own) ? behind : own);
  const other = known === undefined && Object.hasOwn(ledger, key) ? ledger[key] : undefined;
  ledger[key] = key === own ? object : { ...object, id };
  // Its ID looks like a key behind a kind, so it is put behind its own.
  if (other) putRetired(ledger, retiredId(key, other), other);
}

/** Puts an object without an ID into a ledger: two that were sent the same are two all the same. */
export function putUnnamed(ledger: Ledger, key: string, object: RetiredObject): void {
  let free = key;
  for (let count = 2; Object.hasOwn(ledger, free); count++) free = `${key}-${count}`;
  ledger[free] = object;
}

/** Gives a ledger by what tells its objects apart. */
export function ledgerByKind(ledger: Ledger): Record<string, RetiredObject> {
  return Object.fromEntries(
    Object.entries(ledger).map(([key, object]) => {
      const { id: _id, ...rest } = object;
      return [idKey(object.address, retiredId(key, object)), rest];
    }),
  );
}

/** Makes a ledger of what ledgerByKind gives. */
export function ledgerOf(objects: Readonly<Record<string, RetiredObject>>): Ledger {
  const ledger: Ledger = {};
  for (const [key, object] of Object.entries(objects))
    putRetired(ledger, key.slice(key.indexOf("#") + 1), object);
  return ledger;
}
