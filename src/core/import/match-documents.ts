import { connected, groupBy } from "../../json/groups.js";
import { toReference } from "../expression/reference.js";
import type { Lookup, ExpressionValue } from "../expression/resolution.js";
import { lasting } from "../kind/body.js";
import { idsOf } from "../kind/identity.js";
import type { Kind } from "../kind/kind.js";
import { equal, type Json, type JsonObject } from "../../json/json.js";
import { firstKey } from "../../json/json-pointer.js";
import { specOf, withIdsAs } from "../observation/observed-body.js";
import { sightingOf, type Sighting } from "../observation/sighting.js";
import type { Resource } from "../resources/resource.js";
import { knownField } from "../schema/known-field.js";
import { keyFor } from "./draft-objects.js";
import { nameOf, seenBody, symbolicName, type FoundObject, type AnswerReading } from "./found-object.js";

/** A document and the object that it describes. */
export interface Match {
  readonly resource: Resource;
  readonly object: FoundObject;
  readonly sighting: Sighting;
}

/** Which documents describe which objects, and where that is not clear. */
export interface Matches {
  readonly sure: readonly Match[];
  /** Documents and objects that are all equal. */
  readonly ambiguous: readonly {
    readonly resources: readonly Resource[];
    readonly objects: readonly FoundObject[];
  }[];
  /** Objects that may be those of documents which say something else. */
  readonly similar: readonly SimilarObject[];
}

/** An object that may be that of a document: what both have, and the fields in which they differ. */
export interface SimilarObject extends Match {
  readonly by: "name" | "key" | "body";
  readonly fields: readonly string[];
}

/** What a comparison of documents with objects depends on. */
export interface Matching {
  readonly lookup: Lookup;
  readonly reading: AnswerReading;
  /** The first IDs of what an import that did not end was writing, by address: they tell equal objects apart. */
  readonly unfinished: ReadonlyMap<string, string>;
}

/** Compares documents that have no object with objects that have no document. */
export function matchDocuments(
  resources: readonly Resource[],
  objects: readonly FoundObject[],
  { lookup, reading, unfinished }: Matching,
): Matches {
  const byName = groupBy(objects, (object) => nameKey(object.kind.name, nameOf(object)));
  const equals: Match[] = [];
  const similar: SimilarObject[] = [];
  const alone: Resource[] = [];
  const compare = (resource: Resource, object: FoundObject) => {
    const sighting = sightObject(resource, object, lookup, reading);
    const compared = { kind: resource.kind, body: resource.body, sighting };
    const differing = differences(compared);
    // A name is not enough to say that two are the same.
    const fields = differing.length > 0 ? differing : beyondName(compared);
    return { match: { resource, object, sighting }, fields };
  };
  for (const resource of resources) {
    const { kind, body } = resource;
    const name = symbolicName({ kind, body });
    const namesakes = name === undefined ? undefined : byName.get(nameKey(kind.name, name));
    if (!namesakes) alone.push(resource);
    for (const object of namesakes ?? []) {
      const { match, fields } = compare(resource, object);
      if (fields.length === 0) equals.push(match);
      else similar.push({ ...match, by: "name", fields });
    }
  }
  similar.push(...otherNames(alone, objects, compare));
  return { ...pair(equals, unfinished), similar };
}

type Compare = (
  resource: Resource,
  object: FoundObject,
) => { readonly match: Match; readonly fields: readonly string[] };

// Bodies are compared each with each.
const mostPairs = 10_000;

// One of both may have been renamed.
function otherNames(
  resources: readonly Resource[],
  objects: readonly FoundObject[],
  compare: Compare,
): SimilarObject[] {
  const isFew = resources.length * objects.length <= mostPairs;
  return resources.flatMap((resource) => {
    const { kind, body, key } = resource;
    const isTelling = isFew && Object.keys(body).some((field) => field !== kind.title);
    return objects.flatMap((object): SimilarObject[] => {
      if (object.kind.name !== kind.name) return [];
      const isNamed = keyFor(object) === key;
      if (!isNamed && !isTelling) return [];
      const { match, fields } = compare(resource, object);
      const isAlike = isTelling && fields.every((field) => field === kind.title);
      return isNamed || isAlike ? [{ ...match, by: isAlike ? "body" : "key", fields }] : [];
    });
  });
}

function nameKey(kind: string, name: string): string {
  return `${kind}:${name.trim().normalize("NFC")}`;
}

/** What a document or a create says, and an object. */
interface ComparedDocument {
  readonly kind: Kind;
  readonly body: JsonObject;
  readonly sighting: Sighting;
}

/** Compares what a document or a create says with an object. */
export function sightObject(
  { kind, body }: Pick<ComparedDocument, "kind" | "body">,
  object: FoundObject,
  lookup: Lookup,
  reading: AnswerReading,
): Sighting {
  const meaning: ExpressionValue = (expression) => {
    const reference = toReference(expression);
    return reference && lookup(reference);
  };
  const sent = lasting(body, kind);
  return sightingOf(sent, withIdsAs(sent, seenBody(object, reading), object.kind), {
    meaning,
    fields: specOf(kind),
    hidden: new Set<string>(),
  });
}

/** Gives the fields in which a document, or a create, and an object differ. */
export function differences({ kind, body, sighting }: ComparedDocument): string[] {
  const sent = lasting(body, kind);
  const changed = [...new Set([...Object.keys(sent), ...Object.keys(sighting.body)])].filter(
    (field) => !equal(sent[field], sighting.body[field]),
  );
  return [...new Set([...changed, ...sighting.missing.map(firstKey), ...substance(kind, sighting)])];
}

/** Gives what an object has beyond its name, where that is all that a document or a create says. */
export function beyondName({ kind, body, sighting }: ComparedDocument): string[] {
  if (!Object.keys(body).every((field) => field === kind.title)) return [];
  return [...new Set([...sighting.own.keys()].filter((at) => isKnown(at, kind)).map(firstKey))];
}

// What services add by themselves are numbers, switches and short words; the rest somebody has written.
function substance(kind: Kind, { own }: Sighting): string[] {
  return [...own].filter(([at, value]) => isKnown(at, kind) && !isSmall(value)).map(([at]) => firstKey(at));
}

function isSmall(value: Json): boolean {
  if (typeof value === "object") return value === null;
  return typeof value !== "string" || (value.length <= 100 && !/\s/.test(value));
}

function isKnown(pointer: string, kind: Kind): boolean {
  return knownField(specOf(kind), firstKey(pointer)) !== undefined;
}

function pair(
  equals: readonly Match[],
  unfinished: ReadonlyMap<string, string>,
): Pick<Matches, "sure" | "ambiguous"> {
  const sure: Match[] = [];
  const ambiguous: { resources: Resource[]; objects: FoundObject[] }[] = [];
  // What is equal to the same object or document belongs together.
  for (const group of connected(equals, ({ resource, object }) => [resource, object])) {
    const resources = [...new Set(group.map(({ resource }) => resource))];
    const chosen =
      group.length === 1
        ? group
        : group.filter(
            ({ resource, object }) => unfinished.get(resource.address) === idsOf(object.identity)[0],
          );
    if (chosen.length === resources.length) sure.push(...chosen);
    else ambiguous.push({ resources, objects: [...new Set(group.map(({ object }) => object))] });
  }
  return { sure, ambiguous };
}
