import { retiredAt, type OwnersOf } from "../state/known-ids.js";
import { environmentName } from "../resources/environment-name.js";
import type { Action } from "../../generated/plan.js";
import { refused } from "../finding/checked.js";
import { error } from "../finding/diagnostic.js";
import { bare, say, type Sentence } from "../finding/said.js";
import { equal, isObject, member, type JsonObject } from "../../json/json.js";
import type { Identity, Kind } from "../kind/kind.js";
import { foldedKey, isId } from "../kind/id.js";
import { identityMembers, idsOf, isSameIdentity } from "../kind/identity.js";
import { lasting } from "../kind/body.js";
import { kindOfText } from "../kind/kinds.js";
import type { Fleet } from "../resources/fleet.js";
import type { Settings } from "../resources/manifest.js";
import { isNeverSent } from "../state/attempts.js";
import { sentContent } from "../state/entry-ids.js";
import type { Lock, LockEntry, RetiredObject } from "../state/lock.js";
import type { Lookup } from "../expression/resolution.js";
import type { Resource } from "../resources/resource.js";
import { checkDeleted, checkSent, checkTaken } from "./adoption-check.js";
import { cause, because } from "./cause.js";
import { act, requestText } from "./action.js";
import { difference } from "./difference.js";
import type { PlanOptions } from "./plan-options.js";
import { lookups, type Planning } from "./planning.js";
import type { RecordedMarks } from "../state/document-marks.js";
import { missingOperations, readTools, withoutIds, type GivenIdentity } from "./tool-ids.js";

/** The ID of an existing object, as a document or a person gives it; for a tool set, `operation=ID` pairs. */
export type Adoption = string | string[];

/** The hint for an ID that isId refuses. */
export const unfitHint =
  "give an ID of at most 1,000 characters, all of which can be seen, with no space at its ends, and not `.` or `..`";

/** Reads the ID of an object in a text, or the `operation=ID,operation=ID` of a kind that has one for each. */
export function parseAdoption(address: string, text: string): Adoption {
  return kindOfText(address)?.operations ? pairsIn(text) : text;
}

// A path may have commas: a pair has an equals sign.
function pairsIn(text: string): string[] {
  const pairs: string[] = [];
  let begun: string[] = [];
  for (const piece of text.split(",")) {
    begun.push(piece);
    if (!piece.includes("=")) continue;
    pairs.push(begun.join(","));
    begun = [];
  }
  return begun.length > 0 ? [...pairs, begun.join(",")] : pairs;
}

/** Gives the adoption that a document asks for in an environment and that is still to be done. */
export function pendingAdoption(
  { lifecycle }: Pick<Resource, "lifecycle">,
  environment: string | null,
  entry: LockEntry | undefined,
): Adoption | undefined {
  const { adopt } = lifecycle;
  const chosen = isObject(adopt) ? member(adopt, environmentName(environment)) : adopt;
  if (chosen === undefined || chosen === null) return undefined;
  return equal(chosen, entry?.adopted) ? undefined : (chosen as Adoption);
}

/** Gives the adoption that is already done: an earlier one, or one that names the entry's own object. */
export function honouredAdoption(
  resource: Resource,
  environment: string | null,
  entry: LockEntry | undefined,
): Adoption | undefined {
  const pending = pendingAdoption(resource, environment, entry);
  const given = pending === undefined ? undefined : readAdoption(resource, pending);
  return entry && given?.ok && isSameIdentity(entry, given.identity) ? pending : entry?.adopted;
}

/** Gives the adoption that is already done in a lock; the emulator does not adopt. */
export function adoptedBefore(
  resource: Resource,
  lock: Lock,
  { environment }: Settings,
  options: PlanOptions,
): Adoption | undefined {
  const entry = lock.resources[resource.address];
  return options.emulator ? entry?.adopted : honouredAdoption(resource, environment, entry);
}

/** Reads the IDs of an adoption, or gives the problem. */
export function readAdoption(resource: Resource, adoption: Adoption): GivenIdentity {
  const { address, kind, body } = resource;
  const at = resource.place(["lifecycle", "adopt"]);
  const fail = (message: Sentence, hint: string) => refused([error("adopt-invalid", at, message, hint)]);
  const operations = kind.operations?.(body);
  if (!operations) {
    if (typeof adoption !== "string" || adoption === "") {
      return fail(say`${bare({ address })} is one object and has one ID`, "write `adopt: ID`");
    }
    if (isId(adoption)) return { ok: true, identity: { id: adoption } };
    return fail(say`${bare({ address })} cannot have this ID`, unfitHint);
  }
  const hint = "write `adopt: [operation=ID, …]`";
  if (typeof adoption === "string") return fail(say`${bare({ address })} has an ID for each operation`, hint);
  return readTools(adoption, operations, (message) => fail(message, hint));
}

/** The members of an adopted object's lock entry. */
export interface AdoptedObject extends Pick<
  LockEntry,
  "adopted" | "file" | "moved_from" | "made_from" | keyof RecordedMarks
> {
  readonly kind: Kind;
  readonly body: JsonObject;
  readonly identity: Identity;
}

/** Finds what was left behind in some locks of an object that an address has, or is to take over. */
export function leftBefore(
  locks: readonly Pick<Lock, "resources" | "retired">[],
  { resources, settings: { environment } }: Pick<Fleet, "resources" | "settings">,
): (address: string) => readonly RetiredObject[] {
  return (address) => {
    const resource = resources.get(address);
    const asked = resource && pendingAdoption(resource, environment, undefined);
    const given = asked === undefined ? undefined : readAdoption(resource as Resource, asked);
    const known = [...locks.map((lock) => lock.resources[address]), given?.ok ? given.identity : undefined];
    const ids = new Set(known.flatMap((identity) => (identity ? idsOf(identity) : [])));
    return locks.flatMap((lock) => [...ids].flatMap((id) => retiredAt(lock, address, id) ?? []));
  };
}

/** Gives the lock entry of an adopted object; it is uncertain until the first update, if there can be one. */
export function adoptedEntry(
  { kind, body: whole, identity, ...marks }: AdoptedObject,
  lookup: Lookup,
): LockEntry {
  const content = sentContent(whole, kind, lookup);
  const updates = kind.update(identity, Object.keys(content.body), content.body).length > 0;
  return {
    ...identityMembers(identity),
    ...content,
    ...marks,
    ...(isAssumed(kind) && { assumed: true }),
    ...(updates && { uncertain: true }),
  };
}

/** Whether adopting an object of a kind assumes fields that cannot be updated. */
function isAssumed({ replacedBy }: Kind): boolean {
  return replacedBy === "any" || replacedBy.length > 0;
}

/** Gives the IDs that a document asks to adopt in this plan, if they can be adopted. */
export function adoptionOf(resource: Resource, planning: Planning) {
  if (resource.lifecycle.adopt === undefined) return undefined;
  const { lock, fleet, options, findings, ownersOf, adopting } = planning;
  const { address } = resource;
  const entry = lock.resources[address];
  const adoption = options.emulator
    ? undefined
    : pendingAdoption(resource, fleet.settings.environment, entry);
  if (adoption === undefined) return undefined;
  const given = readAdoption(resource, adoption);
  if (!given.ok) return void findings.push(...given.problems);
  const { identity } = given;
  const owners: OwnersOf = (at, id) => [ownersOf(at, id), adopting.get(foldedKey(at, id)) ?? []].flat();
  const taken = checkTaken(resource, identity, owners, fleet, lock.unknown[address]?.ids);
  if (taken.length > 0) return void findings.push(...taken);
  const missing = lock.unknown[address]
    ? missingOperations(identity.tools, resource.kind.operations?.(resource.body))
    : [];
  if (missing.length > 0) {
    const hint = `the outcome of its create is unknown, so give the ID of each operation: adopt: [${missing[0]}=ID, …]`;
    return void findings.push(
      error("adopt-invalid", resource.place(["lifecycle", "adopt"]), withoutIds(missing), hint),
    );
  }
  if (entry && isSameIdentity(entry, identity)) return undefined;
  const unfit = [...checkDeleted(resource, identity, lock), ...checkSent(resource, identity, lock)];
  if (unfit.length > 0) return void findings.push(...unfit);
  const known = entry ? idsOf(entry) : [];
  // Where it has an object, what is left behind has to be named.
  if (known.length === 0 && options.replace.has(address)) {
    const message = say`${bare({ address })} is to take over an object, and \`--replace ${bare({ address })}\` asks for a new one`;
    return void findings.push(
      error("adopt-invalid", resource.place(["lifecycle", "adopt"]), message, "leave out one of the two"),
    );
  }
  // A replacement of unknown outcome may have made the object; an ID that was never sent whole may be wrong.
  if (known.length === 0 || lock.unknown[address] || (entry && isNeverSent(entry))) {
    for (const id of idsOf(identity)) adopting.set(foldedKey(address, id), address);
    return { adoption, identity };
  }
  const message = say`${bare({ address })} is already managed, with the ID ${bare({ ids: [...known] }, known.join(", "))}`;
  const isOfAll = fleet.settings.environments.length > 1 && !isObject(resource.lifecycle.adopt);
  const remove = isOfAll
    ? "remove `adopt`, or name the environment that has the object: `adopt: {NAME: ID}`"
    : "remove `adopt`";
  const hint = `${remove}; to manage a different object, give it its own address; ${correctionHint(entry)}`;
  findings.push(error("adopt-taken", resource.place(["lifecycle", "adopt"]), message, hint));
  return undefined;
}

/** Says how a wrong ID of an address is corrected: one to which nothing was sent is left behind by the plan. */
export function correctionHint(entry: LockEntry | undefined): string {
  const adopting = "with `lifecycle: {adopt: ID}`";
  return entry && isNeverSent(entry)
    ? `if the ID is wrong, name the right one ${adopting} in its document`
    : `if the ID is wrong, remove the document, apply, and write it again ${adopting}`;
}

/** Makes the action that adopts an existing object. */
export function adopt(
  resource: Resource,
  { adoption, identity }: { adoption: Adoption; identity: Identity },
  planning: Planning,
): Action {
  const { address, kind, body } = resource;
  const before = planning.lock.resources[address];
  const taken = new Set(idsOf(identity));
  const left = before ? idsOf(before).filter((id) => !taken.has(id)) : [];
  // Else it may be what a create of unknown outcome made.
  const isUnsent = planning.lock.unknown[address] === undefined;
  const fields = Object.keys(lasting(body, kind));
  const requests = kind.update(identity, fields, body).map(requestText);
  const assumed = isAssumed(kind);
  const { read, list } = planning.fleet.settings.deployment[kind.name] ?? {};
  const shown = (read !== undefined || list !== undefined) && { shown: true };
  const causes = [
    cause("adopt-asked", {}),
    ...(assumed ? [cause("assumed-equal", { fields: assumedFields(kind, fields), ...shown })] : []),
    ...(requests.length > 0 ? [cause("updated-to-match", { rest: assumed })] : []),
    ...(left.length > 0 ? [cause("takes-place", { ids: [...left], ...(isUnsent && { unsent: true }) })] : []),
  ];
  return act("adopt", resource, planning, {
    body,
    fields,
    requests,
    ...because(causes),
    adopted: adoption,
    ids: [...idsOf(identity)],
    changes: difference({}, body, lookups(undefined, planning), kind.outlined),
    ...(identity.tools && { tools: { ...identity.tools } }),
    ...(assumed && { assumed }),
    ...(left.length > 0 && { leaves: left.length }),
  });
}

// None where it is the whole object.
function assumedFields({ replacedBy }: Kind, fields: readonly string[]): string[] {
  return replacedBy === "any" ? [] : fields.filter((field) => replacedBy.includes(field));
}
