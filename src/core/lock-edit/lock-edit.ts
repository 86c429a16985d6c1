import { isAddress } from "../kind/address.js";
import { adoptedEntry, type Adoption } from "../plan/adoption.js";
import { identityMembers } from "../kind/identity.js";
import { missingOperations, readTools } from "../plan/tool-ids.js";
import type { Finding } from "../finding/diagnostic.js";
import { idsOf } from "../kind/identity.js";
import type { BeginRecord, JournalRecord } from "../state/journal.js";
import { equal, type Hash, type JsonObject } from "../../json/json.js";
import type { Identity } from "../kind/kind.js";
import { kindOfAddress } from "../kind/kinds.js";
import { findOld, findTaken, problem, readIdentity } from "./lock-edit-check.js";
import { dependentsIn, type Lock, type LockEntry, type UnknownCreate } from "../state/lock.js";
import { movedFrom } from "../plan/move.js";
import { didYouMean } from "../finding/nearest.js";
import { lookupIn } from "../plan/lock-lookup.js";
import type { Resource } from "../resources/resource.js";
import { State } from "../state/state.js";

/** A person's statement: an existing object, the outcome of a create, or which tool is which. */
export type LockEdit =
  | { readonly type: "adopt"; readonly address: string; readonly adoption: Adoption }
  | {
      readonly type: "resolve";
      readonly address: string;
      readonly adoption: Adoption;
      /** Whether tools of a set may be left out, and stay unknown. */
      readonly isPartial?: boolean;
    }
  | { readonly type: "not-created"; readonly address: string }
  | { readonly type: "map"; readonly address: string; readonly pairs: readonly string[] };

/** A lock after a person's edits. */
export interface EditedLock {
  readonly lock: Lock;
  /** Whether the lock has changed. */
  readonly isChanged: boolean;
  /** What was done, one line for each edit. */
  readonly changes: readonly string[];
}

type Resources = ReadonlyMap<string, Resource>;

interface Editing {
  /** The lock after the previous edits. */
  readonly lock: Lock;
  readonly resources: Resources;
  readonly hash: Hash;
}

/** The effect of one edit: the records that an apply would have written for it. */
interface Edited {
  readonly text: string;
  readonly records: readonly JournalRecord[];
  /** The create that is still unknown, if only some tools were found. */
  readonly rest?: UnknownCreate;
  /** The tools that are left behind in the service, operation to ID. */
  readonly left?: Readonly<Record<string, string>>;
}

/** Edits a lock, or gives all findings against the edits; the given lock is not changed. */
export function editLock(
  before: Lock,
  resources: Resources,
  edits: readonly LockEdit[],
  hash: Hash,
): EditedLock | Finding[] {
  const state = new State(before);
  const { lock } = state;
  const findings: Finding[] = [];
  const changes: string[] = [];
  const seen = new Set<string>();
  let isChanged = false;
  for (const edit of edits) {
    const edited = seen.has(edit.address)
      ? problem("adopt-invalid", edit.address, "is given twice", "give each address once")
      : editOne(edit, { lock, resources, hash });
    seen.add(edit.address);
    if ("code" in edited) {
      findings.push(edited);
      continue;
    }
    changes.push(`${edit.address}: ${edited.text}`);
    const { records, rest, left = {} } = edited;
    if (records.length === 0 && !rest) continue;
    isChanged = true;
    const at = heldAt(edit.address, resources, lock.unknown);
    for (const record of records) state.advance(record);
    if (rest) lock.unknown[at] = rest;
    for (const [operation, id] of Object.entries(left)) {
      lock.retired[id] = { address: at, reason: "replaced", operation };
    }
    // What is managed again is not left behind any more.
    for (const id of idsOf(lock.resources[edit.address] ?? {})) delete lock.retired[id];
  }
  return findings.length > 0 ? findings : { lock, isChanged, changes };
}

function editOne(edit: LockEdit, editing: Editing): Edited | Finding {
  const { address } = edit;
  if (!isAddress(address)) {
    return problem(
      "adopt-invalid",
      address,
      "is not an address",
      "an address has a form such as agent:support",
    );
  }
  switch (edit.type) {
    case "adopt":
      return adopt(address, edit.adoption, editing);
    case "map":
      return map(address, edit.pairs, editing);
    default:
      return edit.type === "resolve" ? resolveAs(edit, editing) : resolveAsNothing(address, editing);
  }
}

function adopt(address: string, adoption: Adoption, { lock, resources, hash }: Editing): Edited | Finding {
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
  const { kind, body, file, lifecycle } = resource;
  const protect = lifecycle.protect === true && { protect: true };
  const adopted = adoptedEntry({ kind, body, identity, file, ...protect }, lookupIn(lock), hash);
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

function findUnknown(address: string, { lock, resources }: Editing) {
  const at = heldAt(address, resources, lock.unknown);
  const unknown = lock.unknown[at];
  if (unknown) return { at, unknown, entry: lock.resources[at] };
  const hint = lock.resources[at]?.uncertain
    ? "its last update is uncertain, and the next apply sends it again"
    : (didYouMean(address, Object.keys(lock.unknown)) ?? "`agentform lock list` lists the unknown outcomes");
  return problem("option-unknown-address", address, "has no create with an unknown outcome", hint);
}

function resolveAsNothing(address: string, editing: Editing): Edited | Finding {
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

function resolveAs(
  { address, adoption, isPartial }: Extract<LockEdit, { readonly type: "resolve" }>,
  editing: Editing,
): Edited | Finding {
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

function map(address: string, pairs: readonly string[], { lock, resources }: Editing): Edited | Finding {
  const at = heldAt(address, resources, lock.resources);
  const entry = lock.resources[at];
  if (!entry) {
    const hint =
      didYouMean(address, Object.keys(lock.resources)) ?? "`agentform lock list` lists the managed resources";
    return problem("option-unknown-address", address, "is not in the lock", hint);
  }
  const { ids } = entry;
  const operations = kindOfAddress(at)?.operations?.(entry.body);
  if (!operations || !ids) return problem("adopt-invalid", address, "is one object and has no tools to map");
  const fail = (message: string) =>
    problem("adopt-invalid", address, message, `use OPERATION=ID; its IDs are ${ids.join(", ")}`);
  const given = readTools(pairs, operations, fail);
  if ("code" in given) return given;
  const stranger = given.ids.find((id) => !ids.includes(id));
  if (stranger !== undefined) return fail(`\`${stranger}\` is not one of its IDs`);
  const tools = { ...entry.tools, ...given.tools };
  const named = Object.values(tools);
  if (new Set(named).size < named.length) return fail("two operations have the same ID");
  const text = Object.entries(given.tools).map(([operation, id]) => `${operation} is ${id}`);
  if (equal(tools, entry.tools)) return { text: `${text.join(", ")} already`, records: [] };
  return record(at, { ...entry, tools }, text.join(", "));
}

// A moved document has its old address in the lock until the next apply.
function heldAt(address: string, resources: Resources, entries: Readonly<Record<string, unknown>>): string {
  if (entries[address] !== undefined) return address;
  const resource = resources.get(address);
  return (resource && movedFrom(resource).find((from) => entries[from] !== undefined)) ?? address;
}

function record(address: string, entry: LockEntry, text: string): Edited {
  return { text, records: [{ type: "entry", address, entry }] };
}

function idText(identity: Identity): string {
  const { tools } = identity;
  if (tools)
    return `IDs ${Object.entries(tools)
      .map(([operation, id]) => `${operation}=${id}`)
      .join(", ")}`;
  const ids = idsOf(identity);
  return ids.length === 0 ? "no ID" : `${ids.length === 1 ? "ID" : "IDs"} ${ids.join(", ")}`;
}
