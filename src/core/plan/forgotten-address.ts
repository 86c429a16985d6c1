import { plainValue } from "../document/subset-value.js";
import { retiredIn } from "../state/known-ids.js";
import type { Action } from "../../generated/plan.js";
import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { equal } from "../../json/json.js";
import { oncePer } from "../../json/once.js";
import { indexOperations } from "../openapi/openapi.js";
import { lasting } from "../kind/body.js";
import { isOfKind, kindOfAddress } from "../kind/kinds.js";
import { environmentName } from "../resources/environment-name.js";
import { bare, say } from "../finding/said.js";
import { type Planning } from "./planning.js";
import type { Fleet } from "../resources/fleet.js";
import type { Resource } from "../resources/resource.js";
import type { RetiredObject } from "../state/lock.js";
import { pendingAdoption } from "./adoption.js";
import { fieldsSentOtherwise } from "./adoption-check.js";
import { movedFrom } from "../resources/former-address.js";

/** Refuses to create anew what was forgotten: its object still exists. */
export function checkReturning(
  actions: readonly Action[],
  { fleet, lock, options, ownersOf }: Planning,
): Finding[] {
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
