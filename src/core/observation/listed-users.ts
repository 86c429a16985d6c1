import { asId, foldedId, foldedKey } from "../kind/id.js";
import { addTo, groupBy } from "../../json/groups.js";
import type { Deployment } from "../kind/deployment.js";
import { IdSearch } from "../kind/id-search.js";
import { kindOfAddress, kinds } from "../kind/kinds.js";
import { filterMembers, type JsonObject } from "../../json/json.js";
import { idsIn } from "../state/known-ids.js";
import type { Lock } from "../state/lock.js";
import type { ServiceObject } from "../state/object-users.js";
import { listWhole } from "./list-whole.js";
import { withIds } from "./observed-body.js";
import type { Service } from "./service.js";

/** An object that a list of the service shows to refer to a different one. */
export interface ListedUser {
  /** Its kind, ID and name, and its address if it is managed. */
  readonly name: string;
  /** Tells it apart, as idKey gives it. */
  readonly key: string;
}

/** What the lists of a deployment show about some objects. */
export interface ListedUsers {
  /** Why a list could not be read to its end; then nothing says that an object is unused. */
  readonly unreadable: readonly string[];
  usersOf(object: ServiceObject): readonly ListedUser[];
  /** Whether an object is in the list of its kind; undefined if that has none. */
  isListed(object: ServiceObject): boolean | undefined;
}

/** Reads every list that a deployment has, to find out what refers to some objects, anywhere in a body. */
export async function readListedUsers(
  service: Service,
  deployment: Deployment,
  objects: readonly ServiceObject[],
  { resources }: Pick<Lock, "resources">,
): Promise<ListedUsers> {
  const own = idsIn(resources);
  const managed = new Map(own.map(({ address, id }) => [foldedKey(address, id), address]));
  const search = new IdSearch(objects.map(({ id }) => id));
  const byId = groupBy(objects, ({ id }) => id);
  const users = new Map<string, ListedUser[]>();
  const listed = new Map<string, Set<string>>();
  const unreadable: string[] = [];
  const read = async (kind: (typeof kinds)[keyof typeof kinds]): Promise<void> => {
    const { list, read: one } = deployment[kind.name] ?? {};
    if (!list) return;
    const known = [...own, ...objects].filter(({ address }) => kindOfAddress(address).name === kind.name);
    const ids = known.map(({ id }) => id);
    const listing = await listWhole(service, list, one, ids);
    if (!listing.ok) {
      unreadable.push(listing.message);
      return;
    }
    listed.set(kind.name, new Set(listing.objects.map(({ id }) => foldedId(id))));
    const idFields = new Set([...list.idFields, list.id?.slice(1)]);
    for (const { id, body: shown } of listing.objects) {
      const key = foldedKey(`${kind.name}:`, id);
      // Its own ID is no reference to an object of another kind with the same ID.
      const body = filterMembers(shown, (field, value) => !idFields.has(field) || asId(value) !== id);
      // A number is an ID where a document refers to something.
      const ids = search.in([body, withIds(body, kind)]);
      for (const object of [...ids].flatMap((found) => byId.get(found) ?? [])) {
        const used = foldedKey(object.address, object.id);
        if (used === key) continue;
        const name = managed.get(key) ?? nameOf(kind.noun[0], id, body);
        addTo(users, used, { name, key });
      }
    }
  };
  await Promise.all(Object.values(kinds).map(read));
  return {
    unreadable: unreadable.toSorted(),
    usersOf: ({ address, id }) => users.get(foldedKey(address, id)) ?? [],
    isListed: ({ id, address }) => listed.get(kindOfAddress(address).name)?.has(foldedId(id)),
  };
}

function nameOf(noun: string, id: string, body: JsonObject): string {
  const field = Object.keys(body).find((key) => /(^|_)name$/.test(key));
  const name = field === undefined ? undefined : body[field];
  return `the ${noun} ${id}${typeof name === "string" && name !== "" ? ` (${name})` : ""}`;
}
