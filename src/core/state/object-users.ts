import { foldedKey } from "../kind/id.js";
import { addTo } from "../../json/groups.js";
import { readReference, referencesIn } from "../expression/reference.js";
import { IdSearch } from "../kind/id-search.js";
import { possibleIdsOf, retiredIn } from "./known-ids.js";
import type { Attempt } from "../../generated/lock.js";
import type { Lock } from "./lock.js";

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

/** Finds what in a lock may refer to objects, by ID or by a left address; after an unknown update, anything may. */
export function findUsers(lock: Lock, objects: readonly ServiceObject[]): UsersOf {
  const search = new IdSearch(objects.map(({ id }) => id));
  const wanted = new Set(objects.map(({ address, id }) => foldedKey(address, id)));
  const byKey = new Map<string, ObjectUser[]>();
  const byId = new Map<string, ObjectUser[]>();
  const byAddress = new Map<string, ObjectUser[]>();
  const ofAll: ObjectUser[] = [];
  const addIds = (user: ObjectUser, address: string, ids: readonly string[]): void => {
    const keys = ids.map((id) => foldedKey(address, id)).filter((key) => wanted.has(key));
    for (const key of keys) addTo(byKey, key, user);
  };
  const addContent = ({ body, references = {} }: Attempt, user: ObjectUser, container = user): void => {
    for (const [text, ids] of Object.entries(references))
      addIds(user, readReference(text).address, [ids].flat());
    for (const id of search.in(body)) addTo(byId, id, container);
  };
  for (const [address, entry] of Object.entries(lock.resources)) {
    addIds({ address, use: "manages" }, address, possibleIdsOf(entry));
    for (const sent of [entry, ...(entry.attempted ?? [])])
      addContent(sent, { address, use: "refers" }, { address, use: "contains" });
    if (entry.uncertain === true) ofAll.push({ address, use: "uncertain" });
  }
  for (const [address, create] of Object.entries(lock.unknown)) {
    const ids = [...possibleIdsOf(create), ...Object.values(create.tools ?? {})];
    addIds({ address, use: "unknown-manages" }, address, ids);
    addContent(create, { address, use: "unknown-refers" });
  }
  for (const [id, { address, body, references = {} }] of retiredIn(lock)) {
    if (!body) continue;
    const user = { address, retired: id, use: "retired-refers" } as const;
    addContent({ body, references }, user);
    // What is not known to have stood for an object may stand for any that had the address.
    const open = referencesIn(body).filter(({ text }) => !Object.hasOwn(references, text));
    for (const target of new Set(open.map((reference) => reference.address)))
      addTo(byAddress, target, { ...user, use: "retired-may-refer" });
  }
  return ({ address, id }) => {
    const own = [byKey.get(foldedKey(address, id)), byId.get(id), byAddress.get(address)];
    // What is left behind at the same address is an earlier object, and no user.
    const others = own
      .flatMap((users = []) => users)
      .filter(({ retired, address: user }) => retired === undefined || user !== address);
    const named = new Set(others.map((user) => `${user.address} ${user.retired ?? ""}`));
    return [...others, ...ofAll.filter((user) => !named.has(`${user.address} `))];
  };
}
