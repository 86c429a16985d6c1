import type { Action } from "../../generated/plan.js";
import {
  checkTaken,
  isAssumed,
  isSameObject,
  missingOperations,
  pendingAdoption,
  readAdoption,
  withoutIds,
  type Adoption,
} from "./adoption.js";
import { lasting } from "../kind/body.js";
import { difference } from "./difference.js";
import { error } from "../finding/diagnostic.js";
import { idsOf } from "../kind/identity.js";
import type { Identity, Kind } from "../kind/kind.js";
import { act, lookups, requestText, type Planning } from "./planning.js";
import type { Resource } from "../resources/resource.js";

/** The IDs that a document asks to take over in this plan, if it does and they can be. */
export function adoptionOf(resource: Resource, planning: Planning) {
  if (resource.lifecycle.adopt === undefined) return undefined;
  const { lock, workspace, options, findings, ownersOf } = planning;
  const { address } = resource;
  const entry = lock.resources[address];
  const adoption = options.emulator
    ? undefined
    : pendingAdoption(resource, workspace.settings.environment, entry);
  if (adoption === undefined) return undefined;
  const identity = readAdoption(resource, adoption);
  if ("code" in identity) return void findings.push(identity);
  const taken = checkTaken(resource, identity, ownersOf);
  if (taken.length > 0) return void findings.push(...taken);
  const missing = lock.unknown[address] ? missingTools(resource, identity) : [];
  if (missing.length > 0) {
    const hint = `what became of its create is unknown, so say what each operation is: adopt: [${missing[0]}=ID, …]`;
    return void findings.push(
      error("adopt-invalid", resource.place(["lifecycle", "adopt"]), withoutIds(missing), hint),
    );
  }
  if (entry && isSameObject(entry, identity)) return undefined;
  const known = entry ? idsOf(entry) : [];
  // A replacement of unknown outcome may have made the object that is to be taken over.
  if (known.length === 0 || lock.unknown[address]) return { adoption, identity };
  const message = `${address} is managed already, with the ID ${known.join(", ")}`;
  const hint = "remove `adopt`; to manage another object instead, use another address for it";
  findings.push(error("adopt-taken", resource.place(["lifecycle", "adopt"]), message, hint));
  return undefined;
}

function missingTools({ kind, body }: Resource, { tools = {} }: Identity): string[] {
  return missingOperations(tools, kind.operations?.(body) ?? []);
}

/** The action that takes an existing object over. */
export function adopt(
  resource: Resource,
  { adoption, identity }: { adoption: Adoption; identity: Identity },
  planning: Planning,
): Action {
  const { address, kind, body } = resource;
  const before = planning.lock.resources[address];
  const left = before ? idsOf(before) : [];
  const fields = Object.keys(lasting(body, kind));
  const requests = kind.update(identity, fields, body).map(requestText);
  const assumed = isAssumed(kind);
  const reasons = [
    "`lifecycle.adopt` names an object that exists",
    ...(assumed ? [assumption(kind, fields)] : []),
    ...(requests.length > 0 ? [`${assumed ? "the rest" : "it"} is updated to match the document`] : []),
    ...(left.length > 0 ? [`it takes the place of the object with the ID ${left.join(", ")}`] : []),
  ];
  return act("adopt", resource, planning, {
    body,
    fields,
    requests,
    reasons,
    adopted: adoption,
    ids: [...idsOf(identity)],
    changes: difference({}, body, lookups(undefined, planning), kind.outlined),
    ...(identity.tools && { tools: { ...identity.tools } }),
    ...(assumed && { assumed }),
    ...(left.length > 0 && { leaves: left.length }),
  });
}

function assumption({ replacedBy }: Kind, fields: readonly string[]): string {
  if (replacedBy === "any") return "it is assumed to equal the document: it can be neither read nor updated";
  const names = fields.filter((field) => replacedBy.includes(field)).map((field) => `\`${field}\``);
  return `${names.join(", ")} are assumed to be as in the document: they can be neither read nor updated`;
}
