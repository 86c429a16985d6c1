import { resolveCommand, stateOptions, type StateChoice } from "../state/state-choice.js";
import { shellLine, shellWord } from "../finding/shell-word.js";
import type { Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { idsOf } from "../kind/identity.js";
import { firstKey } from "../../json/json-pointer.js";
import { lookupIn } from "../state/entry-ids.js";
import { movedFrom } from "../resources/former-address.js";
import { adoptionForm } from "../plan/tool-ids.js";
import type { Resource } from "../resources/resource.js";
import type { LockEntry } from "../state/lock.js";
import { type FoundObject, leftOut } from "./found-object.js";
import { importedEntry } from "./import-entry.js";
import type { Importing } from "./importing.js";
import { matchDocuments, type Match, type SimilarObject } from "./match-documents.js";

/** A document that gets the object that it describes. */
export interface AdoptedDocument {
  readonly address: string;
  readonly entry: LockEntry;
  /** The fields that the object has and the document has not. */
  readonly beyond: readonly string[];
}

/** The documents that get an object, and the objects that no document describes. */
export interface MatchedDocuments {
  readonly adopted: readonly AdoptedDocument[];
  readonly entries: Readonly<Record<string, LockEntry>>;
  readonly rest: readonly FoundObject[];
  /** The objects that may be those of documents, for a person to say. */
  readonly offered: readonly OfferedDocument[];
}

/** A document that may describe an object, and what a person is asked about it. */
export interface OfferedDocument {
  readonly object: FoundObject;
  readonly addresses: readonly string[];
  /** What both have; nothing but equal others if it is not clear which is which. */
  readonly by: SimilarObject["by"] | "several";
  /** The fields in which they differ. */
  readonly fields: readonly string[];
  readonly finding: Finding;
}

/** Finds the objects of documents that have none, those that others refer to first. */
export function documentsWithObjects(
  objects: readonly FoundObject[],
  importing: Importing,
): MatchedDocuments {
  const { fleet, lock, unfinished } = importing;
  let waiting = [...fleet.resources.values()].filter((resource) => isNew(resource, importing));
  let rest = [...objects];
  const adopted: AdoptedDocument[] = [];
  const offered: OfferedDocument[] = [];
  const renamed: SimilarObject[] = [];
  const entries: Record<string, LockEntry> = {};
  for (let isDone = false; !isDone;) {
    const lookup = lookupIn({ resources: { ...lock.resources, ...entries } });
    const ready = waiting.filter(({ references }) => references.every((each) => lookup(each) !== undefined));
    const { sure, ambiguous, similar } = matchDocuments(ready, rest, {
      lookup,
      reading: importing,
      unfinished,
    });
    for (const match of sure) {
      const { object, resource } = match;
      const { address } = resource;
      const known = { ...lock.resources, ...entries };
      const entry = importedEntry(resource, object, { entries: known, reading: importing });
      entries[address] = entry;
      adopted.push({ address, entry, beyond: beyond(match) });
    }
    const taken = new Set(sure.map(({ object }) => object));
    for (const { resources, objects: equal } of ambiguous) {
      for (const object of equal) {
        if (!taken.has(object)) offered.push(severalFit(object, resources, equal, importing));
        taken.add(object);
      }
    }
    const settled = new Set(sure.map(({ resource }) => resource));
    for (const match of similar) {
      if (taken.has(match.object) || settled.has(match.resource)) continue;
      if (match.by !== "name") renamed.push(match);
      else {
        offered.push(likeDocument(match, importing));
        taken.add(match.object);
      }
    }
    rest = rest.filter((object) => !taken.has(object));
    const left = waiting.filter((resource) => !ready.includes(resource));
    isDone = sure.length === 0 || left.length === 0;
    waiting = left;
  }
  // Who names an object whose name is another one says that it is another one.
  for (const match of importing.wanted ? [] : renamed) {
    if (!rest.includes(match.object) || entries[match.resource.address]) continue;
    offered.push(likeDocument(match, importing));
    rest = rest.filter((object) => object !== match.object);
  }
  return { adopted, entries, rest, offered };
}

// What `adopt` or `moved_from` says of a document, the next apply does.
function isNew(resource: Resource, { lock }: Importing): boolean {
  const { address, lifecycle } = resource;
  const all = [address, ...movedFrom(resource)];
  return lifecycle.adopt === undefined && all.every((each) => !lock.resources[each] && !lock.unknown[each]);
}

function beyond({ sighting, resource }: Match): string[] {
  const { kind } = resource;
  const fields = [...sighting.own.keys()].map(firstKey);
  const known = kind.fields.fields.spec.fields;
  return [...new Set(fields)].filter((field) => Object.hasOwn(known, field));
}

function severalFit(
  object: FoundObject,
  resources: readonly Resource[],
  equal: readonly FoundObject[],
  { choice }: Importing,
): OfferedDocument {
  const addresses = resources.map(({ address }) => address);
  const documents = bare({ addresses });
  const why =
    equal.length > 1
      ? say`${documents} and ${{ count: equal.length }} objects are equal, so which is which is not clear`
      : say`${documents} all describe it`;
  const hint = `choose with \`${resolveCommand(addresses[0] ?? "ADDR", choice)} --adopt ${adoptionForm(object.kind)}\``;
  return { object, addresses, by: "several", fields: [], finding: leftOut(object, why, hint) };
}

function likeDocument(
  { object, resource, by, fields }: SimilarObject,
  { choice }: Importing,
): OfferedDocument {
  const { address, file } = resource;
  const names = fields.map((field) => `\`${field}\``).join(", ");
  const both = {
    name: "has the same name",
    key: "has the key that its name would get",
    body: "says the same",
  }[by];
  const differing = bare({ fields: [...fields] }, names);
  const why =
    by === "body"
      ? say`${bare({ address })} in ${bare({ file })} ${both}, and only ${differing} differs`
      : say`${bare({ address })} in ${bare({ file })} ${both}, and they differ in ${differing}`;
  const other =
    by === "name"
      ? "give the document's object a different name"
      : `run \`agentform import${stateOptions(choice)} ${shellWord(`${object.kind.name}:${idsOf(object.identity)[0] ?? "ID"}`)}\``;
  const hint = `if it is the same, run \`${shellLine(adoptionOf(object, address, choice))}\`; if not, ${other}`;
  return { object, addresses: [address], by, fields, finding: leftOut(object, why, hint) };
}

/** Gives the words of the command by which a document gets an object. */
export function adoptionOf({ kind, identity }: FoundObject, address: string, choice: StateChoice): string[] {
  const given = (kind.operations ? undefined : idsOf(identity)[0]) ?? adoptionForm(kind);
  return [...resolveCommand(address, choice).split(" "), "--adopt", given];
}
