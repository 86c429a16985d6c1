import { placesOf, possibleIdsOf, retiredAt, sharedKeys } from "../state/known-ids.js";
import type { Refusal } from "../finding/checked.js";
import { bare, say, type Sentence } from "../finding/said.js";
import { unfitHint, type Adoption } from "../plan/adoption.js";
import { takenHint } from "../plan/adoption-check.js";
import { adoptionForm, readTools, type GivenIdentity } from "../plan/tool-ids.js";
import { foldedId, foldedKey, isId } from "../kind/id.js";
import { idsOf } from "../kind/identity.js";
import type { JsonObject } from "../../json/json.js";
import type { Identity } from "../kind/kind.js";
import { kindOfAddress } from "../kind/kinds.js";
import { operationKeys } from "../openapi/openapi.js";
import { refuse } from "./edited.js";
import type { Lock, LockEntry } from "../state/lock.js";
import { choiceOf, resolveCommand } from "../state/state-choice.js";

/** The word that is given instead of an ID if nothing was created. */
export const notCreated = "not-created";

/** The object to identify: its address, the body that it was sent, and its known tools. */
export interface Identified {
  readonly address: string;
  readonly body: JsonObject;
  readonly known?: Readonly<Record<string, string>> | undefined;
}

/** Parses the IDs that a person gives, by the operations of a body; of a tool set, some may be given. */
export function readIdentity({ address, body, known = {} }: Identified, adoption: Adoption): GivenIdentity {
  const kind = kindOfAddress(address);
  const operations = kind.operations?.(body);
  const fail = (message: Sentence, hint: Sentence) => refuse("adopt-invalid", address, message, hint);
  if (typeof adoption === "string" && /^\s*not[-_ ]?created\s*$/i.test(adoption))
    return fail(
      say`must have an ID, not ${{ found: adoption }}`,
      say`give its ID; for what was not created, write ${{ expected: notCreated }} in the file`,
    );
  if (!operations) {
    if (typeof adoption !== "string") return fail("is one object and must have one ID", "give its ID");
    const id = adoption.trim();
    if (id === "") return fail("has no ID", "give its ID");
    return isId(id) ? { ok: true, identity: { id } } : fail("has an invalid ID", unfitHint);
  }
  const hint = say`write ${bare({ expected: adoptionForm(kind, body, known) })}`;
  if (typeof adoption === "string" || adoption.length === 0)
    return fail("must have an ID for each operation", hint);
  const given = readTools(adoption, operations, (message) => fail(message, hint));
  if (!given.ok) return given;
  const all = new Map(Object.entries({ ...known, ...given.identity.tools }));
  if (new Set(all.values()).size < all.size) return fail("two operations have the same ID", hint);
  const tools = operationKeys(operations).flatMap((key): [string, string][] => {
    const id = all.get(key);
    return id === undefined ? [] : [[key, id]];
  });
  return { ok: true, identity: { ids: tools.map(([, id]) => id), tools: Object.fromEntries(tools) } };
}

/** The same, of IDs that no other address in the lock has. */
export function readFreeIdentity(identified: Identified, adoption: Adoption, lock: Lock): GivenIdentity {
  const given = readIdentity(identified, adoption);
  return given.ok ? (findTaken(identified.address, given.identity, lock) ?? given) : given;
}

function findTaken(address: string, identity: Identity, { resources, unknown }: Lock): Refusal | undefined {
  // What the service itself has answered for it is of its kind, whoever else has that ID.
  const answered = unknown[address]?.ids ?? [];
  const keysOf = (id: string) => (answered.includes(id) ? [foldedKey(address, id)] : sharedKeys(address, id));
  const wanted = new Set(idsOf(identity).flatMap(keysOf));
  const had = [
    ...Object.entries(resources).map(([other, entry]) => [other, possibleIdsOf(entry)] as const),
    ...Object.entries(unknown).map(([other, { found = {} }]) => [other, Object.values(found)] as const),
  ];
  for (const [other, ids] of had) {
    const id = other === address ? undefined : ids.find((each) => wanted.has(foldedKey(other, each)));
    if (id === undefined) continue;
    return refuse(
      "adopt-taken",
      address,
      say`cannot have the ID ${bare({ id })}: it belongs to \`${bare({ other })}\``,
      takenHint(address, other),
    );
  }
  return undefined;
}

/** Finds an ID that existed before: an unknown create cannot have made it. */
export function findOld(
  address: string,
  identity: Identity,
  entry: LockEntry | undefined,
  lock: Lock,
): Refusal | undefined {
  const before = new Set((entry ? idsOf(entry) : []).map(foldedId));
  const leftBy = (id: string): string | undefined => {
    const places = placesOf(address, id);
    return places.flatMap((place) => retiredAt(lock, place, id) ?? [])[0]?.address;
  };
  const old = idsOf(identity).find((id) => before.has(foldedId(id)) || leftBy(id) !== undefined);
  if (old === undefined) return undefined;
  const owner = leftBy(old) ?? address;
  if (owner !== address) {
    const message = say`cannot have the ID ${bare({ id: old })}: it was left behind by \`${bare({ other: owner })}\``;
    return refuse("adopt-taken", address, message, "give the ID of the object that the create made");
  }
  const hint = `if nothing new was created: \`${resolveCommand(address, choiceOf(lock))} --not-created\``;
  return refuse("adopt-taken", address, say`already had the ID ${bare({ id: old })} before`, hint);
}
