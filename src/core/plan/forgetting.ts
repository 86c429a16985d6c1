import type { Action } from "../../generated/plan.js";
import { groupBy } from "../../json/groups.js";
import { lazy, once, oncePer } from "../../json/once.js";
import { buildGraph, affectedBy, withoutGone } from "../resources/graph.js";
import type { Fleet } from "../resources/fleet.js";
import { idsOf } from "../kind/identity.js";
import { addressesIn } from "../state/known-ids.js";
import { requestFor, type DeclaredDelete } from "../kind/deployment.js";
import { kindOfAddress } from "../kind/kinds.js";
import { canTellApart } from "../observation/left-object.js";
import { dependentsIn, type LockEntry } from "../state/lock.js";
import { cause, type Cause, because } from "./cause.js";
import { goneCause as goneFromService } from "./gone-objects.js";
import { actionOf, reads, requestText, unknownOutcome } from "./action.js";
import { findUses, findUsesInDocuments } from "./object-uses.js";
import { otherOwner, type Planning } from "./planning.js";

/** The references of the last applied state. */
interface Applied {
  readonly usersOf: (address: string) => readonly string[];
  /** The same without those that are gone, which stand for those that refer to them. */
  readonly affectedOf: (address: string) => readonly string[];
  /** What may use an object that is to be deleted. */
  readonly usesOf: ReturnType<typeof findUses>;
  /** Gives the keys of the documents with `for_each` that are left in a file. */
  readonly keysIn: (file: string) => FileKeys | undefined;
}

/** Decides the actions for lock entries without a document: those that refer to others come first. */
export function forgetMissing(planning: Planning): void {
  const { lock, fleet, actions, isIn } = planning;
  const gone = addressesIn(lock).filter((address) => !fleet.resources.has(address));
  if (gone.length === 0) return;
  const dependents = dependentsIn(lock);
  const usersOf = (address: string) => dependents.get(address) ?? [];
  const { order } = buildGraph(gone, usersOf);
  const deleted = gone.filter((address) => isToDelete(address, lock.resources[address], fleet));
  const objects = deleted.flatMap((address) =>
    idsOf(lock.resources[address] ?? {}).map((id) => ({ id, address })),
  );
  // The bodies of documents are not read for nothing.
  const usesOf =
    objects.length > 0
      ? findUses(objects, { lock, outside: findUsesInDocuments(fleet, lock, objects) })
      : () => [];
  const applied = { usersOf, affectedOf: withoutGone(order, dependents), usesOf, keysIn: keysOf(fleet) };
  for (const address of order) {
    const action = isIn(address) ? decideMissing(address, applied, planning) : undefined;
    if (action) actions.set(address, action);
  }
}

function decideMissing(address: string, applied: Applied, planning: Planning): Action | undefined {
  const entry = planning.lock.resources[address];
  const unknown = planning.lock.unknown[address];
  if (!unknown) return entry && remove(address, entry, applied, planning);
  const { body, file } = unknown;
  return actionOf({ address, file }, "unknown", {
    reads: reads([address], planning),
    body,
    ...because([unknownOutcome(unknown), goneCause(address, applied.keysIn, planning)]),
  });
}

function goneCause(address: string, keysIn: Applied["keysIn"], { fleet, lock }: Planning): Cause {
  const { absent, settings } = fleet;
  if (absent.has(address)) return cause("environment-left", { environment: settings.environment });
  const { file, made_from: { key } = {} } = lock.resources[address] ?? {};
  const keys = file === undefined || key === undefined ? undefined : keysIn(file);
  if (file === undefined || key === undefined || !keys) return cause("document-gone", {});
  return keys.names.has(key)
    ? cause("key-renamed", { key, file })
    : cause("key-gone", { key, keys: keys.file, ...(keys.file !== file && { included: true }) });
}

interface FileKeys {
  readonly names: ReadonlySet<string>;
  readonly file: string;
}

// A document whose last key is gone has no resource, and counts as gone itself.
function keysOf({ resources }: Fleet): (file: string) => FileKeys | undefined {
  const byFile = lazy(() => groupBy(resources.values(), ({ file }) => file));
  return once((file) => {
    const all = (byFile().get(file) ?? []).flatMap((resource) => resource.place([]).each ?? []);
    const [first] = all;
    return first && { names: new Set(all.map(({ key }) => key)), file: first.place.file };
  });
}

/** The entry of an object whose document is gone, with why it leaves the lock. */
interface Undocumented {
  readonly address: string;
  readonly entry: LockEntry;
  readonly causes: readonly Cause[];
  readonly applied: Applied;
  readonly planning: Planning;
}

function remove(address: string, entry: LockEntry, applied: Applied, planning: Planning): Action {
  const found = planning.found.get(address);
  const causes = [
    goneCause(address, applied.keysIn, planning),
    ...(found && found.gone.length > 0 ? [goneFromService(found)] : []),
  ];
  const leaving = { address, entry, causes, applied, planning };
  if (!isToDelete(address, entry, planning.fleet)) return forget(leaving);
  // A copied entry goes, and the object stays with the other one, whatever that is sent.
  const owner = idsOf(entry).flatMap((id) => otherOwner(address, id, planning) ?? [])[0];
  if (owner !== undefined) {
    const use = cause("used", { user: { address: owner, use: "manages" } });
    return forget({ ...leaving, causes: [...causes, cause("still-used", { use })] });
  }
  const kind = kindOfAddress(address).name;
  const operation = planning.fleet.settings.deployment[kind]?.delete;
  const isKnown = idsOf(entry).length > 0;
  const isTold = canTellApart(address, entry, planning.fleet.settings.deployment);
  if (operation && isKnown && isTold) return deleteOf(leaving, operation);
  const why = isKnown ? cause("delete-never-sent", {}) : cause("delete-without-id", {});
  const impossible = operation ? why : cause("delete-undeclared", { kind });
  return forget({ ...leaving, causes: [...causes, impossible] });
}

// A document that exists elsewhere can still say that its object stays, by its new name too.
function isToDelete(address: string, entry: LockEntry | undefined, { absent }: Fleet): boolean {
  return (
    entry?.on_removal === "delete" && absent.get(address)?.keeps !== true && !keptBefore(absent).has(address)
  );
}

const keptBefore = oncePer(
  (absent: Fleet["absent"]) => new Set([...absent.values()].flatMap(({ movedFrom = [] }) => movedFrom)),
);

function forget(leaving: Undocumented): Action {
  const { address, entry, planning } = leaving;
  const ids = idsOf(entry);
  const gone = planning.found.get(address)?.gone ?? [];
  const leaves = (entry.ids ? ids.length : 1) - gone.length;
  return {
    ...removal("forget", leaving),
    ...(ids.length > 0 && { ids: [...ids] }),
    leaves,
    ...(gone.length > 0 && { gone: [...gone] }),
  };
}

function deleteOf(leaving: Undocumented, operation: DeclaredDelete): Action {
  const { entry, causes } = leaving;
  const uses = usesLeft(leaving);
  const ids = [...idsOf(entry)];
  if (uses.length > 0) {
    const all = [...causes, ...uses.map((use) => cause("still-used", { use }))];
    return { ...removal("blocked", { ...leaving, causes: all }), ids };
  }
  const asked = cause("delete-asked", {});
  return {
    ...removal("delete", { ...leaving, causes: [...causes, asked] }),
    ids,
    deletes: ids.length,
    requests: ids.map((id) => requestText(requestFor(operation, id))),
  };
}

function removal(
  action: Action["action"],
  { address, entry, causes, applied, planning }: Undocumented,
): Action {
  return actionOf({ address, file: entry.file }, action, {
    ...because(causes),
    ...affectedBy(address, applied.affectedOf),
    // Two old entries that refer to each other must not wait for each other.
    waits_for: applied.usersOf(address).filter((user) => planning.actions.has(user)),
    reads: reads([address], planning),
  });
}

/** Gives how an object is used, and will still be after the plan; each way once. */
function usesLeft({ address, entry, applied: { usesOf }, planning }: Undocumented): Cause[] {
  const left = new Map<string, Cause>();
  for (const { why, user } of idsOf(entry).flatMap((id) => usesOf({ id, address }))) {
    const isRenewed = user?.retired === undefined && user !== undefined && letsGo(user.address, planning);
    if (user?.address !== address && !isRenewed) left.set(user?.address ?? JSON.stringify(why), why);
  }
  return [...left.values()];
}

// What is sent a new body refers to it no longer: a document cannot refer to what is gone, and is asked for its ID.
function letsGo(user: string, { actions, fleet, lock, isIn }: Planning): boolean {
  const action = actions.get(user);
  if (action) return action.action === "update" || (action.deletes ?? 0) > 0;
  // In a circle of what is deleted, one is decided before the others.
  const isGone = !fleet.resources.has(user) && isIn(user);
  return isGone && isToDelete(user, lock.resources[user], fleet);
}
