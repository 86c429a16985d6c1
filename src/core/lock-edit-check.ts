import { readTools, unfitHint, type Adoption } from "./adoption.js";
import { error, type Code, type Finding } from "./diagnostic.js";
import { isId } from "./id.js";
import { idsOf } from "./identity.js";
import type { JsonObject } from "./json.js";
import type { Identity } from "./kind.js";
import { kindOfAddress } from "./kinds.js";
import type { Lock, LockEntry } from "./lock.js";

/** The word that stands in the place of an ID where a person found that nothing was created. */
export const notCreated = "not-created";

/** Reads the IDs that a person gives for an address, against the operations of a body. */
export function readIdentity(address: string, body: JsonObject, adoption: Adoption): Identity | Finding {
  const operations = kindOfAddress(address)?.operations?.(body);
  const fail = (message: string, hint: string) => problem("adopt-invalid", address, message, hint);
  if (adoption === notCreated) return fail(`cannot take \`${notCreated}\` for an ID`, "give its ID");
  if (!operations) {
    if (typeof adoption !== "string") return fail("is one object and has one ID", "give its ID");
    const id = adoption.trim();
    if (id === "") return fail("has no ID there", "give its ID");
    return isId(id) ? { id } : fail("cannot have this ID", unfitHint);
  }
  const hint = "give them as OPERATION=ID,OPERATION=ID";
  if (typeof adoption === "string" || adoption.length === 0)
    return fail("has an ID for each operation", hint);
  return readTools(adoption, operations, (message) => fail(message, hint));
}

/** Finds an ID that the lock knows under another address. */
export function findTaken(address: string, identity: Identity, { resources }: Lock): Finding | undefined {
  const wanted = new Set(idsOf(identity));
  for (const [other, entry] of Object.entries(resources)) {
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
