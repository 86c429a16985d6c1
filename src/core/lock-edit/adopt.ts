import type { Checked } from "../finding/checked.js";
import { bare, say } from "../finding/said.js";
import { adoptedEntry, type Adoption } from "../plan/adoption.js";
import { recordedMarks } from "../plan/recorded-marks.js";
import { identityMembers, idsOf } from "../kind/identity.js";
import { equal } from "../../json/json.js";
import type { Identity } from "../kind/kind.js";
import { readFreeIdentity, readIdentity } from "./told-identity.js";
import type { Lock, LockEntry } from "../state/lock.js";
import { nearAmong } from "../kind/near-address.js";
import { lookupIn } from "../state/entry-ids.js";
import { already, heldAt, idText, record, refuse, type Edited, type Editing } from "./edited.js";
import { changedObject } from "./repair-change.js";

/** Gives an address an object that exists, or says which of its tools is which operation. */
export function adopt(address: string, adoption: Adoption, { lock, resources }: Editing): Checked<Edited> {
  const at = heldAt(address, resources, lock.resources);
  const entry = lock.resources[at];
  if (entry) return identify(at, entry, adoption, lock);
  const resource = resources.get(address);
  if (!resource) {
    const hint = nearAmong(resources.keys())(address) ?? "first write a document that describes the object";
    return refuse("option-unknown-address", address, "has no valid document", hint);
  }
  const { kind, body, file } = resource;
  const given = readFreeIdentity({ address, body }, adoption, lock);
  if (!given.ok) return given;
  const { identity } = given;
  const adopted = adoptedEntry({ kind, body, identity, file, ...recordedMarks(resource) }, lookupIn(lock));
  const content = adopted.uncertain ? "to-send" : "assumed";
  return record(address, adopted, { type: "adopted", ...changedObject(identity), content });
}

function identify(address: string, entry: LockEntry, adoption: Adoption, lock: Lock): Checked<Edited> {
  const { body } = entry;
  if (idsOf(entry).length > 0) {
    const given = readIdentity({ address, body }, adoption);
    return given.ok ? assignTools(address, entry, given.identity) : given;
  }
  // An object that was created without an answered ID lacks only the ID.
  const given = readFreeIdentity({ address, body }, adoption, lock);
  if (!given.ok) return given;
  const { identity } = given;
  const identified = { ...entry, ...identityMembers(identity) };
  return record(address, identified, { type: "identified", ...changedObject(identity) });
}

// The object stays; of a tool set, operations may get or change their IDs among those that it has.
function assignTools(address: string, entry: LockEntry, identity: Identity): Checked<Edited> {
  const known = idsOf(entry);
  if (idsOf(identity).some((id) => !known.includes(id))) {
    const hint = "to manage a second object, use a different address";
    return refuse("adopt-taken", address, say`is already managed, with ${idText(entry)}`, hint);
  }
  if (!identity.tools) return already({ type: "already-managed", ...changedObject(identity) });
  const tools = { ...entry.tools, ...identity.tools };
  const named = Object.values(tools);
  if (new Set(named).size < named.length) {
    const hint = say`use OPERATION=ID; its IDs are ${bare({ ids: [...known] })}`;
    return refuse("adopt-invalid", address, "two operations have the same ID", hint);
  }
  if (equal(tools, entry.tools)) return already({ type: "tools-named-already", tools: identity.tools });
  return record(address, { ...entry, tools }, { type: "tools-named", tools: identity.tools });
}

/** Gives an address an object that was read, with what it has; no other address has its ID. */
export function takeIn(address: string, entry: LockEntry, { lock }: Editing): Checked<Edited> {
  if (lock.resources[address] || lock.unknown[address]) {
    return refuse("adopt-taken", address, "is already managed", "use a different address");
  }
  return record(address, entry, { type: "imported", ...changedObject(entry) });
}
