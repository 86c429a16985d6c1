import { error, type Finding } from "../finding/diagnostic.js";
import { equal, isObject, type Hash, type Json, type JsonObject } from "../../json/json.js";
import type { Identity, Kind } from "../kind/kind.js";
import { isId } from "../kind/id.js";
import { idsOf } from "../kind/identity.js";
import { lasting } from "../kind/body.js";
import { kindOfAddress } from "../kind/kinds.js";
import { bodyDigest, type LockEntry } from "../state/lock.js";
import { findOperation, operationKeys, type Operation } from "../openapi/openapi.js";
import { resolvedReferences, type Lookup } from "../expression/resolution.js";
import { quote } from "../finding/quotation.js";
import type { Resource } from "../resources/resource.js";

/** What a document, or a person, says that an object's ID is: one ID, or for a tool set `operation=ID`. */
export type Adoption = string | string[];

/** What to do about an ID that isId refuses. */
export const unfitHint = "give an ID of at most 1,000 characters, all of which can be seen";

/** Reads the ID of an object in a text, or the `operation=ID,operation=ID` of a kind that has one for each. */
export function parseAdoption(address: string, text: string): Adoption {
  return kindOfAddress(address)?.operations ? text.split(",") : text;
}

/** Gives the adoption that a document asks for in an environment and that was not honoured yet. */
export function pendingAdoption(
  { lifecycle }: Resource,
  environment: string | null,
  entry: LockEntry | undefined,
): Adoption | undefined {
  const { adopt } = lifecycle;
  const chosen = isObject(adopt) ? (environment === null ? undefined : adopt[environment]) : adopt;
  if (chosen === undefined || chosen === null) return undefined;
  return equal(chosen, entry?.adopted as Json | undefined) ? undefined : (chosen as Adoption);
}

/** Gives the adoption that an entry has honoured: one of the past, or one that names the object that it has. */
export function honouredAdoption(
  resource: Resource,
  environment: string | null,
  entry: LockEntry | undefined,
): Adoption | undefined {
  const pending = pendingAdoption(resource, environment, entry);
  const identity = pending === undefined ? undefined : readAdoption(resource, pending);
  if (!entry || !identity || "code" in identity) return entry?.adopted;
  return isSameObject(entry, identity) ? pending : entry.adopted;
}

/** Whether two identities have the same IDs, and any at all. */
export function isSameObject(one: Identity, other: Identity): boolean {
  const ids = idsOf(one);
  return ids.length > 0 && equal(ids.toSorted(), idsOf(other).toSorted());
}

/** Reads the IDs of an adoption, or says what is wrong with it. */
export function readAdoption(resource: Resource, adoption: Adoption): Identity | Finding {
  const { address, kind, body } = resource;
  const at = resource.place(["lifecycle", "adopt"]);
  const operations = kind.operations?.(body);
  if (!operations) {
    if (typeof adoption !== "string" || adoption === "") {
      return error("adopt-invalid", at, `${address} is one object and has one ID`, "write `adopt: ID`");
    }
    if (isId(adoption)) return { id: adoption };
    return error("adopt-invalid", at, `${address} cannot have this ID`, unfitHint);
  }
  const hint = "write `adopt: [operation=ID, …]`";
  if (typeof adoption === "string") {
    return error("adopt-invalid", at, `${address} has an ID for each operation`, hint);
  }
  return readTools(adoption, operations, (message) => error("adopt-invalid", at, message, hint));
}

/** Gives the keys of the operations that have no ID yet. */
export function missingOperations(
  tools: Readonly<Record<string, string>>,
  operations: readonly Operation[],
): string[] {
  return operationKeys(operations).filter((key) => !Object.hasOwn(tools, key));
}

/** Says that operations have no ID, a few of them by name. */
export function withoutIds(missing: readonly string[]): string {
  const more = missing.length - mostNamed;
  return `no ID is given for ${missing.slice(0, mostNamed).map(quote).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Writes how the IDs of an object are given on a command line: `ID`, or for a tool set one for each operation. */
export function adoptionForm(
  { operations }: Pick<Kind, "operations">,
  body: JsonObject,
  known: Readonly<Record<string, string>> = {},
): string {
  if (!operations) return "ID";
  const keys = missingOperations(known, operations(body));
  const pairs = keys.slice(0, mostNamed).map((each) => `${each}=ID`);
  const text = [...pairs, ...(keys.length > pairs.length || keys.length === 0 ? ["…"] : [])].join(",");
  return /^[\w.=,…-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const mostNamed = 5;

/** Reads `operation=ID` pairs against the operations of a tool set. */
export function readTools(
  pairs: readonly string[],
  operations: readonly Operation[],
  fail: (message: string) => Finding,
): Required<Pick<Identity, "ids" | "tools">> | Finding {
  const keys = operationKeys(operations);
  const tools = new Map<string, string>();
  for (const pair of pairs) {
    // An ID may hold an equals sign more likely than an operation does.
    const [, locator = "", id = ""] = /^([^=]*)=(.*)$/.exec(pair) ?? [];
    const index = findOperation(operations, locator.trim());
    const key = index === undefined ? undefined : keys[index];
    if (key === undefined) return fail(`\`${pair}\` names no operation of the set`);
    if (id.trim() === "") return fail(`\`${pair}\` names no ID`);
    if (!isId(id.trim())) return fail(`the ID of \`${locator.trim()}\` holds characters that cannot be seen`);
    if (tools.has(key)) return fail(`\`${locator}\` stands there twice`);
    tools.set(key, id.trim());
  }
  const ordered = keys.flatMap((key) => tools.get(key) ?? []);
  if (new Set(ordered).size < ordered.length) return fail("two operations have the same ID");
  return { ids: ordered, tools: Object.fromEntries(tools) };
}

/** Finds IDs that the lock knows under another address already. */
export function checkTaken(
  resource: Resource,
  identity: Identity,
  ownersOf: (id: string) => readonly string[],
): Finding[] {
  const owners = new Set(idsOf(identity).flatMap(ownersOf));
  owners.delete(resource.address);
  return [...owners].map((other) => {
    const message = `the ID is known as \`${other}\` already`;
    const hint = `an object has one address: for a rename, use \`moved_from: ${other}\``;
    return error("adopt-taken", resource.place(["lifecycle", "adopt"]), message, hint);
  });
}

/** What an adopted object is recorded with. */
export interface AdoptedObject extends Pick<LockEntry, "adopted" | "file" | "protect" | "moved_from"> {
  readonly kind: Kind;
  readonly body: JsonObject;
  readonly identity: Identity;
}

/** The entry of an adopted object; where it can be updated, it is uncertain until that was done. */
export function adoptedEntry(
  { kind, body: whole, identity, ...marks }: AdoptedObject,
  lookup: Lookup,
  hash: Hash,
): LockEntry {
  const body = lasting(whole, kind);
  const references = resolvedReferences(body, lookup);
  const updates = kind.update(identity, Object.keys(body), body).length > 0;
  return {
    ...identityMembers(identity),
    body,
    digest: bodyDigest(body, hash),
    ...marks,
    ...(references && { references }),
    ...(isAssumed(kind) && { assumed: true }),
    ...(updates && { uncertain: true }),
  };
}

/** Whether an object was adopted and no update of it was tried yet, so that what it holds is not known. */
export function isUntold({ uncertain, attempted }: LockEntry): boolean {
  return uncertain === true && attempted === undefined;
}

/** Whether adopting an object of a kind takes fields for granted that the service cannot be told again. */
export function isAssumed({ replacedBy }: Kind): boolean {
  return replacedBy === "any" || replacedBy.length > 0;
}

/** The members of a lock entry that an identity makes. */
export function identityMembers({ id, ids, tools }: Identity): Pick<LockEntry, "id" | "ids" | "tools"> {
  return {
    ...(id !== undefined && { id }),
    ...(ids && { ids: [...ids] }),
    ...(tools && { tools: { ...tools } }),
  };
}
