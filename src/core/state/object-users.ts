import { foldedKey } from "../kind/id.js";
import { addTo } from "../../json/groups.js";
import { readReference, referencesIn } from "../expression/reference.js";
import { IdSearch } from "../kind/id-search.js";
import { possibleIdsOf, retiredIn } from "./known-ids.js";
import type { Lock, LockEntry, RetiredObject, UnknownCreate } from "./lock.js";

/** One object in the service: its ID, and its address, which tells its kind. */
export interface ServiceObject {
  readonly id: string;
  readonly address: string;
}

/** How something uses an object, as a clause by its address. */
const uses = {
  manages: (address: string) => `it is managed as ${address}`,
  refers: (address: string) => `${address} refers to it`,
  contains: (address: string) => `${address} contains its ID`,
  uncertain: (address: string) => `the last update of ${address} is uncertain, so it may refer to it`,
  "unknown-manages": (address: string) => `it may be ${address}, whose outcome is unknown`,
  "unknown-refers": (address: string) => `${address}, whose outcome is unknown, may refer to it`,
  "retired-refers": (address: string) => `${address}, which is left behind too, refers to it`,
  "retired-may-refer": (address: string) => `${address}, which is left behind too, may refer to it`,
} as const;

/** What in a lock has an object, or may refer to it. */
export type ObjectUser = {
  readonly address: string;
  /** The ID, if it is in the ledger itself. */
  readonly retired?: string;
  readonly use: keyof typeof uses;
};

/** Says how something uses an object, as a clause. */
export function howUsed({ address, use }: ObjectUser): string {
  return uses[use](address);
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
  for (const [id, object] of retiredIn(lock)) index.addRetired(id, object);
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
    this.#keys = new Set(objects.map(({ address, id }) => foldedKey(address, id)));
  }

  usersOf({ address, id }: ServiceObject): ObjectUser[] {
    const all = [
      ...(this.#byKey.get(foldedKey(address, id)) ?? []),
      ...(this.#byId.get(id) ?? []),
      ...(this.#byAddress.get(address) ?? []),
    ];
    // What is left behind at the same address is an earlier object, and no user.
    const others = all.filter(({ retired, address: user }) => retired === undefined || user !== address);
    const named = new Set(others.map((user) => `${user.address} ${user.retired ?? ""}`));
    return [...others, ...this.#ofAll.filter((user) => !named.has(`${user.address} `))];
  }

  addEntry(address: string, entry: LockEntry): void {
    this.#addOwn({ address, use: "manages" }, possibleIdsOf(entry));
    for (const { body, references } of [entry, ...(entry.attempted ?? [])]) {
      this.#addReferences({ address, use: "refers" }, references);
      this.#addMentions({ address, use: "contains" }, body);
    }
    if (entry.uncertain === true) {
      this.#ofAll.push({ address, use: "uncertain" });
    }
  }

  addUnknown(address: string, create: UnknownCreate): void {
    const { tools = {}, references, body } = create;
    this.#addOwn({ address, use: "unknown-manages" }, [...possibleIdsOf(create), ...Object.values(tools)]);
    const user = { address, use: "unknown-refers" } as const;
    this.#addReferences(user, references);
    this.#addMentions(user, body);
  }

  addRetired(id: string, { address, body, references = {} }: RetiredObject): void {
    if (!body) return;
    const user = { address, retired: id, use: "retired-refers" } as const;
    this.#addReferences(user, references);
    // What is not known to have stood for an object may stand for any that had the address.
    const open = referencesIn(body).filter(({ text }) => !Object.hasOwn(references, text));
    for (const target of new Set(open.map((reference) => reference.address))) {
      addTo(this.#byAddress, target, { ...user, use: "retired-may-refer" });
    }
    this.#addMentions(user, body);
  }

  #addOwn(user: ObjectUser, ids: readonly string[]): void {
    for (const id of ids) this.#addId(user.address, id, user);
  }

  #addReferences(user: ObjectUser, references: LockEntry["references"] = {}): void {
    for (const [text, ids] of Object.entries(references)) {
      const { address: target } = readReference(text);
      for (const id of [ids].flat()) this.#addId(target, id, user);
    }
  }

  #addId(address: string, id: string, user: ObjectUser): void {
    const key = foldedKey(address, id);
    if (this.#keys.has(key)) addTo(this.#byKey, key, user);
  }

  #addMentions(user: ObjectUser, body: LockEntry["body"]): void {
    for (const id of this.#search.in(body)) addTo(this.#byId, id, user);
  }
}
