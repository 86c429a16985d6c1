import { addTo } from "../../json/groups.js";
import { kindOfAddress } from "../kind/kinds.js";
import type { KindName } from "../../generated/kinds.js";
import { type Json, type JsonObject, mapParts } from "../../json/json.js";
import type { Lock, LockEntry } from "../state/lock.js";

/** An ID that a managed resource has, and how documents refer to it. */
interface Owned {
  readonly kind: KindName;
  readonly reference: string;
}

/** Gives the references by the IDs that they stand for now; one ID may be that of an object of each kind. */
export function ownersByName(resources: Lock["resources"]): ReadonlyMap<string, readonly Owned[]> {
  const owners = new Map<string, Owned[]>();
  const add = (id: string, reference: string) => {
    const kind = kindOfAddress(reference)?.name;
    if (kind) addTo(owners, id, { kind, reference });
  };
  for (const [address, { id, tools = {} }] of Object.entries(resources)) {
    if (id !== undefined) add(id, address);
    for (const [operation, tool] of Object.entries(tools)) add(tool, `${address}/${operation}`);
  }
  return owners;
}

/**
 * Writes the IDs in a body as references to the resources that have them, in the fields that refer to resources of
 * their kind; gives the IDs of these references, too.
 */
export function nameReferences(
  body: JsonObject,
  { references = {} }: LockEntry,
  owners: ReturnType<typeof ownersByName>,
): { readonly body: JsonObject; readonly ids: ReadonlyMap<string, string> } {
  const ids = new Map<string, string>();
  const visit = (value: Json, fields: readonly string[]): Json => {
    if (typeof value !== "string") {
      return mapParts(value, (each, key) => visit(each, typeof key === "string" ? [...fields, key] : fields));
    }
    const owned = owners.get(value);
    const owner = owned?.find(({ kind }) => fields.some((field) => refersTo(field, kind)));
    // A reference that stood for another ID when the body was sent cannot stand for this one, too.
    if (!owner || (references[owner.reference] ?? value) !== value) return value;
    ids.set(owner.reference, value);
    return `\${${owner.reference}}`;
  };
  return { body: visit(body, []) as JsonObject, ids };
}

function refersTo(field: string, kind: KindName): boolean {
  const words = new Set(field.split(/[^A-Za-z]+|(?=[A-Z])/).map((word) => word.toLowerCase()));
  return (kindOfAddress(`${kind}:`)?.words ?? []).some((word) => words.has(word));
}
