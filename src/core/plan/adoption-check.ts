import { error, type Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { equal } from "../../json/json.js";
import { shellWord } from "../finding/shell-word.js";
import { lasting } from "../kind/body.js";
import { idsOf } from "../kind/identity.js";
import type { Identity } from "../kind/kind.js";
import { isOfKind, kindOfAddress } from "../kind/kinds.js";
import { indexOperations } from "../openapi/openapi.js";
import type { Fleet } from "../resources/fleet.js";
import type { Resource } from "../resources/resource.js";
import { isDeleted } from "../state/deleted.js";
import { placesOf, retiredAt, type OwnersOf } from "../state/known-ids.js";
import type { Lock } from "../state/lock.js";
import { choiceOf, resolveCommand } from "../state/state-choice.js";
import { adoptionForm } from "./tool-ids.js";

/** Finds IDs that the lock knows under another address already. */
export function checkTaken(
  resource: Resource,
  identity: Identity,
  ownersOf: OwnersOf,
  { resources }: Pick<Fleet, "resources">,
  answered: readonly string[] = [],
): Finding[] {
  const placesOfId = (id: string) =>
    answered.includes(id) ? [resource.address] : placesOf(resource.address, id);
  const owners = new Set(idsOf(identity).flatMap((id) => placesOfId(id).flatMap((at) => ownersOf(at, id))));
  owners.delete(resource.address);
  const place = resource.place(["lifecycle", "adopt"]);
  return [...owners].map((other) => {
    const message = say`this ID already belongs to ${{ other }}`;
    const { each, file, document } = resources.get(other)?.place(["lifecycle", "adopt"]) ?? {};
    const isOfOneLine = place.each && each && file === place.file && document === place.document;
    const hint = isOfOneLine ? sharedHint : takenHint(resource.address, other);
    return error("adopt-taken", place, message, hint);
  });
}

// A mark that has acted may stay in a document, until the document is of several keys.
const sharedHint =
  'all keys of `for_each` have the same `adopt`: remove it if it has been applied, or write `adopt: "${each:adopt}"`, and `adopt: {}` for each key that takes nothing over';

/** Says what to do about an ID that another address has: only an object of the same kind may have been renamed. */
export function takenHint(address: string, other: string): string {
  const only = "an object can have only one address";
  return kindOfAddress(address) === kindOfAddress(other)
    ? `${only}: for a rename, use \`moved_from: ${other}\``
    : `${only}: correct the ID`;
}

/** Finds IDs of objects that were deleted on purpose: a document that comes back may still name one. */
export function checkDeleted(resource: Resource, identity: Identity, lock: Lock): Finding[] {
  const { address } = resource;
  const gone = idsOf(identity).filter((id) => isDeleted(lock, address, id));
  if (gone.length === 0) return [];
  const message = say`this object was deleted: ${bare({ ids: gone }, gone.join(", "))}`;
  const hint = `remove \`adopt\`, and a new one is created; if the service has it again: \`${resolveCommand(address, choiceOf(lock))} --adopt ${adoptionForm(resource.kind, resource.body)}\``;
  return [error("adopt-invalid", resource.place(["lifecycle", "adopt"]), message, hint)];
}

/** Gives the fields in which a left object differs from its document and no update can change that. */
export function fieldsSentOtherwise(
  { address: own, kind, body }: Resource,
  id: string,
  lock: Lock,
): string[] {
  const { address = own, body: sent, uncertain } = retiredAt(lock, own, id) ?? {};
  const isOther = !isOfKind(address, kind.name);
  if (kind.replacedBy !== "any" || isOther || sent === undefined || uncertain === true) return [];
  const said = lasting(body, kind);
  return Object.keys({ ...sent, ...said }).filter((field) => !equal(sent[field], said[field]));
}

/** Finds that an object that was left behind was last sent something else, or is the tool of another operation, which would stay so. */
export function checkSent(resource: Resource, identity: Identity, lock: Lock): Finding[] {
  return [...otherFields(resource, identity, lock), ...otherOperations(resource, identity, lock)];
}

function otherFields(resource: Resource, identity: Identity, lock: Lock): Finding[] {
  return idsOf(identity).flatMap((id) => {
    const fields = fieldsSentOtherwise(resource, id, lock);
    if (fields.length === 0) return [];
    const { address, kind } = resource;
    const named = bare({ fields }, fields.map((field) => `\`${field}\``).join(", "));
    const message = say`the object ${bare({ id })} was last sent another ${named}, and the service cannot update a ${kind.name}`;
    const hint = `remove \`adopt\` and create a new one with \`--replace ${address}\`, or write what the object has, and change it after it is taken over; if it has what the document says: \`${resolveCommand(address, choiceOf(lock))} --adopt ${id}\``;
    return [error("adopt-invalid", resource.place(["lifecycle", "adopt"]), message, hint)];
  });
}

function otherOperations(resource: Resource, identity: Identity, lock: Lock): Finding[] {
  const { address, kind, body } = resource;
  const index = indexOperations(kind.operations?.(body) ?? []);
  return Object.entries(identity.tools ?? {}).flatMap(([key, id]) => {
    const { operation: made } = retiredAt(lock, address, id) ?? {};
    if (made === undefined || index.keys[index.find(made) ?? -1] === key) return [];
    const message = say`the object ${bare({ id })} is the tool of ${{ found: made }}, and not of ${{ operation: key }}`;
    const hint = `give it to the operation that it is for, or remove \`adopt\`; if it is that of \`${key}\`: \`${resolveCommand(address, choiceOf(lock))} --adopt ${shellWord(`${key}=${id}`)}\``;
    return [error("adopt-invalid", resource.place(["lifecycle", "adopt"]), message, hint)];
  });
}
