import { addTo } from "../../json/groups.js";
import { isObject } from "../../json/json.js";
import { eachText } from "../expression/reference.js";
import { foldedKey } from "../kind/id.js";
import { IdSearch } from "../kind/id-search.js";
import type { ListedUsers } from "../observation/listed-users.js";
import { environmentName } from "../resources/environment-name.js";
import type { Resource } from "../resources/resource.js";
import type { Lock } from "../state/lock.js";
import { findUsers, type ObjectUser, type ServiceObject } from "../state/object-users.js";
import { pendingAdoption } from "./adoption.js";
import { cause, type Cause } from "./cause.js";

/** Gives what outside of a lock uses an object, and how. */
export type OutsideUsers = (object: ServiceObject) => readonly Cause[];

/** What may use an object. */
export interface Surroundings {
  readonly lock: Lock;
  /** Nothing unless the service was asked. */
  readonly listed?: ListedUsers;
  readonly outside: OutsideUsers;
}

/** How something uses an object, or may use it. */
export interface ObjectUse {
  readonly why: Cause;
  /** What in the lock does. */
  readonly user?: ObjectUser;
  /** The key of what a list of the service shows to. */
  readonly listed?: string;
}

/** Finds what uses some objects now: the one question of all that deletes an object or names who uses it. */
export function findUses(
  objects: readonly ServiceObject[],
  { lock, listed, outside }: Surroundings,
): (object: ServiceObject) => readonly ObjectUse[] {
  const usersOf = findUsers(lock, objects);
  return (object) => [
    ...usersOf(object).map((user) => ({ why: cause("used", { user }), user })),
    ...(listed?.usersOf(object) ?? []).map(({ name, key }) => ({
      why: cause("used-in-service", { name }),
      listed: key,
    })),
    ...outside(object).map((why) => ({ why })),
  ];
}

/** Finds the documents of any environment that name or adopt an object's ID; `where` is another workspace's name. */
export function findUsesInDocuments(
  { resources: documents, settings: { environment } }: DocumentsToSearch,
  lock: Pick<Lock, "resources">,
  objects: readonly ServiceObject[],
  where?: string,
): OutsideUsers {
  const search = new IdSearch(objects.map(({ id }) => id));
  const there = where !== undefined && { where };
  const adopters = findAdopters(documents.values(), environment, lock, there);
  const named = new Map<string, Cause[]>();
  for (const { address, body } of documents.values())
    for (const id of search.in(body)) addTo(named, id, cause("named-by-document", { address, ...there }));
  return (object) => [...adopters(object), ...(named.get(object.id) ?? [])];
}

interface DocumentsToSearch {
  readonly resources: ReadonlyMap<string, Pick<Resource, "address" | "lifecycle" | "body">>;
  readonly settings: { readonly environment: string | null };
}

function findAdopters(
  documents: Iterable<Pick<Resource, "address" | "lifecycle">>,
  environment: string | null,
  { resources }: Pick<Lock, "resources">,
  there: { readonly where: string } | false,
): OutsideUsers {
  const adopted = new Map<string, Cause[]>();
  for (const { address, lifecycle } of documents) {
    const { adopt } = lifecycle;
    if (adopt === undefined) continue;
    const pending = pendingAdoption({ lifecycle }, environment, resources[address]);
    const elsewhere = isObject(adopt) ? { ...adopt, [environmentName(environment)]: "" } : {};
    const ids = new Set<string>();
    eachText([pending ?? "", elsewhere], (text) => {
      // For a tool set, `operation=ID`.
      for (const id of [text, text.slice(text.lastIndexOf("=") + 1)]) ids.add(id);
    });
    const why = cause("adopted-by-document", { address, ...there });
    for (const id of ids) addTo(adopted, foldedKey(address, id), why);
  }
  return ({ address, id }) => adopted.get(foldedKey(address, id)) ?? [];
}
