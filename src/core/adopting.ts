import type { Action } from "../generated/plan.js";
import { checkTaken, isAssumed, pendingAdoption, readAdoption, type Adoption } from "./adoption.js";
import { lasting } from "./body.js";
import { difference } from "./difference.js";
import { error } from "./diagnostic.js";
import { idsOf } from "./identity.js";
import { equal } from "./json.js";
import type { Identity } from "./kind.js";
import { act, lookups, requestText, type Planning } from "./planning.js";
import type { Resource } from "./resource.js";

/** The IDs that a document asks to take over in this plan, if it does and they can be. */
export function adoptionOf(resource: Resource, { lock, workspace, options, findings }: Planning) {
  const { address } = resource;
  const entry = lock.resources[address];
  const adoption = options.emulator ? undefined : pendingAdoption(resource, workspace.settings.environment, entry);
  if (adoption === undefined) return undefined;
  const identity = readAdoption(resource, adoption);
  if ("code" in identity) return void findings.push(identity);
  const taken = checkTaken(resource, identity, lock);
  if (taken.length > 0) return void findings.push(...taken);
  const known = entry ? idsOf(entry) : [];
  if (known.length === 0) return { adoption, identity };
  if (!equal(known.toSorted(), idsOf(identity).toSorted())) {
    const message = `${address} is managed already, with the ID ${known.join(", ")}`;
    const hint = "remove `adopt`; to manage another object instead, use another address for it";
    findings.push(error("adopt-taken", resource.place(["lifecycle", "adopt"]), message, hint));
  }
  return undefined;
}

/** The action that takes an existing object over. */
export function adopt(
  resource: Resource,
  { adoption, identity }: { adoption: Adoption; identity: Identity },
  planning: Planning,
): Action {
  const { kind, body } = resource;
  const fields = Object.keys(lasting(body, kind));
  const requests = kind.update(identity, fields, body).map(requestText);
  const assumed = isAssumed(kind);
  const reasons = [
    ...(assumed ? ["what the service has is assumed to equal the document: it cannot be read"] : []),
    ...(requests.length > 0 ? ["it is updated to match the document"] : []),
  ];
  return act("adopt", resource, planning, {
    ...{ body, fields, requests, reasons, adopted: adoption, ids: [...idsOf(identity)] },
    changes: difference({}, body, lookups(undefined, planning)),
    ...(identity.tools && { tools: { ...identity.tools } }),
    ...(assumed && { assumed }),
  });
}

