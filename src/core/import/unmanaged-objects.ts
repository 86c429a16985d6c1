import { compareText } from "../../json/compare-text.js";
import { idsOf } from "../kind/identity.js";
import type { KindName } from "../../generated/kinds.js";
import { adoptionOf, documentsWithObjects, type OfferedDocument } from "./adopted-documents.js";
import { draftObjects } from "./draft-objects.js";
import { nameOf, type FoundObject } from "./found-object.js";
import type { Importing } from "./importing.js";
import { newObjects, type SortedObjects } from "./new-objects.js";

/** An object of the service that nobody manages. */
export interface UnmanagedObject {
  readonly kind: KindName;
  /** One, or of a tool set those of its tools. */
  readonly ids: readonly string[];
  readonly name: string;
  /** What an import would make of it. */
  readonly fate:
    /** A document of its own, at this address. */
    | { readonly type: "new"; readonly address: string }
    /** A document says what it has, and gets it. */
    | { readonly type: "described"; readonly address: string; readonly file: string }
    /** A document may be its own, which a person says with this command. */
    | ({ readonly type: "offered"; readonly command: readonly string[] } & Pick<
        OfferedDocument,
        "addresses" | "by" | "fields"
      >);
}

/** The objects of a service that nobody manages. */
export interface UnmanagedObjects extends Omit<SortedObjects, "objects"> {
  readonly objects: readonly UnmanagedObject[];
}

/** Finds the objects of a service that nobody manages, and what an import would make of them. */
export function unmanagedObjects(importing: Importing): UnmanagedObjects {
  const { fleet } = importing;
  const { objects, findings, managed, retired } = newObjects(importing);
  const { adopted, offered, rest } = documentsWithObjects(objects, importing);
  const fates = new Map<FoundObject, UnmanagedObject["fate"]>();
  const ownerOf = new Map(
    adopted.flatMap(({ address, entry }) => idsOf(entry).map((id) => [id, address] as const)),
  );
  for (const object of objects) {
    const address = ownerOf.get(idsOf(object.identity)[0] ?? "");
    const resource = address === undefined ? undefined : fleet.resources.get(address);
    if (resource?.kind.name === object.kind.name) {
      fates.set(object, { type: "described", address: resource.address, file: resource.file });
    }
  }
  for (const { object, addresses, by, fields } of offered) {
    const command = adoptionOf(object, addresses[0] ?? "ADDR", importing.choice);
    fates.set(object, { type: "offered", addresses, by, fields, command });
  }
  for (const { object, address } of draftObjects(rest, importing)) {
    fates.set(object, { type: "new", address });
  }
  const listed = objects.flatMap((object): UnmanagedObject[] => {
    const fate = fates.get(object);
    const { kind, identity } = object;
    return fate ? [{ kind: kind.name, ids: idsOf(identity), name: nameOf(object), fate }] : [];
  });
  const order = importing.listings.map(({ kind }) => kind.name);
  const byName = (one: UnmanagedObject, other: UnmanagedObject) =>
    order.indexOf(one.kind) - order.indexOf(other.kind) ||
    compareText(one.name, other.name) ||
    compareText(one.ids[0] ?? "", other.ids[0] ?? "");
  return { objects: listed.toSorted(byName), findings, managed, retired };
}
