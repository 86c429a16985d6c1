import { choiceOf, stateOptions } from "../state/state-choice.js";
import type { Checked } from "../finding/checked.js";
import { identityMembers } from "../kind/identity.js";
import { missingOperations } from "../plan/tool-ids.js";
import type { BeginRecord } from "../../generated/journal.js";
import type { JournalRecord } from "../state/journal.js";
import type { JsonObject } from "../../json/json.js";
import type { Identity } from "../kind/kind.js";
import { kindOfAddress } from "../kind/kinds.js";
import { adopt } from "./adopt.js";
import { findOld, readFreeIdentity } from "./told-identity.js";
import { dependentsIn, type UnknownCreate } from "../state/lock.js";
import { nearAmong } from "../kind/near-address.js";
import { heldAt, refuse, type Edited, type Editing } from "./edited.js";
import { changedObject } from "./repair-change.js";
import type { Adoption } from "../plan/adoption.js";

/** States that a create of unknown outcome was not done. */
export function resolveAsNothing(address: string, { lock, resources }: Editing): Checked<Edited> {
  const at = heldAt(address, resources, lock.unknown);
  const unknown = lock.unknown[at];
  const entry = lock.resources[at];
  if (!unknown) {
    const hint = entry?.uncertain
      ? "its last update is uncertain, and the next apply sends it again"
      : (nearAmong(Object.keys(lock.unknown))(address) ??
        `\`agentform lock list${stateOptions(choiceOf(lock))}\` lists the unknown outcomes`);
    return refuse("option-unknown-address", address, "has no create with an unknown outcome", hint);
  }
  const records: JournalRecord[] = [{ type: "resolved", address: at }];
  if (unknown.found) {
    const left = changedObject({ tools: unknown.found });
    return { ok: true, change: { type: "not-created", left }, records, left: unknown.found };
  }
  const kept = entry && changedObject(entry);
  return { ok: true, change: { type: "not-created", ...(kept && { kept }) }, records };
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
  const missing = missingTools(address, identity, body);
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

function missingTools(address: string, { tools = {} }: Identity, body: JsonObject): string[] {
  return missingOperations(tools, kindOfAddress(address)?.operations?.(body) ?? []);
}
