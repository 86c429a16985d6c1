import { unfitHint, type Adoption } from "../plan/adoption.js";
import { adoptionForm, missingOperations, readTools, withoutIds } from "../plan/tool-ids.js";
import { error, type Code, type Finding } from "../finding/diagnostic.js";
import { isId } from "../kind/id.js";
import { idsOf } from "../kind/identity.js";
import type { JsonObject } from "../../json/json.js";
import type { Identity } from "../kind/kind.js";
import { kindOfAddress } from "../kind/kinds.js";
import { operationKeys } from "../openapi/openapi.js";
import type { Lock, LockEntry } from "../state/lock.js";

/** The word that stands in the place of an ID where a person found that nothing was created. */
export const notCreated = "not-created";

/** What of an object is to be identified: its address, the body that it was sent, and the tools that are known. */
export interface Identified {
  readonly address: string;
  readonly body: JsonObject;
  readonly known?: Readonly<Record<string, string>> | undefined;
  /** Whether tools may be left out. */
  readonly isPartial?: boolean | undefined;
}

/**
 * Reads the IDs that a person gives, against the operations of a body; a tool set's are all of them, those that
 * are known already included, unless it may be a part.
 */
export function readIdentity(
  { address, body, known = {}, isPartial = false }: Identified,
  adoption: Adoption,
): Identity | Finding {
  const kind = kindOfAddress(address);
  const operations = kind?.operations?.(body);
  const fail = (message: string, hint: string) => problem("adopt-invalid", address, message, hint);
  if (adoption === notCreated) return fail(`cannot take \`${notCreated}\` for an ID`, "give its ID");
  if (!kind || !operations) {
    if (typeof adoption !== "string") return fail("is one object and has one ID", "give its ID");
    const id = adoption.trim();
    if (id === "") return fail("has no ID there", "give its ID");
    return isId(id) ? { id } : fail("cannot have this ID", unfitHint);
  }
  const hint = `give them as ${adoptionForm(kind, body, known)}`;
  if (typeof adoption === "string" || adoption.length === 0)
    return fail("has an ID for each operation", hint);
  const given = readTools(adoption, operations, (message) => fail(message, hint));
  if ("code" in given) return given;
  const all = new Map(Object.entries({ ...known, ...given.tools }));
  if (new Set(all.values()).size < all.size) return fail("two operations have the same ID", hint);
  const missing = missingOperations(Object.fromEntries(all), operations);
  if (missing.length > 0 && !isPartial) {
    return fail(withoutIds(missing), `${hint}, or add --partial if these are all that can be found`);
  }
  const tools = operationKeys(operations).flatMap((key): [string, string][] => {
    const id = all.get(key);
    return id === undefined ? [] : [[key, id]];
  });
  return { ids: tools.map(([, id]) => id), tools: Object.fromEntries(tools) };
}

/** Finds an ID that the lock knows under another address. */
export function findTaken(
  address: string,
  identity: Identity,
  { resources, unknown }: Lock,
): Finding | undefined {
  const wanted = new Set(idsOf(identity));
  const inPart = Object.entries(unknown).map(([other, { found = {} }]): [string, Identity] => {
    return [other, { ids: Object.values(found) }];
  });
  for (const [other, entry] of [...Object.entries(resources), ...inPart]) {
    const id = other === address ? undefined : idsOf(entry).find((each) => wanted.has(each));
    if (id === undefined) continue;
    const hint = `an object has one address: for a rename, use \`moved_from: ${other}\``;
    return problem("adopt-taken", address, `cannot have the ID ${id}: it is known as \`${other}\``, hint);
  }
  return undefined;
}

/** Finds an ID that was there before: it cannot be what an unknown create has made. */
export function findOld(
  address: string,
  identity: Identity,
  entry: LockEntry | undefined,
  { retired }: Lock,
): Finding | undefined {
  const before = new Set(entry ? idsOf(entry) : []);
  const old = idsOf(identity).find((id) => before.has(id) || Object.hasOwn(retired, id));
  if (old === undefined) return undefined;
  const hint = `if nothing new was made: \`agentform lock resolve ${address} --not-created\``;
  return problem("adopt-taken", address, `was there with the ID ${old} before`, hint);
}

/** Makes a finding about an address, which its message begins with. */
export function problem(code: Code, address: string, message: string, hint?: string): Finding {
  return error(code, undefined, `${address}: ${message}`, hint);
}
