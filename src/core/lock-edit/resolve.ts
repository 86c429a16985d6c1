import { choiceOf, stateOptions } from "../state/state-choice.js";
import type { Checked, Refusal } from "../finding/checked.js";
import { identityMembers, idsOf } from "../kind/identity.js";
import { missingOperations } from "../plan/tool-ids.js";
import type { BeginRecord } from "../../generated/journal.js";
import type { JournalRecord } from "../state/journal.js";
import { equal } from "../../json/json.js";
import type { Identity } from "../kind/kind.js";
import { kindOfAddress } from "../kind/kinds.js";
import { findOld, readFreeIdentity, readIdentity } from "./told-identity.js";
import { dependentsIn, type UnknownCreate, type Lock, type LockEntry } from "../state/lock.js";
import { nearAmong } from "../kind/near-address.js";
import { heldAt, refuse, type Edited, type Editing, already, idText, record } from "./edited.js";
import { changedObject } from "./repair-change.js";
import { type Adoption, adoptedEntry, correctionHint } from "../plan/adoption.js";
import { bare, say } from "../finding/said.js";
import { recordedMarks } from "../plan/recorded-marks.js";
import { lookupIn } from "../state/entry-ids.js";

/** States that a create of unknown outcome was not done. */
export function resolveAsNothing(address: string, { lock, resources }: Editing): Checked<Edited> {
  const at = heldAt(address, resources, lock.unknown);
  const unknown = lock.unknown[at];
  const entry = lock.resources[at];
  if (!unknown) {
    const hint = "its last update is uncertain, and the next apply sends it again";
    return withoutCreate(address, lock, entry?.uncertain ? hint : undefined);
  }
  const records: JournalRecord[] = [{ type: "resolved", address: at }];
  if (unknown.found) {
    const left = changedObject({ tools: unknown.found });
    return { ok: true, change: { type: "not-created", left }, records, left: unknown.found };
  }
  const kept = entry && changedObject(entry);
  return { ok: true, change: { type: "not-created", ...(kept && { kept }) }, records };
}

/** Refuses an address of which the lock has no create of unknown outcome. */
export function withoutCreate(
  address: string,
  lock: Lock,
  hint = nearAmong(Object.keys(lock.unknown))(address) ??
    `\`agentform lock list${stateOptions(choiceOf(lock))}\` lists the unknown outcomes`,
): Refusal {
  return refuse("option-unknown-address", address, "has no create with an unknown outcome", hint);
}

/** States which object an address has: what a create of unknown outcome made, or one that exists. */
export function resolveAs(address: string, adoption: Adoption, editing: Editing): Checked<Edited> {
  const { lock, resources } = editing;
  const at = heldAt(address, resources, lock.unknown);
  const unknown = lock.unknown[at];
  return unknown ? resolveCreate(at, unknown, adoption, editing) : adopt(address, adoption, editing);
}

function resolveCreate(
  address: string,
  unknown: UnknownCreate,
  adoption: Adoption,
  { lock }: Editing,
): Checked<Edited> {
  const entry = lock.resources[address];
  const { body, found: known } = unknown;
  const given = readFreeIdentity({ address, body, known }, adoption, lock);
  if (!given.ok) return given;
  const { identity } = given;
  const old = findOld(address, identity, entry, lock);
  if (old) return old;
  const missing = missingOperations(identity.tools, kindOfAddress(address).operations?.(body));
  if (missing.length > 0) {
    const change = { type: "partly-found", ...changedObject(identity), missing } as const;
    return { ok: true, change, records: [], rest: { ...unknown, found: { ...identity.tools } } };
  }
  const {
    since: time,
    status: _status,
    answer: _answer,
    message: _message,
    request_id: _id,
    ids: _ids,
    tools: _tools,
    found: _found,
    ...sent
  } = unknown;
  const usedBy = dependentsIn(lock).get(address);
  const begin: BeginRecord = {
    ...sent,
    type: "begin",
    n: 1,
    address,
    time,
    operation: entry ? "replace" : "create",
    ...(entry && usedBy && { used_by: usedBy }),
  };
  const { operation } = unknown;
  const left = entry && changedObject(entry);
  return {
    ok: true,
    change: { type: "found", ...changedObject(identity), operation, since: time, ...(left && { left }) },
    records: [begin, { type: "done", n: 1, ...identityMembers(identity) }],
  };
}

/** Gives an address an object that exists, or says which of its tools is which operation. */
function adopt(address: string, adoption: Adoption, { lock, resources }: Editing): Checked<Edited> {
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
    const hint = `to manage a second object, use a different address; ${correctionHint(entry)}`;
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
