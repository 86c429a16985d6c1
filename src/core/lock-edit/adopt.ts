import { adoptedEntry, lifecycleMarks, type Adoption } from "../plan/adoption.js";
import { identityMembers, idsOf } from "../kind/identity.js";
import type { Finding } from "../finding/diagnostic.js";
import { equal } from "../../json/json.js";
import type { Identity } from "../kind/kind.js";
import { findTaken, problem, readIdentity } from "./lock-edit-check.js";
import type { LockEntry } from "../state/lock.js";
import { movedFrom } from "../plan/move.js";
import { didYouMean } from "../finding/nearest.js";
import { lookupIn } from "../plan/lock-lookup.js";
import { idText, record, type Edited, type Editing } from "./edited.js";

/** Gives an address an object that exists. */
export function adopt(address: string, adoption: Adoption, { lock, resources }: Editing): Edited | Finding {
  const resource = resources.get(address);
  const unknown = lock.unknown[address];
  if (unknown) {
    const hint = `use \`agentform lock resolve ${address} --adopt …\``;
    const message = `has an unknown outcome: the object may be the result of its ${unknown.operation} of ${unknown.since}`;
    return problem("adopt-invalid", address, message, hint);
  }
  if (!resource) {
    const hint = didYouMean(address, resources.keys()) ?? "first write a document that describes the object";
    return problem("option-unknown-address", address, "has no valid document", hint);
  }
  const entry = lock.resources[address];
  const from = movedFrom(resource).find((each) => lock.resources[each] ?? lock.unknown[each]);
  if (!entry && from !== undefined) {
    const hint = "apply the move first, or remove `moved_from`";
    return problem("adopt-taken", address, `takes over the entry of \`${from}\``, hint);
  }
  const identity = readIdentity({ address, body: entry?.body ?? resource.body, isPartial: true }, adoption);
  if ("code" in identity) return identity;
  const taken = findTaken(address, identity, lock);
  if (taken) return taken;
  if (entry && idsOf(entry).length > 0) return alreadyManaged(address, entry, identity);
  // An object that was created without an answered ID lacks only the ID.
  if (entry)
    return record(address, { ...entry, ...identityMembers(identity) }, `has ${idText(identity)} now`);
  const { kind, body, file } = resource;
  const adopted = adoptedEntry({ kind, body, identity, file, ...lifecycleMarks(resource) }, lookupIn(lock));
  const follows = adopted.uncertain
    ? "the next apply updates it to match its document"
    : "its content is assumed to equal its document";
  return record(address, adopted, `adopted ${idText(identity)}; ${follows}`);
}

function alreadyManaged(address: string, entry: LockEntry, identity: Identity): Edited | Finding {
  if (!equal([...idsOf(entry)].toSorted(), [...idsOf(identity)].toSorted())) {
    const message = `is already managed, with ${idText(entry)}`;
    return problem("adopt-taken", address, message, "to manage a second object, use a different address");
  }
  if (identity.tools && !equal(identity.tools, entry.tools)) {
    const hint = `assign the tools with \`agentform lock map ${address} OPERATION=ID …\``;
    return problem("adopt-taken", address, "is already managed, with these IDs", hint);
  }
  return { text: `is already managed, with ${idText(identity)}`, records: [] };
}
