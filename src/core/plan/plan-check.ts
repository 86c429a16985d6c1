import { plainValue } from "../document/subset-value.js";
import { addressesIn, retiredIn } from "../state/known-ids.js";
import { choiceOf, stateOptions } from "../state/state-choice.js";
import type { Action } from "../../generated/plan.js";
import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { equal } from "../../json/json.js";
import { oncePer } from "../../json/once.js";
import { indexOperations } from "../openapi/openapi.js";
import { lasting } from "../kind/body.js";
import { idsOf } from "../kind/identity.js";
import { isOfKind, kindOfAddress } from "../kind/kinds.js";
import { manifestFile } from "../resources/manifest-file.js";
import { environmentName } from "../resources/environment-name.js";
import { inEnvironment, listingHint } from "../resources/absence.js";
import { bare, say } from "../finding/said.js";
import { quoteFew } from "../finding/quotation.js";
import { nearAmong } from "../kind/near-address.js";
import type { PlanOptions } from "./plan-options.js";
import { otherOwner, type Planning } from "./planning.js";
import { checkSelector } from "../resources/selector.js";
import { usedAddress } from "../resources/used.js";
import type { Fleet } from "../resources/fleet.js";
import type { Resource } from "../resources/resource.js";
import type { Lock, RetiredObject } from "../state/lock.js";
import { isExchange } from "./action.js";
import { pendingAdoption } from "./adoption.js";
import { fieldsSentOtherwise } from "./adoption-check.js";
import { movedFrom } from "../resources/former-address.js";
import { unmappedHint } from "./tool-ids.js";

/** Finds the reasons not to run a plan. */
export function checkPlan(actions: readonly Action[], planning: Planning): Finding[] {
  return [
    ...checkProtected(actions, planning),
    ...checkReturning(actions, planning),
    ...checkMerged(actions, planning),
    ...checkShared(actions, planning),
    ...checkUnmapped(actions, planning),
    ...checkOrphans(actions, planning),
  ];
}

function checkProtected(actions: readonly Action[], { fleet, entriesBefore }: Planning): Finding[] {
  return actions
    .filter((each) => isExchange(each) || each.action === "forget" || each.action === "delete")
    .flatMap(({ address, action: own, reasons, file }) => {
      const action = own === "adopt" ? "replace" : own;
      const resource = fleet.resources.get(address);
      const isProtected = resource
        ? resource.lifecycle.protect === true
        : entriesBefore(address).some(({ protect }) => protect === true);
      if (!isProtected) return [];
      const place = resource?.place(["lifecycle", "protect"]) ?? (file === undefined ? undefined : { file });
      const message = say`${{ address }} is protected, and the plan would ${action} it: ${bare({ reason: reasons[0] ?? "" })}`;
      const hint = resource
        ? "take `lifecycle.protect` away and apply that first, or undo the change"
        : fleet.absent.has(address)
          ? "let it exist here again, take `lifecycle.protect` away and apply that first"
          : "bring the document back, take `lifecycle.protect` away and apply that first";
      return [{ ...error("protected", place, message, hint), address }];
    });
}

// An object that was forgotten still exists, and creating it again would make a second one.
function checkReturning(actions: readonly Action[], { fleet, lock, options, ownersOf }: Planning): Finding[] {
  const doubted = new Set<string>();
  const created = actions.flatMap(({ action, address }) =>
    action === "create" && !options.replace.has(address) ? [address] : [],
  );
  const isNew = new Set(created);
  const returning = new Map(
    [
      ...created.flatMap((address) => namesBefore(address, fleet)),
      ...created.map((own) => [own, own] as const),
    ].map(([name, address]) => [name, { address, ids: [] as string[] }]),
  );
  if (returning.size === 0) return [];
  for (const [id, left] of retiredIn(lock)) {
    const { address, reason, operation, delete_sent, moved_from = [] } = left;
    if (delete_sent !== undefined) doubted.add(address);
    // What an address of now has is of a copied entry.
    if (reason !== "forgotten" || ownersOf(address, id).length > 0) continue;
    // A rename that is taken back asks for no move; another document with an old name says something else.
    const before = moved_from.find((name) => isNew.has(name) && isSaidBy(fleet.resources.get(name), left));
    if (before !== undefined && !fleet.resources.has(address))
      returning.set(address, { address: before, ids: returning.get(address)?.ids ?? [] });
    returning.get(address)?.ids.push(operation === undefined ? id : `${operation}=${id}`);
  }
  const { environment } = fleet.settings;
  return [...returning].flatMap(([name, { address, ids }]) => {
    if (ids.length === 0) return [];
    const resource = fleet.resources.get(address);
    // Where the document takes something over, the plan creates nothing, or says already why that cannot be.
    if (resource && !options.emulator && pendingAdoption(resource, environment, undefined)) return [];
    const fit = ids.filter((id) => !resource || fieldsSentOtherwise(resource, id, lock).length === 0);
    const isAsked = resource !== undefined && movedFrom(resource).includes(name);
    const place = resource?.place(isAsked ? ["lifecycle", "moved_from"] : ["metadata", "name"]);
    return [
      { ...explainReturning(address, { name, ids, fit }, { doubted, fleet, options }, place), address },
    ];
  });
}

// Two branches had one object at two addresses, and the merge of their locks kept one of these.
function checkMerged(actions: readonly Action[], { fleet, lock, options }: Planning): Finding[] {
  const { environment } = fleet.settings;
  const created = actions.filter(
    ({ action, address }) => action === "create" && !options.replace.has(address),
  );
  if (created.length === 0) return [];
  const isNew = new Set(created.map(({ address }) => address));
  return Object.entries(lock.resources).flatMap(([other, entry]) =>
    (entry.merged_from ?? []).flatMap((address) => {
      const resource = isNew.has(address) ? fleet.resources.get(address) : undefined;
      // What the object has left by a rename is free.
      if (
        !resource ||
        entry.moved_from?.includes(address) ||
        pendingAdoption(resource, environment, undefined)
      )
        return [];
      const ids = idsOf(entry);
      const message = say`the object of ${{ address }} (${bare({ ids: [...ids] }, ids.join(", "))}) belongs to ${{ other }} since two locks were merged, and the plan would create a second one`;
      const hint = `an object can have only one address: remove one of the two documents, and write \`moved_from: ${other}\` in this one if it stays; for a second object, \`--replace ${address}\``;
      return [{ ...error("adopt-taken", resource.place(["metadata", "name"]), message, hint), address }];
    }),
  );
}

// An entry that a person has copied in the lock would have each address write over the object of the other.
function checkShared(actions: readonly Action[], planning: Planning): Finding[] {
  const { fleet, lock } = planning;
  const changed = actions.filter(({ action }) => action === "update" || action === "replace");
  const ids = new Map(changed.map(({ address }) => [address, idsOf(lock.resources[address] ?? {})] as const));
  if (!hasTwice(lock, new Set([...ids.values()].flat()))) return [];
  return [...ids].flatMap(([address, own]) => {
    const resource = fleet.resources.get(address);
    return own.flatMap((id) => {
      const other = otherOwner(address, id, planning);
      if (!resource || other === undefined) return [];
      const message = say`the lock has the ID ${{ id }} of ${{ address }} at ${{ other }}, too`;
      const hint =
        "an object can have only one address: remove the document of the one that it is not, and apply that first";
      return [{ ...error("adopt-taken", resource.place(["metadata", "name"]), message, hint), address }];
    });
  });
}

// A table of all owners takes longer, and is hardly ever needed.
function hasTwice({ resources }: Lock, ids: ReadonlySet<string>): boolean {
  let found = 0;
  for (const address in resources) for (const id of idsOf(resources[address] ?? {})) if (ids.has(id)) found++;
  return found > ids.size;
}

// Of a tool its operation alone is kept, or nothing.
function isSaidBy(resource: Resource | undefined, { body, operation }: RetiredObject): boolean {
  if (resource === undefined) return false;
  if (body !== undefined) return equal(lasting(resource.body, resource.kind), body);
  return operation === undefined || operationsOf(resource).find(operation) !== undefined;
}

const operationsOf = oncePer(({ kind, body }: Resource) => indexOperations(kind.operations?.(body) ?? []));

// What was forgotten before it could move is the same resource, as its document says.
function namesBefore(address: string, { resources }: Fleet): (readonly [name: string, address: string])[] {
  const resource = resources.get(address);
  if (!resource) return [];
  return movedFrom(resource)
    .filter((from) => isOfKind(from, resource.kind.name) && !resources.has(from))
    .map((from) => [from, address]);
}

interface Returning {
  /** The address that was forgotten. */
  readonly name: string;
  readonly ids: readonly string[];
  /** Those that can be taken over as the document is. */
  readonly fit: readonly string[];
}

function explainReturning(
  address: string,
  { name, ids, fit }: Returning,
  { doubted, fleet, options }: { doubted: ReadonlySet<string> } & Pick<Planning, "fleet" | "options">,
  place: Place | undefined,
): Finding {
  // An object whose ID was never answered is kept under its address.
  const isNamed = !ids.some((id) => id.startsWith(`${name}#`));
  const few = ids.length > 5 ? [...ids.slice(0, 5), "…"] : ids;
  const isSet = kindOfAddress(address).operations !== undefined;
  const adopt = isSet
    ? `[${few.map((id) => JSON.stringify(id)).join(", ")}]`
    : yamlText(fit[0] ?? ids[0] ?? "");
  // Where it was never known which tool is which operation, a person has to say it.
  const isKnown = isNamed && (!isSet || ids.every((id) => id.includes("=")));
  const exist = doubted.has(name)
    ? "may still exist, although a delete was sent"
    : ids.length === 1
      ? "still exists"
      : "still exist";
  const objects =
    ids.length === 1 ? `its object ${exist}` : say`its ${{ count: ids.length }} objects ${exist}`;
  const message = say`${{ address: name }} was forgotten, and ${objects}${isNamed ? say`: ${bare({ ids: [...ids] }, few.join(", "))}` : ""}`;
  const form = isKnown ? adopt : isSet ? "[OPERATION=ID, …]" : "ID";
  const replace = `create a new one with \`--replace ${address}\``;
  const takeOver = `take over what exists with ${adoptMark(form, fleet.settings, place?.each?.key)}`;
  // The emulator does not adopt.
  const hint = options.emulator
    ? say`${replace}`
    : fit.length > 0
      ? say`${takeOver}, or ${replace}`
      : say`${replace}, or write what the old one was last sent, ${takeOver}, and change it after that`;
  const isProposed = isKnown && !options.emulator && fit.length > 0;
  const fixes = isProposed ? [{ type: "mark" as const, field: "adopt" as const, values: [...fit] }] : [];
  return error("retired-address", place, message, hint.proposing(...fixes));
}

// Without quotes, a number is none of the texts that `adopt` takes.
function yamlText(id: string): string {
  return /^\w[\w-]*$/.test(id) && plainValue(id) === id ? id : JSON.stringify(id);
}

// What one line of a document says, it says in all environments and for all keys, and an object is of one.
function adoptMark(
  form: string,
  { environment, environments }: Fleet["settings"],
  key: string | undefined,
): string {
  const value = environments.length > 0 ? `{${environmentName(environment)}: ${form}}` : form;
  return key === undefined
    ? `\`lifecycle: {adopt: ${value}}\``
    : `\`lifecycle: {adopt: "\${each:adopt}"}\`, \`adopt: ${value}\` for the key \`${key}\` and \`adopt: {}\` for the others`;
}

// A set is one thing to find out about, however many refer to its tools.
function checkUnmapped(actions: readonly Action[], { fleet, idsAfterPlan, options }: Planning): Finding[] {
  const { environment } = fleet.settings;
  const unmapped = new Map<string, { operations: Set<string>; place: Place }>();
  for (const { address: from } of actions.filter(({ action }) => action === "blocked")) {
    for (const { address, operation, place } of fleet.resources.get(from)?.placedReferences ?? []) {
      const idsAfter = idsAfterPlan.get(address);
      if (operation === undefined || idsAfter?.type !== "kept" || idsAfter.entry.tools !== undefined)
        continue;
      const known = unmapped.get(address);
      if (known) known.operations.add(operation);
      else unmapped.set(address, { operations: new Set([operation]), place });
    }
  }
  return [...unmapped].map(([address, { operations: found, place }]) => {
    const operations = [...found];
    const { address: own, use } = usedAddress(address) ?? { address };
    // What leads to the state of a used workspace is for who stands there.
    const choice = use === undefined ? { environment, emulator: options.emulator } : { environment: null };
    const where = use === undefined ? "" : ` in the workspace of ${use}`;
    const [operation = "", ...more] = operations;
    const are =
      more.length === 0
        ? say`which tool of ${{ address }} is ${{ operation }}`
        : say`which tools of ${{ address }} are ${bare({ missing: operations }, quoteFew(operations))}`;
    const message = say`${are} is not known: the service's answer did not tell`;
    const isOrdered = use === undefined && fleet.settings.service.tool_ids !== undefined;
    const hint = unmappedHint(own, operations, choice, isOrdered, where);
    return error("reference-tool-unmapped", place, message, hint);
  });
}

function checkOrphans(actions: readonly Action[], { fleet, options }: Planning): Finding[] {
  const limit = fleet.settings.orphanLimit;
  if (limit === undefined) return [];
  const unnamed = actions.filter(({ address, leaves = 0 }) => leaves > 0 && !options.replace.has(address));
  const left = unnamed.reduce((sum, { leaves = 0 }) => sum + leaves, 0);
  if (left <= limit) return [];
  const names = unnamed.map(({ address }) => `--replace ${address}`);
  const message = say`the plan leaves ${{ count: left }} objects behind in the service, and \`limits.orphans\` is ${{ limit }}`;
  const addresses = unnamed.map(({ address }) => address);
  const shown = names.slice(0, 5).join(" ");
  const hint = say`if that is meant, name them: ${bare({ addresses }, shown)}${names.length > 5 ? " …" : ""}`;
  return [error("orphan-limit", { file: manifestFile, path: ["spec", "limits", "orphans"] }, message, hint)];
}

/** Finds options that name or select what is not there. */
export function checkOptions(options: PlanOptions, fleet: Fleet, lock: Lock): Finding[] {
  const { replace, resend, target, exclude } = options;
  return [
    ...unknownAddresses({ replace, resend, target, exclude }, fleet, lock),
    ...checkSelector(options.selector, fleet.resources.values()),
  ];
}

/** Finds options that name addresses which are neither in the workspace nor in the lock. */
export function unknownAddresses(
  named: Readonly<Record<string, ReadonlySet<string>>>,
  { resources, absent, settings }: Fleet,
  lock: Lock,
): Finding[] {
  if (Object.values(named).every(({ size }) => size === 0)) return [];
  const known = new Set([...resources.keys(), ...addressesIn(lock)]);
  const near = nearAmong(known);
  return Object.entries(named).flatMap(([option, addresses]) =>
    [...addresses]
      .filter((address) => !known.has(address) && !(takeAll.has(option) && address === "all"))
      .map((address) => {
        const there = absent.get(address);
        if (there) {
          const { environment } = settings;
          const message = say`\`--${bare({ option })} ${bare({ address })}\` names a resource that does not exist ${inEnvironment(environment)}`;
          return error("option-unknown-address", undefined, message, listingHint(there, environment));
        }
        const hint =
          near(address) ??
          `\`agentform lock list${stateOptions(choiceOf(lock))}\` and the documents have the addresses`;
        const message = say`\`--${bare({ option })} ${bare({ address })}\` names no resource of this workspace`;
        return error("option-unknown-address", undefined, message, hint);
      }),
  );
}

const takeAll: ReadonlySet<string> = new Set(["resend", "overwrite"]);
