import { possibleIdsOf, retiredIn } from "../state/known-ids.js";
import { resolveCommand } from "../state/state-choice.js";
import { error, note, type Finding } from "../finding/diagnostic.js";
import { type Sentence, bare, say } from "../finding/said.js";
import { idsOf } from "../kind/identity.js";
import type { LockEntry, UnknownCreate } from "../state/lock.js";
import type { Kind } from "../kind/kind.js";
import { kindOfAddress } from "../kind/kinds.js";
import { isObject, type Json } from "../../json/json.js";
import { environmentOf } from "../resources/environment-name.js";
import { specOf } from "../observation/observed-body.js";
import { knownField } from "../schema/known-field.js";
import { safeNames } from "./exposed-secrets.js";
import { foundObjects, nameOf, symbolicName, type FoundObject, leftOut, objectText } from "./found-object.js";
import {
  elsewhereText,
  objectKey,
  type ElsewhereName,
  type Importing,
  type UnknownElsewhere,
} from "./importing.js";

/** The objects of a service that no address has. */
export interface SortedObjects {
  readonly objects: readonly FoundObject[];
  /** Those that cannot be imported. */
  readonly findings: readonly Finding[];
  /** How many resources have what is listed; a tool set has several tools. */
  readonly managed: number;
  /** How many are in the ledger of what is left behind. */
  readonly retired: number;
}

/** Finds the objects that no address has, in this environment or elsewhere. */
export function newObjects(importing: Importing): SortedObjects {
  const { listings, lock, elsewhere, wanted, fleet } = importing;
  const { idText, withAlias } = safeNames(importing);
  const managed = idTable(Object.entries(lock.resources));
  const retired = new Set(retiredIn(lock).map(([id, { address }]) => objectKey(address, id)));
  const promised = new Map(
    [...fleet.resources.values()].flatMap(({ address, lifecycle }) =>
      adoptedIds(lifecycle.adopt ?? null).map((id) => [objectKey(address, id), address] as const),
    ),
  );
  const doubtful = idTable(Object.entries(lock.unknown));
  const owners = new Set<string>();
  let left = 0;
  // Of all objects, that is as it should be; of one that was asked for, it is not.
  const spokenFor = (kind: Kind, id: string, why: Sentence): Finding => {
    const message = say`${kind.noun[0]} ${bare({ id }, idText(kind, id))}: ${why}`;
    return (wanted === undefined ? note : error)("import-left-out", undefined, message);
  };
  const findings: Finding[] = [];
  const objects = listings.flatMap(({ kind, objects: listed, isWithheld }) => {
    const isAsked = (id: string) => wanted === undefined || wanted.has(objectKey(`${kind.name}:`, id));
    const free = listed.filter(({ id }) => {
      const key = objectKey(`${kind.name}:`, id);
      const owner = promised.get(key);
      const other = elsewhere.owners.get(key);
      const there = importing.promised.get(key);
      const manager = managed.get(key);
      if (manager !== undefined) owners.add(manager);
      else if (retired.has(key) && wanted === undefined) left++;
      else if (other !== undefined) {
        findings.push(spokenFor(kind, id, say`${elsewhereText(other)} has it`));
      } else if (doubtful.has(key)) {
        findings.push(unsettled(kind, idText(kind, id), { address: doubtful.get(key) ?? "" }, importing));
      } else if (owner !== undefined) {
        const why = say`\`lifecycle.adopt\` of ${bare({ address: owner })} names it, so the next apply takes it over`;
        findings.push(spokenFor(kind, id, why));
      } else if (there !== undefined) {
        const why = say`\`lifecycle.adopt\` of ${bare({ address: there.address })} in ${elsewhereText(there)} names it`;
        findings.push(spokenFor(kind, id, why));
      } else return true;
      return false;
    });
    const found = foundObjects(kind, free, importing).filter(({ identity }) => idsOf(identity).some(isAsked));
    return found.map(withAlias).filter((object) => {
      const unknown = unknownLike(object, importing);
      const problem = object.problem ?? (isWithheld ? withheldIn(object) : undefined);
      if (unknown !== undefined) findings.push(unsettled(kind, objectText(object), unknown, importing));
      else if (problem !== undefined) findings.push(leftOut(object, problem));
      else if (object.alias === undefined) return true;
      else {
        const hint = "remove it there, and replace the secret";
        findings.push(leftOut(object, "a text of it has the value of a secret", hint));
      }
      return false;
    });
  });
  return { objects, findings, managed: owners.size, retired: left };
}

/** `environment` and `workspace` say where it is unknown, if that is elsewhere. */
type UnknownLike = Pick<UnknownElsewhere, "address"> & Partial<ElsewhereName>;

function unsettled(
  kind: Kind,
  which: string,
  { address, environment, workspace }: UnknownLike,
  { choice }: Importing,
): Finding {
  const where =
    environment === undefined
      ? ""
      : say` in ${elsewhereText({ environment, ...(workspace && { workspace }) })}`;
  const message = say`${kind.noun[0]} ${which}: it may be what the create of ${bare({ address })}${where} made, whose outcome is unknown`;
  const there =
    environment === undefined ? choice : { folder: workspace, environment: environmentOf(environment) };
  const hint = `run \`${resolveCommand(address, there)} --search\` first`;
  return error("import-left-out", undefined, message, hint);
}

function unknownLike(object: FoundObject, { lock, elsewhere }: Importing): UnknownLike | undefined {
  const { kind } = object;
  const own = Object.entries(lock.unknown).map(([address, { body }]) => ({ address, body }));
  return [...own, ...elsewhere.unknown].find(
    ({ address, body }) =>
      kindOfAddress(address).name === kind.name && symbolicName({ kind, body }) === nameOf(object),
  );
}

// What was removed is nothing now, and nothing tells it from what was not set.
function withheldIn({ kind, body }: FoundObject): string | undefined {
  const field = specOf(kind);
  const isCut = Object.entries(body).some(
    ([key, value]) => knownField(field, key)?.writeOnly !== true && hasNull(value),
  );
  return isCut ? "a part of it has the value of a secret, and was removed from the answer" : undefined;
}

function hasNull(value: Json): boolean {
  if (value === null) return true;
  return typeof value === "object" && Object.values(value).some((member) => hasNull(member));
}

function idTable(owners: readonly (readonly [string, LockEntry | UnknownCreate])[]): Map<string, string> {
  return new Map(
    owners.flatMap(([address, entry]) => possibleIdsOf(entry).map((id) => [objectKey(address, id), address])),
  );
}

/** Gives the IDs that a document is to take over. */
export function adoptedIds(adopt: Json): string[] {
  if (typeof adopt === "string") return [adopt, adopt.replace(/^[^=]*=/, "")];
  if (Array.isArray(adopt)) return adopt.flatMap(adoptedIds);
  return isObject(adopt) ? Object.values(adopt).flatMap(adoptedIds) : [];
}
