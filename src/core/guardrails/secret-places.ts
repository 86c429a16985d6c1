import { canonical, type JsonObject } from "../../json/json.js";
import { lazy, oncePer } from "../../json/once.js";
import type { Kind } from "../kind/kind.js";
import { kindOfAddress } from "../kind/kinds.js";
import { effectiveOf } from "../openapi/effective.js";
import { isOutline } from "../openapi/outline-shape.js";
import type { Settings } from "../resources/manifest.js";
import type { Resource } from "../resources/resource.js";
import { sentOnce } from "../state/entry-ids.js";
import { lasting } from "../kind/body.js";
import type { Lock } from "../state/lock.js";
import { defaultNouns, secretsIn, withoutRevisions } from "./default-value.js";
import type { SecretHolder } from "./rule.js";
import { ownSecretsOf } from "./own-secrets.js";

type PlacesByVariable = Map<string, Set<string>>;

/** What a workspace does with secrets in one environment, by its manifest and its lock, or documents where that is not known. */
export interface NamedSecrets {
  /** Whether agentform itself uses a variable there. */
  readonly isOwn: (variable: string) => boolean;
  /** By variable: where it is sent. */
  readonly places: ReadonlyMap<string, ReadonlySet<string>>;
  /** By variable: the addresses that hold it. */
  readonly holders: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What a job has the secrets of as well: another workspace that it plans, or another environment of this one. */
export interface SecretsNearby extends NamedSecrets {
  readonly isSameWorkspace: boolean;
}

/** Reads what a workspace does with secrets. */
export function readNamedSecrets(
  settings: Pick<Settings, "service" | "lock">,
  documents: Iterable<Pick<Resource, "address" | "body">>,
  applied: Lock["resources"],
): NamedSecrets {
  const places: PlacesByVariable = new Map();
  const holders: PlacesByVariable = new Map();
  const add = (address: string, body: JsonObject, once: readonly string[]): void => {
    addPlaces(places, body, once);
    for (const variable of [...secretsIn(body), ...once]) addAll(holders, variable, [address]);
  };
  for (const { address, body } of documents) {
    const kind = kindOfAddress(address);
    if (kind.holdsSecrets)
      add(address, lasting(body, kind), sentOnce(kind.creation(body), kind).sent_once ?? []);
  }
  for (const [address, { body, sent_once = [] }] of Object.entries(applied))
    if (kindOfAddress(address).holdsSecrets) add(address, body, sent_once);
  return { isOwn: ownSecretsOf(settings), places, holders };
}

/** Makes what says whether a secret would go where nothing sends it that has it so far. */
export function readSecretPlaces(
  { resources }: Pick<Lock, "resources">,
  documents: ReadonlyMap<string, Pick<Resource, "body">>,
  nearby: () => readonly SecretsNearby[],
) {
  const known = lazy(() => {
    const places: PlacesByVariable = new Map();
    for (const [address, entry] of Object.entries(resources)) {
      const kind = kindOfAddress(address);
      if (!kind.holdsSecrets) continue;
      // It may be read from the text of the lock only now.
      const { body } = entry;
      const { sent_once = takenOnce(body, kind, () => documents.get(address)?.body) } = entry;
      addPlaces(places, body, sent_once);
    }
    return places;
  });
  // Environments of a workspace may have a secret of one name each, for the same document.
  const placesNearby = (address: string, variable: string) =>
    nearby().flatMap(({ isSameWorkspace, places, holders }) =>
      isSameWorkspace && holders.get(variable)?.has(address) === true ? [] : (places.get(variable) ?? []),
    );
  return (address: string, body: JsonObject, field: string, variable: string): SecretHolder | undefined => {
    const isNewIn = (all: readonly ReadonlySet<string>[]) =>
      placesOf(body, field).some((place) => !all.some((places) => places.has(place)));
    const applied = known().get(variable);
    if (applied) return isNewIn([applied]) ? "applied" : undefined;
    const others = placesNearby(address, variable);
    return others.length > 0 && isNewIn(others) ? "nearby" : undefined;
  };
}

function addPlaces(places: PlacesByVariable, body: JsonObject, once: readonly string[]): void {
  // Meant for the service alone: any other place is another one.
  for (const variable of once) addAll(places, variable, []);
  for (const [field, value] of Object.entries(body)) {
    const found = placesOf(body, field);
    if (found.length > 0) for (const variable of secretsIn(value)) addAll(places, variable, found);
  }
}

function addAll(sets: PlacesByVariable, variable: string, items: readonly string[]): void {
  const set = sets.get(variable) ?? new Set();
  for (const item of items) set.add(item);
  sets.set(variable, set);
}

// What was adopted was not sent it from here, but has what its document says, as far as is known. A document is read only
// for an object that has anything of it.
function takenOnce(applied: JsonObject, kind: Kind, documentOf: () => JsonObject | undefined): string[] {
  const takes = (field: string) => Object.hasOwn(kind.creation({ ...applied, [field]: "" }), field);
  if (![...kind.creationOnly].some(takes)) return [];
  return sentOnce(kind.creation(documentOf() ?? {}), kind).sent_once ?? [];
}

// None for a key that is meant for the service alone.
function placesOf(body: JsonObject, field: string): string[] {
  if (!isOutline(body.openapi_schema)) return [settingsOf(body)];
  const isSentWithCalls = field === "openapi_schema" || Object.hasOwn(defaultNouns, field);
  return isSentWithCalls ? hostsOf(body) : [];
}

// Of a credential, anything but its name may say where its key is sent.
const settingsOf = oncePer(({ name: _name, ...body }: JsonObject) => withoutRevisions(canonical(body)));

const hostsOf = oncePer((body: JsonObject) => {
  const hosts = hostsIn(body);
  return hosts.length > 0 ? [...new Set(hosts)] : [""];
});

/** Gives the hosts that calls of a tool set may go to. */
export function hostsIn({ openapi_schema: outline }: JsonObject): string[] {
  if (!isOutline(outline)) return [];
  const { operations, addresses } = effectiveOf(outline);
  const all = [...addresses, ...[...operations.values()].flatMap((operation) => operation.addresses)];
  return all.flatMap(({ host }) => (host === "" ? [] : [host]));
}
