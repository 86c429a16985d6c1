import type { Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { idsOf } from "../kind/identity.js";
import { pointerKeys } from "../../json/json-pointer.js";
import { lookupIn } from "../plan/ids-after-plan.js";
import { movedFrom } from "../plan/move.js";
import type { Resource } from "../resources/resource.js";
import type { LockEntry } from "../state/lock.js";
import { type FoundObject, leftOut } from "./found-object.js";
import { importedEntry } from "./import-entry.js";
import type { Importing } from "./importing.js";
import { matchDocuments, type Match } from "./match-documents.js";

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
  readonly findings: readonly Finding[];
}

/** Finds the objects of documents that have none, those that others refer to first. */
export function documentsWithObjects(
  objects: readonly FoundObject[],
  importing: Importing,
): MatchedDocuments {
  const { fleet, lock, begun } = importing;
  let waiting = [...fleet.resources.values()].filter((resource) => isNew(resource, importing));
  let rest = [...objects];
  const adopted: AdoptedDocument[] = [];
  const findings: Finding[] = [];
  const entries: Record<string, LockEntry> = {};
  for (let isDone = false; !isDone;) {
    const lookup = lookupIn({ resources: { ...lock.resources, ...entries } });
    const ready = waiting.filter(({ references }) => references.every((each) => lookup(each) !== undefined));
    const { sure, ambiguous, similar } = matchDocuments(ready, rest, {
      lookup,
      reading: importing,
      begun,
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
        if (!taken.has(object)) findings.push(severalFit(object, resources, equal));
        taken.add(object);
      }
    }
    const settled = new Set(sure.map(({ resource }) => resource));
    for (const match of similar) {
      if (taken.has(match.object) || settled.has(match.resource)) continue;
      findings.push(likeDocument(match));
      taken.add(match.object);
    }
    rest = rest.filter((object) => !taken.has(object));
    const left = waiting.filter((resource) => !ready.includes(resource));
    isDone = sure.length === 0 || left.length === 0;
    waiting = left;
  }
  return { adopted, entries, rest, findings };
}

// What `adopt` or `moved_from` says of a document, the next apply does.
function isNew(resource: Resource, { lock }: Importing): boolean {
  const { address, lifecycle } = resource;
  const all = [address, ...movedFrom(resource)];
  return lifecycle.adopt === undefined && all.every((each) => !lock.resources[each] && !lock.unknown[each]);
}

function beyond({ sighting, resource }: Match): string[] {
  const { kind } = resource;
  const fields = [...sighting.own.keys()].map((pointer) => pointerKeys(pointer)[0] ?? "");
  const known = kind.fields.fields?.spec?.fields ?? {};
  return [...new Set(fields)].filter((field) => Object.hasOwn(known, field));
}

function severalFit(
  object: FoundObject,
  resources: readonly Resource[],
  equal: readonly FoundObject[],
): Finding {
  const documents = bare({ addresses: resources.map(({ address }) => address) });
  const why =
    equal.length > 1
      ? say`${documents} and ${{ count: equal.length }} objects are equal, so which is which is not clear`
      : say`${documents} all describe it`;
  return leftOut(
    object,
    why,
    `choose with \`agentform lock resolve ${resources[0]?.address ?? "ADDR"} --adopt ID\``,
  );
}

function likeDocument({ object, resource, fields }: Match & { readonly fields: readonly string[] }): Finding {
  const names = fields.map((field) => `\`${field}\``).join(", ");
  const why = say`${bare({ address: resource.address })} in ${bare({ file: resource.file })} has the same name, and they differ in ${bare({ fields: [...fields] }, names)}`;
  const ids = idsOf(object.identity);
  const given = resource.kind.operations ? "OPERATION=ID,…" : (ids[0] ?? "ID");
  const hint = `if it is the same, run \`agentform lock resolve ${resource.address} --adopt ${given}\`; if not, give the document's object a different name`;
  return leftOut(object, why, hint);
}
