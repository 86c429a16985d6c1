import { readReference, referencesIn } from "../expression/reference.js";
import { IdSearch } from "../kind/id-search.js";
import { idsOf } from "../kind/identity.js";
import { idKey } from "./known-ids.js";
import type { Lock, LockEntry, RetiredObject, UnknownCreate } from "./lock.js";

/** One object in the service: its ID, and its address, which tells its kind. */
export interface ServiceObject {
  readonly id: string;
  readonly address: string;
}

/** What in a lock has an object, or may refer to it. */
export interface ObjectUser {
  readonly address: string;
  /** The ID, if it is in the ledger itself. */
  readonly retired?: string;
  /** How it uses the object, as a clause. */
  readonly how: string;
}

/** Gives what may use an object. */
export type UsersOf = (object: ServiceObject) => readonly ObjectUser[];

/**
 * Finds what in a lock has some objects, or may refer to them: by an ID that was resolved or written literally, or,
 * for what is left behind itself, by the object's address. A resource whose last update has an unknown outcome may
 * refer to anything.
 */
export function findUsers(lock: Lock, objects: readonly ServiceObject[]): UsersOf {
  const index = new UserIndex(objects);
  for (const [address, entry] of Object.entries(lock.resources)) index.addEntry(address, entry);
  for (const [address, create] of Object.entries(lock.unknown)) index.addUnknown(address, create);
  for (const [id, object] of Object.entries(lock.retired)) index.addRetired(id, object);
  return (object) => index.usersOf(object);
}

class UserIndex {
  readonly #search: IdSearch;
  readonly #keys: ReadonlySet<string>;
  readonly #byKey = new Map<string, ObjectUser[]>();
  readonly #byId = new Map<string, ObjectUser[]>();
  readonly #byAddress = new Map<string, ObjectUser[]>();
  readonly #ofAll: ObjectUser[] = [];

  constructor(objects: readonly ServiceObject[]) {
    this.#search = new IdSearch(objects.map(({ id }) => id));
    this.#keys = new Set(objects.map(({ address, id }) => idKey(address, id)));
  }

  usersOf({ address, id }: ServiceObject): ObjectUser[] {
    const all = [
      ...(this.#byKey.get(idKey(address, id)) ?? []),
      ...(this.#byId.get(id) ?? []),
      ...(this.#byAddress.get(address) ?? []),
    ];
    // What is left behind at the same address is an earlier object, and no user.
    const others = all.filter(({ retired, address: user }) => retired === undefined || user !== address);
    const named = new Set(others.map((user) => `${user.address} ${user.retired ?? ""}`));
    return [...others, ...this.#ofAll.filter((user) => !named.has(`${user.address} `))];
  }

  addEntry(address: string, entry: LockEntry): void {
    const candidates = (entry.candidates ?? []).flatMap((each) => Object.values(each));
    this.#addOwn(address, [...idsOf(entry), ...candidates], `it is managed as ${address}`);
    this.#addReferences(address, entry.references, `${address} refers to it`);
    const how = `${address} contains its ID`;
    for (const body of [entry.body, entry.attempted ?? {}]) this.#addMentions({ address, how }, body);
    if (entry.uncertain === true) {
      const doubt = `the last update of ${address} is uncertain, so it may refer to it`;
      this.#ofAll.push({ address, how: doubt });
    }
  }

  addUnknown(address: string, { ids = [], tools = {}, found = {}, references, body }: UnknownCreate): void {
    const own = [...ids, ...Object.values(tools), ...Object.values(found)];
    this.#addOwn(address, own, `it may be ${address}, whose outcome is unknown`);
    const how = `${address}, whose outcome is unknown, may refer to it`;
    this.#addReferences(address, references, how);
    this.#addMentions({ address, how }, body);
  }

  // A retired object keeps its body alone, in which references are symbolic.
  addRetired(id: string, { address, body }: RetiredObject): void {
    if (!body) return;
    const user = { address, retired: id, how: `${address}, which is left behind too, may refer to it` };
    for (const target of new Set(referencesIn(body).map((reference) => reference.address))) {
      add(this.#byAddress, target, user);
    }
    this.#addMentions(user, body);
  }

  #addOwn(address: string, ids: readonly string[], how: string): void {
    for (const id of ids) this.#addKey(idKey(address, id), { address, how });
  }

  #addReferences(address: string, references: LockEntry["references"] = {}, how: string): void {
    for (const [text, ids] of Object.entries(references)) {
      const { address: target } = readReference(text);
      for (const id of [ids].flat()) this.#addKey(idKey(target, id), { address, how });
    }
  }

  #addKey(key: string, user: ObjectUser): void {
    if (this.#keys.has(key)) add(this.#byKey, key, user);
  }

  #addMentions(user: ObjectUser, body: LockEntry["body"]): void {
    for (const id of this.#search.in(body)) add(this.#byId, id, user);
  }
}

function add(to: Map<string, ObjectUser[]>, key: string, user: ObjectUser): void {
  const users = to.get(key);
  if (users) users.push(user);
  else to.set(key, [user]);
}
