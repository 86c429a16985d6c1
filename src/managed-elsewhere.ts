import { idsOf } from "./core/kind/identity.js";
import { kindOfAddress } from "./core/kind/kinds.js";
import type { Settings } from "./core/resources/manifest.js";
import { StoreFailedError } from "./core/state/lock-store.js";
import { checkServiceIdentity } from "./core/state/service-identity.js";
import { assembleState } from "./core/state/stored-state.js";
import { hash } from "./digest.js";
import type { PlanRequest } from "./request.js";
import { identityOf } from "./service/target.js";
import type { JsonObject } from "./json/json.js";
import { locationOf } from "./state-access.js";
import { openStore } from "./store/open-store.js";

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

/** Reads what the other environments have; the lock of one that cannot be read is left out. */
export async function managedElsewhere(settings: Settings, request: PlanRequest): Promise<Elsewhere> {
  const owners = new Map<string, string>();
  const unknown: UnknownElsewhere[] = [];
  if (request.options?.emulator) return { owners, unknown };
  const others = [null, ...settings.environments].filter((each) => each !== settings.environment);
  for (const environment of others) {
    const store = await openStore({ ...settings, environment }, locationOf({ ...request, environment }));
    const owner = { workspace: settings.name, environment };
    let state;
    try {
      state = assembleState({ ...(await store.read()), holder: null }, owner, store, hash);
    } catch (cause) {
      if (!(cause instanceof StoreFailedError)) throw cause;
      continue;
    }
    if (!("lock" in state)) continue;
    const { lock } = state;
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
