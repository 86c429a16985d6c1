import type { JsonObject } from "../../json/json.js";
import { pointerKeys, pointerOf } from "../../json/json-pointer.js";
import type { Path } from "../../json/path.js";
import type { Finding } from "../finding/diagnostic.js";
import type { FoundSecret } from "../import/symbolic-body.js";
import type { FoundResource } from "../observation/found-objects.js";
import type { Resource } from "../resources/resource.js";
import { formsOf, type FoundForms } from "./found-forms.js";
import { movedIntoPatch } from "./patch-edits.js";
import type { PlannedEdit } from "./editable-documents.js";
import { planEdit, type EditPlanning } from "./planned-edits.js";
import { Meeting } from "./three-ways.js";
import { unwritten } from "./unwritten.js";
import { withEdits, type ValueEdit } from "./value-edit.js";

/** What could be written of one resource. */
export interface DriftedResource {
  readonly found: FoundResource;
  readonly forms: FoundForms;
  readonly edits: readonly PlannedEdit[];
  /** What its document says already. */
  readonly agreed: readonly ValueEdit[];
  readonly left: readonly Finding[];
}

/** A resource with the edits that are made. */
export interface KeptResource {
  readonly found: FoundResource;
  /** The paths of what is written, or what documents say already. */
  readonly paths: readonly Path[];
  /** The body that the document comes to. */
  readonly desired: JsonObject;
  /** The body that the lock has then, without what is never compared. */
  readonly sent: JsonObject;
  readonly secrets: readonly FoundSecret[];
  /** The JSON pointers of what stays a difference. */
  readonly open: readonly string[];
}

/** Finds what to write so that a resource is as it was found. */
export function driftedResource(
  found: FoundResource,
  resource: Resource,
  planning: EditPlanning,
): DriftedResource {
  const { address } = resource;
  const forms = formsOf(found, resource);
  const { edits, agreed, conflicts } = new Meeting(forms);
  const unplanned: Finding[] = [];
  const first = edits.flatMap((edit) => planEdit(resource, edit, planning, unplanned) ?? []);
  const moved = movedIntoPatch(resource, first, forms.desired, planning, unplanned);
  return {
    found,
    forms,
    edits: moved,
    agreed,
    left: [
      ...unplanned,
      ...conflicts.map((path) =>
        unwritten(address, path, "edited", { place: resource.place(["spec", ...path]) }),
      ),
      ...forms.outlined.map((field) =>
        unwritten(address, [field], "openapi", { place: resource.place(["spec", field]) }),
      ),
      ...forms.partly.map((field) => unwritten(address, [field], "partly")),
      ...[...forms.foreign].map(([pointer, why]) => unwritten(address, pointerKeys(pointer), why)),
    ],
  };
}

/** Gives what a resource comes to with some of its edits. */
export function keptResource(
  { found, forms, agreed }: DriftedResource,
  made: readonly PlannedEdit[],
): KeptResource {
  const edits = made.map(({ edit }) => edit);
  const all = [...agreed, ...edits];
  return {
    found,
    paths: all.map(({ path }) => path),
    desired: withEdits(forms.desired, edits),
    sent: withEdits(withEdits(forms.sent, agreed), edits),
    secrets: made.flatMap(({ secrets }) => secrets),
    open: [...forms.foreign.keys(), ...forms.taken.filter((pointer) => !isWithin(pointer, all))],
  };
}

// Of a list that has other items now, an item is not what was written of it.
function isWithin(pointer: string, edits: readonly ValueEdit[]): boolean {
  return edits.some(({ type, path }) => {
    const edited = pointerOf(path);
    return (type === "set" || type === "add") && (pointer === edited || pointer.startsWith(`${edited}/`));
  });
}
