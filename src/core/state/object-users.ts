import { readReference, referencesIn } from "../expression/reference.js";
import { mentionsId } from "../kind/id-mention.js";
import { idsOf } from "../kind/identity.js";
import type { Json } from "../../json/json.js";
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

/**
 * Finds what in a lock has an object, or may refer to it: by an ID that was resolved or written literally, or, for
 * what is left behind itself, by the object's address. A resource whose last update has an unknown outcome may refer
 * to anything.
 */
export function usersIn({ resources, unknown, retired }: Lock, object: ServiceObject): ObjectUser[] {
  return [
    ...Object.entries(resources).flatMap(([address, entry]) => found(address, useIn(address, entry, object))),
    ...Object.entries(unknown).flatMap(([address, create]) =>
      found(address, useInUnknown(address, create, object)),
    ),
    ...Object.entries(retired).flatMap(([id, other]) => {
      const isItself = id === object.id || other.address === object.address;
      const how = isItself ? undefined : useInRetired(other, object);
      return how === undefined ? [] : [{ address: other.address, retired: id, how }];
    }),
  ];
}

function found(address: string, how: string | undefined): ObjectUser[] {
  return how === undefined ? [] : [{ address, how }];
}

function useIn(address: string, entry: LockEntry, { id, address: of }: ServiceObject): string | undefined {
  const key = idKey(of, id);
  const candidates = (entry.candidates ?? []).flatMap((each) => Object.values(each));
  if ([...idsOf(entry), ...candidates].some((own) => idKey(address, own) === key)) {
    return `it is managed as ${address}`;
  }
  if (refersTo(entry.references, key)) return `${address} refers to it`;
  if (mentions(entry.body, id) || (entry.attempted && mentions(entry.attempted, id))) {
    return `${address} contains its ID`;
  }
  return entry.uncertain === true
    ? `the last update of ${address} is uncertain, so it may refer to it`
    : undefined;
}

function useInUnknown(
  address: string,
  { ids = [], tools = {}, found: known = {}, references, body }: UnknownCreate,
  { id, address: of }: ServiceObject,
): string | undefined {
  const key = idKey(of, id);
  const own = [...ids, ...Object.values(tools), ...Object.values(known)];
  if (own.some((each) => idKey(address, each) === key)) {
    return `it may be ${address}, whose outcome is unknown`;
  }
  if (refersTo(references, key) || mentions(body, id)) {
    return `${address}, whose outcome is unknown, may refer to it`;
  }
  return undefined;
}

// A retired object keeps its body alone, in which references are symbolic.
function useInRetired({ address, body }: RetiredObject, object: ServiceObject): string | undefined {
  if (!body) return undefined;
  const refers = referencesIn(body).some((reference) => reference.address === object.address);
  return refers || mentions(body, object.id)
    ? `${address}, which is left behind too, may refer to it`
    : undefined;
}

function refersTo(references: LockEntry["references"] = {}, key: string): boolean {
  return Object.entries(references).some(([text, ids]) => {
    const { address } = readReference(text);
    return [ids].flat().some((id) => idKey(address, id) === key);
  });
}

const texts = new WeakMap<object, string>();

// Most bodies do not have the ID anywhere, and a search of their text is faster than a walk.
function mentions(body: LockEntry["body"], id: string): boolean {
  const text = texts.get(body) ?? JSON.stringify(body);
  texts.set(body, text);
  return text.includes(JSON.stringify(id).slice(1, -1)) && mentionsId(body as Json, id);
}
