import { canonical, type JsonObject } from "../../json/json.js";
import { lazy, oncePer } from "../../json/once.js";
import type { Kind } from "../kind/kind.js";
import { kindOfAddress } from "../kind/kinds.js";
import { effectiveOf } from "../openapi/effective.js";
import { isOutline } from "../openapi/outline-shape.js";
import type { Resource } from "../resources/resource.js";
import { sentOnce } from "../state/entry-ids.js";
import type { Lock } from "../state/lock.js";
import { defaultNouns, secretsIn, withoutRevisions } from "./default-value.js";

/** Makes what says whether a secret would go where no applied object sends it; not so if none has it. */
export function readSecretPlaces(
  { resources }: Pick<Lock, "resources">,
  documents: ReadonlyMap<string, Pick<Resource, "body">>,
) {
  const known = lazy(() => {
    const places = new Map<string, Set<string>>();
    for (const [address, entry] of Object.entries(resources)) {
      const kind = kindOfAddress(address);
      if (!kind.holdsSecrets) continue;
      // It may be read from the text of the lock only now.
      const { body } = entry;
      const { sent_once = takenOnce(body, kind, () => documents.get(address)?.body) } = entry;
      // Meant for the service alone: any other place is another one.
      for (const variable of sent_once) places.set(variable, places.get(variable) ?? new Set());
      for (const [field, value] of Object.entries(body)) {
        const found = placesOf(body, field);
        if (found.length === 0) continue;
        for (const variable of secretsIn(value)) {
          const all = places.get(variable) ?? new Set();
          for (const place of found) all.add(place);
          places.set(variable, all);
        }
      }
    }
    return places;
  });
  return (body: JsonObject, field: string, variable: string): boolean => {
    const places = known().get(variable);
    return places !== undefined && placesOf(body, field).some((place) => !places.has(place));
  };
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
