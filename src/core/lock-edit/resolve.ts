import { identityMembers } from "../kind/identity.js";
import { missingOperations } from "../plan/tool-ids.js";
import type { Finding } from "../finding/diagnostic.js";
import type { BeginRecord, JournalRecord } from "../state/journal.js";
import type { JsonObject } from "../../json/json.js";
import type { Identity } from "../kind/kind.js";
import { kindOfAddress } from "../kind/kinds.js";
import { findOld, findTaken, problem, readIdentity } from "./lock-edit-check.js";
import { dependentsIn } from "../state/lock.js";
import { didYouMean } from "../finding/nearest.js";
import { heldAt, idText, type Edited, type Editing } from "./edited.js";
import type { Adoption } from "../plan/adoption.js";

function findUnknown(address: string, { lock, resources }: Editing) {
  const at = heldAt(address, resources, lock.unknown);
  const unknown = lock.unknown[at];
  if (unknown) return { at, unknown, entry: lock.resources[at] };
  const hint = lock.resources[at]?.uncertain
    ? "its last update is uncertain, and the next apply sends it again"
    : (didYouMean(address, Object.keys(lock.unknown)) ?? "`agentform lock list` lists the unknown outcomes");
  return problem("option-unknown-address", address, "has no create with an unknown outcome", hint);
}

/** The object that a create of unknown outcome has made. */
export interface Resolution {
  readonly address: string;
  readonly adoption: Adoption;
  /** Whether tools of a set may be left out, and stay unknown. */
  readonly isPartial?: boolean;
}

/** States that a create of unknown outcome was not done. */
export function resolveAsNothing(address: string, editing: Editing): Edited | Finding {
  const found = findUnknown(address, editing);
  if ("code" in found) return found;
  const { at, unknown, entry } = found;
  const records: JournalRecord[] = [{ type: "resolved", address: at }];
  if (unknown.found) {
    const text = `the rest was not created; ${idText({ tools: unknown.found })} went to the ledger`;
    return { text, records, left: unknown.found };
  }
  return { text: entry ? `was not replaced; it stays ${idText(entry)}` : "was not created", records };
}

/** States which object a create of unknown outcome has made. */
export function resolveAs({ address, adoption, isPartial }: Resolution, editing: Editing): Edited | Finding {
  const { lock } = editing;
  const found = findUnknown(address, editing);
  if ("code" in found) return found;
  const { at, unknown, entry } = found;
  const { body, found: known } = unknown;
  const identity = readIdentity({ address, body, known, isPartial }, adoption);
  if ("code" in identity) return identity;
  const taken = findTaken(at, identity, lock) ?? findOld(address, identity, entry, lock);
  if (taken) return taken;
  const missing = missingTools(at, identity, body);
  if (missing.length > 0) {
    const text = `found ${idText(identity)}; the outcome of ${missing.join(", ")} is still unknown`;
    return { text, records: [], rest: { ...unknown, found: { ...identity.tools } } };
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
  const usedBy = dependentsIn(lock).get(at);
  const begin: BeginRecord = {
    ...sent,
    type: "begin",
    n: 1,
    address: at,
    time,
    operation: entry ? "replace" : "create",
    ...(entry && usedBy && { used_by: usedBy }),
  };
  const left = entry ? `; ${idText(entry)} went to the ledger` : "";
  return {
    text: `adopted ${idText(identity)}, which the ${unknown.operation} of ${time} made${left}`,
    records: [begin, { type: "done", n: 1, ...identityMembers(identity) }],
  };
}

function missingTools(address: string, { tools = {} }: Identity, body: JsonObject): string[] {
  return missingOperations(tools, kindOfAddress(address)?.operations?.(body) ?? []);
}
