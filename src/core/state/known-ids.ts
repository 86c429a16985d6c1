import { foldedKey, idKey, ignoresCase, spellings } from "../kind/id.js";
import { idsOf } from "../kind/identity.js";
import { kindPrefixes } from "../../generated/kinds.js";
import type { Identity } from "../kind/kind.js";
import type { Lock, RetiredObject, UnknownCreate } from "./lock.js";
import { groupBy } from "../../json/groups.js";
import { lazy } from "../../json/once.js";
import { keyIn, retiredId } from "./ledger.js";

/** The addresses of IDs: from the lock, and from the answers of a run. */
export class KnownIds {
  #owners: Map<string, string> | undefined;

  constructor(private readonly lock: Lock) {}

  /** Records the IDs of an address; gives the other addresses that already have one of them. */
  take(address: string, ids: readonly string[], keysOf = ownKey): string[] {
    const owners = (this.#owners ??= ownersByKey(this.lock));
    const others = new Set<string>();
    for (const id of ids) {
      const had = keysOf(address, id).flatMap((key) => owners.get(key) ?? []);
      for (const owner of had) if (owner !== address) others.add(owner);
      if (had.length === 0) owners.set(foldedKey(address, id), address);
    }
    return [...others];
  }

  /** The same of an answer, which may be that of another request. */
  takeAnswered(address: string, ids: readonly string[]): string[] {
    return this.take(address, ids, sharedKeys);
  }
}

function ownKey(address: string, id: string): string[] {
  return [foldedKey(address, id)];
}

/** Gives the keys under which an ID is known: a long hexadecimal one has a single object, of whatever kind. */
export function sharedKeys(address: string, id: string): string[] {
  return placesOf(address, id).map((each) => foldedKey(each, id));
}

/** Gives an address of each kind that may have the object of an ID. */
export function placesOf(address: string, id: string): string[] {
  return ignoresCase(id) && /[a-f]/i.test(id) ? kindPrefixes.map((kind) => `${kind}:`) : [address];
}

function ownersByKey({ resources, retired, unknown }: Lock): Map<string, string> {
  const left = retiredIn({ retired }).map(([id, { address }]) => ({ id, address }));
  const owned = [...left, ...idsIn(unknown), ...idsIn(resources)];
  return new Map(owned.map(({ id, address }) => [foldedKey(address, id), address]));
}

/** Lists the IDs that the entries of a table have, each with its address and what tells it apart. */
export function idsIn(
  entries: Readonly<Record<string, Identity>>,
): { readonly address: string; readonly id: string; readonly key: string }[] {
  return Object.entries(entries).flatMap(([address, entry]) =>
    idsOf(entry).map((id) => ({ address, id, key: idKey(address, id) })),
  );
}

/** Gives the IDs that an entry has or may have, also of a create of unknown outcome or an unclear answer. */
export function possibleIdsOf(entry: Identity & Pick<UnknownCreate, "found">): string[] {
  const { candidates = [], found = {} } = entry;
  const members = candidates.flatMap(({ method: _method, path: _path, ...rest }) => Object.values(rest));
  return [...idsOf(entry), ...Object.values(found), ...members];
}

/** Gives the addresses at which a lock has an object, or a create of unknown outcome. */
export function addressesIn({ resources, unknown }: Pick<Lock, "resources" | "unknown">): string[] {
  // A spread of a large table takes longer.
  const pending = Object.keys(unknown).filter((address) => !Object.hasOwn(resources, address));
  return [...Object.keys(resources), ...pending];
}

/** An object of a ledger, with its ID. */
type Retired = [id: string, object: RetiredObject];

/** Lists what a ledger has, by ID. */
export function retiredIn({ retired }: Pick<Lock, "retired">): Retired[] {
  return Object.entries(retired).map(([key, object]) => [retiredId(key, object), object]);
}

/** Gives what a person calls each object of a ledger: its ID, behind its kind where several kinds have that. */
export function retiredNames(lock: Pick<Lock, "retired">): string[] {
  const byId = groupBy(retiredIn(lock), ([id]) => id);
  return [...byId.values()].flatMap((all) => all.map(all.length > 1 ? kindName : ([id]) => id));
}

/** Gives what a ledger has by its names: an ID, with which several kinds may have an object, and `KIND:ID`. */
export function retiredByName(lock: Pick<Lock, "retired">): ReadonlyMap<string, readonly Retired[]> {
  const all = retiredIn(lock);
  return new Map([...groupBy(all, kindName), ...groupBy(all, ([id]) => id)]);
}

function kindName([id, { address }]: Retired): string {
  return `${address.slice(0, address.indexOf(":"))}:${id}`;
}

/** Gives what a ledger has of an object with an address of its kind. */
export function retiredAt(
  { retired }: Pick<Lock, "retired">,
  address: string,
  id: string,
): RetiredObject | undefined {
  const [key] = spellings(id).flatMap((each) => keyIn(retired, address, each) ?? []);
  return key === undefined ? undefined : retired[key];
}

/** Gives the addresses that have the ID of an object at some address. */
export type OwnersOf = (address: string, id: string) => readonly string[];

/** Makes a reader of who has an ID in a lock, in capitals or not; it is gone through once, however many are adopted. */
export function ownersIn({ resources }: Pick<Lock, "resources">): OwnersOf {
  const possible = () =>
    Object.entries(resources).flatMap(([address, entry]) =>
      possibleIdsOf(entry).map((id) => ({ address, id })),
    );
  const owners = lazy(() => groupBy(possible(), ({ address, id }) => foldedKey(address, id)));
  return (address, id) =>
    owners()
      .get(foldedKey(address, id))
      ?.map((each) => each.address) ?? [];
}
