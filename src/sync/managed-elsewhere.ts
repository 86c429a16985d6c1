import type { Finding } from "../core/finding/diagnostic.js";
import { idsOf } from "../core/kind/identity.js";
import { kindOfAddress } from "../core/kind/kinds.js";
import type { Settings } from "../core/resources/manifest.js";
import { checkServiceIdentity } from "../core/state/service-identity.js";
import { readOtherEnvironments } from "./other-environments.js";
import type { PlanRequest } from "./request.js";
import { identityOf } from "../service/target.js";
import type { JsonObject } from "../json/json.js";

/** What the other environments of a workspace have in the same service. */
export interface Elsewhere {
  /** The environment of each object that is managed or left behind there, by kind and ID, such as `agent:66f1`. */
  readonly owners: ReadonlyMap<string, string>;
  /** The creates of unknown outcome. */
  readonly unknown: readonly UnknownElsewhere[];
}

/** A create of unknown outcome in a different environment. */
export interface UnknownElsewhere {
  readonly environment: string;
  readonly address: string;
  readonly body: JsonObject;
}

/** Reads what the other environments have; gives errors if a lock cannot be read. */
export async function managedElsewhere(
  settings: Settings,
  request: PlanRequest,
): Promise<Elsewhere | Finding[]> {
  const owners = new Map<string, string>();
  const unknown: UnknownElsewhere[] = [];
  const { environments, unread } = await readOtherEnvironments(settings, request);
  if (unread.length > 0) return [...unread];
  for (const { environment, lock } of environments) {
    const now = identityOf(settings.service);
    if (!lock.service || checkServiceIdentity(lock, now, settings.servicePlace).length > 0) continue;
    const identities = [
      ...Object.entries(lock.resources),
      ...Object.entries(lock.unknown).map(([address, { ids = [] }]) => [address, { ids }] as const),
      ...Object.entries(lock.retired).map(([id, { address }]) => [address, { id }] as const),
    ];
    for (const [address, identity] of identities) {
      const kind = kindOfAddress(address)?.name ?? "";
      for (const id of idsOf(identity)) owners.set(`${kind}:${id}`, environment ?? "default");
    }
    for (const [address, { body }] of Object.entries(lock.unknown)) {
      unknown.push({ environment: environment ?? "default", address, body });
    }
  }
  return { owners, unknown };
}
