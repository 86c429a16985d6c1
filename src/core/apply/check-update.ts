import { cause, unseenText } from "../plan/cause.js";
import type { Baseline } from "../../generated/lock.js";
import type { Action, Change } from "../../generated/plan.js";
import { topField } from "../plan/difference.js";
import { lookupIn } from "../state/entry-ids.js";
import { allInCode } from "../finding/quotation.js";
import { undoneBy } from "../plan/undoing.js";
import { lasting } from "../kind/body.js";
import { idsOf } from "../kind/identity.js";
import type { Identity, Kind } from "../kind/kind.js";
import { canonical, equal, isObject, type Json, type JsonObject } from "../../json/json.js";
import { atPointer, escapeKey, firstKey, pointerKeys } from "../../json/json-pointer.js";
import { addedSince, baselineOf } from "../observation/baseline.js";
import { differentFields, sightingsOf } from "../observation/entry-sighting.js";
import { findResources } from "../observation/found-objects.js";
import { isEmpty } from "../observation/sameness.js";
import type { ObservedObject } from "../observation/observation.js";
import type { Sighting } from "../observation/sighting.js";
import { isUntold } from "../state/attempts.js";
import { defined } from "../state/defined.js";
import { stateOptions } from "../state/state-choice.js";
import type { LockEntry } from "../state/lock.js";
import { observedObject } from "../observation/observe.js";
import { canLook, readObject } from "../observation/read-object.js";
import { failed, type Running, type Stopped } from "./running.js";

/** Whether an object is read before its update. */
export function isChecked(
  entry: LockEntry,
  kind: Kind,
  { updateChecks, deployment }: Pick<Running, "updateChecks" | "deployment">,
): boolean {
  // What an object has is not known until the first update of an adopted one has arrived.
  return updateChecks.before && deployment[kind.name]?.read !== undefined && !isUntold(entry);
}

/** Says why an update of some of an entry's objects must not be sent, if one of them is not as it was left. */
export async function checkUpdate(
  action: Action,
  entry: LockEntry,
  body: JsonObject,
  kind: Kind,
  running: Running,
  ids: readonly string[],
): Promise<Stopped | undefined> {
  const { address } = action;
  const { updateChecks } = running;
  const read = await readAll(entry, kind, running, ids);
  if (!read.ok) return unseen(address, read, entry);
  const { bodies: observed } = read;
  const isPart = ids.length < idsOf(entry).length;
  const sightings = sightingsOf(entry, kind, observed, { isPart });
  const wanted = sightingsOf({ body, ...defined({ baseline: entry.baseline }) }, kind, observed, {
    isPart,
    lookup: lookupIn(running.state.lock, action.used),
  });
  const reviewed = reviewedFields(action, body, kind, { ids, observed }, running);
  const added = addedPointers(entry.baseline, sightings, body);
  const undone = new Set(added.filter((pointer) => isReviewed(pointer, reviewed)));
  const fields = new Set([
    ...editedFields(entry.body, body, sightings, wanted).filter((field) => !reviewed.has(field)),
    ...added.filter((pointer) => !undone.has(pointer)).map(firstKey),
  ]);
  const isOverwritten = updateChecks.overwrite.has(address) || updateChecks.overwrite.has("all");
  return fields.size > 0 && !isOverwritten ? conflict(address, [...fields], running) : undefined;
}

/** What a reading after an object was sent says. */
export interface Verified {
  /** What is to be remembered of it. */
  readonly baseline?: Baseline;
  /** Where it has something else than it was sent, or why that is not known. */
  readonly hint?: string;
  /** Whether it has something else than it was sent at first, or what it had before, or is not there. */
  readonly isOther?: boolean;
  /** Whether a tool is that of another operation, so that it is not known which is which. */
  readonly isMixed?: boolean;
  /** The tool of each operation, where that was not known and each of them is shown with method and path. */
  readonly tools?: Identity["tools"];
  /** What it has still, although the update has taken it away. */
  readonly kept?: string;
}

/** Reads an object after it was sent, and compares it with that, and with what it was sent before. */
export async function verifySent(
  entry: LockEntry,
  before: LockEntry | undefined,
  kind: Kind,
  running: Running,
): Promise<Verified> {
  const read = await readAll(entry, kind, running);
  if (!read.ok) {
    const { why, isMixed = false } = read;
    const isOther = isMixed || why === undefined;
    const isNew = !before && why === undefined;
    const unseenWhy = isNew
      ? "the service does not show it under this ID: it is slow, or the answer has its ID in a different place (`service.id_pointers`)"
      : unseenText(why);
    return { hint: `it could not be verified: ${unseenWhy}`, isOther, isMixed };
  }
  const { baseline: _before, ...sent } = entry;
  const sightings = sightingsOf(sent, kind, read.bodies);
  const fields = differentFields(entry.body, sightings);
  const taken = fields.length > 0 && {
    isOther: !before || showsOld(before, fields, kind, read.bodies),
    hint: `the service has something else than it was sent in ${allInCode(fields)}; \`agentform drift${stateOptions(running.choice)}\` shows it`,
  };
  const left = before && kind.updatesWhole ? keptFields(before, entry.body, kind, read.bodies) : [];
  const kept = left.length > 0 && {
    kept: `the service still has ${allInCode(left)} as before: its update keeps fields that are not sent, or this is their default; to remove it, do so in the service, or send an empty value`,
  };
  const { tools } = entry.tools ? {} : shownTools(entry, kind, read.bodies);
  return { baseline: baselineOf(sightings), ...taken, ...kept, ...defined({ tools }) };
}

// As in the answer to a create whose entries are objects.
function shownTools({ ids, body }: LockEntry, kind: Kind, bodies: readonly JsonObject[]): Identity {
  const entries = bodies.map(({ method = null, path = null }, index): Json => {
    return { id: ids?.[index] ?? null, method, path };
  });
  const settings = { idPointer: "/tools", entryPointer: "/id", documentOrder: false };
  return (ids && kind.identify({ tools: entries }, body, settings)) ?? {};
}

// What a service writes in its own way is neither what was sent nor what was there before.
function showsOld(
  { baseline: _baseline, attempted: _attempted, ...before }: LockEntry,
  fields: readonly string[],
  kind: Kind,
  bodies: readonly JsonObject[],
): boolean {
  const changed = differentFields(before.body, sightingsOf(before, kind, bodies));
  return fields.some((field) => Object.hasOwn(before.body, field) && !changed.includes(field));
}

// An update that sends the whole body takes away what is not in it, unless the service merges both.
function keptFields(
  { baseline: _baseline, attempted: _attempted, ...before }: LockEntry,
  body: JsonObject,
  kind: Kind,
  bodies: readonly JsonObject[],
): string[] {
  const sightings = sightingsOf(before, kind, bodies);
  return Object.entries(lasting(before.body, kind)).flatMap(([field, value]) => {
    const isKept = sightings.some(({ shown, body: seen }, index) => {
      // Nothing in the place of a secret is no difference otherwise.
      const isThere = shown.has(`/${escapeKey(field)}`) && !isHollow(bodies[index]?.[field] ?? null);
      return isThere && equal(seen[field] ?? null, value);
    });
    return isKept && !Object.hasOwn(body, field) && !isEmpty(value) && value !== false ? [field] : [];
  });
}

function isHollow(value: Json): boolean {
  return isEmpty(value) || (typeof value === "object" && Object.values(value ?? {}).every(isHollow));
}

/** Why an object was not read; without a reason it is gone. */
interface Unseen {
  readonly ok: false;
  readonly why?: string;
  /** Whether it is the tool of another operation. */
  readonly isMixed?: boolean;
}

async function readAll(
  entry: LockEntry,
  kind: Kind,
  { service, deployment, updateChecks }: Running,
  ids: readonly string[] = idsOf(entry),
): Promise<{ readonly ok: true; readonly bodies: readonly JsonObject[] } | Unseen> {
  const read = deployment[kind.name]?.read;
  const bodies: JsonObject[] = [];
  if (!read) return { ok: true, bodies };
  for (const id of ids) {
    const seen = await readObject(service, read, id);
    const {
      state,
      body,
      code,
      why = "",
    } = observedObject({ kind, id, entry }, seen, updateChecks.fieldNames);
    if (state === "gone") return { ok: false };
    if (!isObject(body)) return { ok: false, why, isMixed: code === "other-operation" };
    bodies.push(body);
  }
  return { ok: true, bodies };
}

/** Says why an object must not be created anew, if what was found to be gone is there, or cannot be read. */
export async function checkGone(
  { address, gone = [] }: Action,
  kind: Kind,
  { look, deployment, updateChecks, choice }: Running,
): Promise<Stopped | undefined> {
  if (!canLook(deployment[kind.name]) || !updateChecks.before) return undefined;
  for (const id of gone) {
    const seen = await look({ kind, id });
    if (seen.state === "unreadable") return unseen(address, { ok: false, why: seen.why }, {});
    if (seen.state === "found") {
      const hint = `look again with \`agentform drift${stateOptions(choice)}\``;
      return failed(cause("there-again", { id }), hint);
    }
  }
  return undefined;
}

// What a plan was shown to undo may be undone, unless somebody changed it once more since.
function reviewedFields(
  { address, changes, used }: Action,
  body: JsonObject,
  kind: Kind,
  { ids, observed }: { readonly ids: readonly string[]; readonly observed: readonly JsonObject[] },
  { state: { lock } }: Running,
): Set<string> {
  const shown = changes.filter(({ undoes }) => undoes);
  if (shown.length === 0) return new Set();
  const objects = observed.map((seen, index): ObservedObject => {
    return { id: ids[index] ?? "", state: "found", body: seen };
  });
  const found = findResources(lock, { objects: { [address]: objects } }).byAddress.get(address);
  const textOf = ({ path, before = null }: Change) => canonical([path, before]);
  const known = new Set(shown.map(textOf));
  const unknown = undoneBy(found, lasting(body, kind), lookupIn(lock, used)).filter(
    (change) => !known.has(textOf(change)),
  );
  const fields = new Set(shown.map(topField));
  for (const change of unknown) fields.delete(topField(change));
  return fields;
}

// A document that agrees with the edit has nothing to lose.
function editedFields(
  sent: JsonObject,
  body: JsonObject,
  sightings: readonly Sighting[],
  wanted: readonly Sighting[],
): string[] {
  const isWanted = new Set(differentFields(body, wanted));
  return differentFields(sent, sightings).filter((field) => isWanted.has(field));
}

function addedPointers(
  baseline: Baseline | undefined,
  sightings: readonly Sighting[],
  body: JsonObject,
): string[] {
  if (!baseline) return [];
  return addedSince(baseline, sightings).filter((pointer) => atPointer(body, pointer) === undefined);
}

// A plan shows the members of an object itself that were added, and none inside of others.
function isReviewed(pointer: string, reviewed: ReadonlySet<string>): boolean {
  return pointerKeys(pointer).length === 1 && reviewed.has(firstKey(pointer));
}

function conflict(address: string, fields: readonly string[], { choice }: Running): Stopped {
  const hint = `\`agentform drift${stateOptions(choice)}\` shows the change; write it into the document, or overwrite it with \`--overwrite ${address}\``;
  return failed(cause("changed-meanwhile", { fields: [...fields] }), hint);
}

function unseen(address: string, object: Unseen, { baseline, id }: Partial<LockEntry>): Stopped {
  // What no read has ever shown may have another ID, and a new one beside it would be a second one.
  const isNeverSeen = id !== undefined && !baseline;
  const first = isNeverSeen
    ? `no apply has seen it under the ID ${id}: if the service has it under a different one, remove its document, apply, and write it again with \`lifecycle.adopt\`; if it has none, `
    : "";
  const hint =
    object.why === undefined
      ? `${first}create a new one with \`--replace ${address}\``
      : "apply again later, or pass `--no-check` to update without reading";
  return failed(cause("not-seen", object.why === undefined ? {} : { reason: object.why }), hint);
}
