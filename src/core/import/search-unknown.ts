import { retiredIn } from "../state/known-ids.js";
import { textOf } from "../finding/said.js";
import { sentLookup } from "../observation/entry-sighting.js";
import { readReference } from "../expression/reference.js";
import type { Adoption } from "../plan/adoption.js";
import { idsOf } from "../kind/identity.js";
import { kindOfAddress } from "../kind/kinds.js";
import { equal } from "../../json/json.js";
import { lookupIn } from "../state/entry-ids.js";
import type { Lock, UnknownCreate } from "../state/lock.js";
import { beyondName, differences, sightObject } from "./match-documents.js";
import {
  foundObjects,
  nameOf,
  seenBody,
  symbolicName,
  type FoundObject,
  type AnswerReading,
} from "./found-object.js";
import { withTools } from "./import-entry.js";
import { elsewhereText, objectKey, type Elsewhere, type KindListing } from "./importing.js";

/** An object that may be what a create of unknown outcome made. */
export interface ObjectCandidate {
  readonly ids: readonly string[];
  readonly name: string;
  /** When it was created, if the service says so. */
  readonly createdAt?: string;
  /** The fields in which it differs from what was sent; none if it is equal. */
  readonly fields: readonly string[];
  /** Why it cannot be the one, although it is equal. */
  readonly problem?: string;
  /** The IDs as a person would give them. */
  readonly adoption: Adoption;
}

/** What a search found. */
export interface CandidateSearch {
  /** Those that are equal first, then those with the same name. */
  readonly candidates: readonly ObjectCandidate[];
  /** How many objects were looked at. */
  readonly looked: number;
  /** The only one that it can be. */
  readonly sure?: ObjectCandidate;
}

/** A search for the outcome of a create, at its address. */
export interface SearchedAddress {
  readonly address: string;
  readonly search: CandidateSearch;
}

/** What a search is made of. */
export interface Searching {
  /** Where the lock has the create. */
  readonly address: string;
  readonly unknown: UnknownCreate;
  readonly lock: Lock;
  readonly listing: KindListing;
  readonly reading: AnswerReading;
  readonly elsewhere: Elsewhere;
}

/** Looks for the object that a create of unknown outcome made. */
export function searchUnknown(searching: Searching): CandidateSearch {
  const { listing, reading } = searching;
  const { kind, objects } = listing;
  const owners = ownersOf(searching);
  const ownerOf = (id: string) => owners.get(objectKey(`${kind.name}:`, id));
  const twin = twinOf(searching);
  // A tool set is not put together of tools that somebody has and others.
  const found = [false, true].flatMap((isOwned) => {
    const listed = objects.filter(({ id }) => (ownerOf(id) !== undefined) === isOwned);
    return foundObjects(kind, listed, reading);
  });
  const candidates = found
    .flatMap((object) => {
      const owner = idsOf(object.identity).flatMap((id) => ownerOf(id) ?? [])[0];
      const alike = candidateOf(object, { owner, twin }, searching);
      return owner === undefined ? alike : alike.filter(({ fields }) => fields.length === 0);
    })
    .toSorted((left, right) => left.fields.length - right.fields.length);
  const possible = candidates.filter(({ fields, problem }) => fields.length === 0 && problem === undefined);
  const [only, ...others] = possible;
  const isSure = only !== undefined && others.length === 0 && !listing.isWithheld;
  return { candidates, looked: objects.length, ...(isSure && { sure: only }) };
}

// Clocks differ; an object that is older than this was there before the create.
const slack = 10 * 60 * 1000;

function candidateOf(
  object: FoundObject,
  { owner, twin }: { readonly owner: string | undefined; readonly twin: string | undefined },
  searching: Searching,
): ObjectCandidate[] {
  const { unknown, lock, reading } = searching;
  const { kind, identity } = object;
  const sent = { kind, body: unknown.body };
  if (object.problem !== undefined) return unreadCandidate(object, unknown, owner);
  if (nameOf(object) !== symbolicName(sent)) return [];
  // A claim was written before the IDs were known that it refers to; since then, somebody may have said what they are.
  const [then, now] = [sentLookup(unknown), lookupIn(lock)];
  const sighting = sightObject(sent, object, (reference) => then(reference) ?? now(reference), reading);
  const fields = differences({ ...sent, sighting });
  const createdAt = createdAtOf(object);
  const since = Date.parse(unknown.since);
  const age = createdAt === undefined ? Number.NaN : timeOf(createdAt) - since;
  const isNew = age >= -slack;
  // A name alone says who it is only together with the time.
  const unclear = fields.length === 0 && !isNew ? beyondName({ ...sent, sighting }) : [];
  const problem =
    owner ??
    (age < -slack ? "it is older than the create" : undefined) ??
    (twin === undefined ? undefined : `the create of ${twin} has an unknown outcome and the same body`);
  const { ids = [], tools } = withTools(identity, kind, seenBody(object, reading));
  const adoption = tools
    ? Object.entries(tools).map(([operation, id]) => `${operation}=${id}`)
    : (identity.id ?? "");
  return [
    {
      ids: identity.id === undefined ? ids : [identity.id],
      name: nameOf(object),
      ...(createdAt !== undefined && { createdAt }),
      fields: fields.length > 0 ? fields : unclear,
      ...(problem !== undefined && { problem }),
      adoption,
    },
  ];
}

// It cannot be compared, but it is not absent: whoever is told that nothing was found says so, and makes it again.
function unreadCandidate(
  { kind, identity, body, problem = "" }: FoundObject,
  unknown: UnknownCreate,
  owner: string | undefined,
): ObjectCandidate[] {
  const name = nameOf({ kind, body });
  if (owner !== undefined || (name !== "" && name !== symbolicName({ kind, body: unknown.body }))) return [];
  const ids = idsOf(identity);
  const fields = Object.keys(unknown.body).filter((field) => !Object.hasOwn(body, field));
  return [{ ids, name, fields, problem, adoption: [...ids] }];
}

// Services name it in two ways, and write it as a text or as a number of seconds or parts of them.
function createdAtOf({ parts: [first = {}] }: FoundObject): string | undefined {
  const time = first.created_at ?? first["createdAt"];
  if (typeof time === "string") return Number.isNaN(timeOf(time)) ? undefined : time;
  if (typeof time !== "number" || time <= 0) return undefined;
  const date = new Date(millisecondsOf(time));
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

// Each least one is of the year 1973, and in the unit before it of one far from now.
function millisecondsOf(time: number): number {
  const leastMilliseconds = 100_000_000_000;
  if (time < leastMilliseconds) return time * 1000;
  return time < leastMilliseconds * 1000 ? time : time / 1000;
}

// A time without a zone is one of UTC in most services, and none of this machine; a day lasts until its end.
function timeOf(time: string): number {
  if (/^\d{4}-\d\d-\d\d$/.test(time)) return Date.parse(`${time}T23:59:59Z`);
  const isLocal = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?$/.test(time);
  return Date.parse(isLocal ? `${time.replace(" ", "T")}Z` : time);
}

// Two creates that sent the same cannot be told apart.
function twinOf({ address, lock, listing, unknown, elsewhere }: Searching): string | undefined {
  const others = [
    ...Object.entries(lock.unknown).map(([other, { body }]) => ({ other, name: other, body })),
    ...elsewhere.unknown.map(({ address: other, body, ...there }) => {
      return { other, name: `${other} in ${textOf(elsewhereText(there))}`, body };
    }),
  ];
  return others.find(
    ({ other, name, body }) =>
      name !== address && kindOfAddress(other).name === listing.kind.name && equal(body, unknown.body),
  )?.name;
}

/** Says who has what, by `objectKey`. */
function ownersOf({ address, lock, elsewhere }: Searching): Map<string, string> {
  const owners = new Map<string, string>();
  for (const [key, other] of elsewhere.owners) owners.set(key, `${textOf(elsewhereText(other))} has it`);
  const own = (other: string, ids: readonly string[], why: string) => {
    for (const id of ids) owners.set(objectKey(other, id), why);
  };
  for (const [id, { address: of }] of retiredIn(lock)) {
    own(of, [id], `it was there before, as ${readReference(of).address}`);
  }
  for (const [other, entry] of Object.entries(lock.resources)) own(other, idsOf(entry), `${other} has it`);
  for (const [other, { found = {} }] of Object.entries(lock.unknown)) {
    if (other !== address) own(other, Object.values(found), `${other} has it`);
  }
  return owners;
}
