import type { Finding } from "../core/finding/diagnostic.js";
import { noOptions } from "../core/plan/plan-options.js";
import type { Settings } from "../core/resources/manifest.js";
import type { LockService } from "../core/state/lock.js";
import { unlessMediumFails, type ReadableState, type StoredState } from "../core/state/lock-store.js";
import type { KnownState } from "../core/state/stored-state.js";
import { emulatorIdentity, type StateChoice } from "../core/state/state-choice.js";
import { identityOf } from "../service/target.js";
import type { StoreLocation } from "../store/open-store.js";
import type { PlanRequest } from "./request.js";

/** Reads a store; nothing if its medium fails. */
export async function readIfPossible(store: ReadableState): Promise<StoredState | undefined> {
  return await unlessMediumFails(store.read(), () => undefined);
}

/** Selects the store of a request. */
export function locationOf({
  directory,
  options = noOptions,
  secrets,
  caFile,
  sealCheck,
  renamedTo,
}: PlanRequest): StoreLocation {
  return {
    directory,
    emulator: options.emulator,
    ...(secrets && { secrets }),
    ...(caFile !== undefined && { caFile }),
    ...(sealCheck && { sealCheck }),
    ...(renamedTo && { renamedTo }),
  };
}

/** The request of a command that only shows the state: it verifies the seal of one if it has the key. */
export function toShow<Request extends PlanRequest>(request: Request): Request {
  return { ...request, sealCheck: "if-possible" };
}

/** What chooses the state of a request, for the commands that a person is given. */
export function choiceIn({ environment }: Settings, { options }: Pick<PlanRequest, "options">): StateChoice {
  return { environment, emulator: options?.emulator };
}

/** The service of a request, as a lock names it. */
export function serviceIn({ service }: Settings, { options }: Pick<PlanRequest, "options">): LockService {
  return options?.emulator ? emulatorIdentity : identityOf(service);
}

/** Gives the findings of a state without their hints, which are about plans. */
export function withoutHints({ findings }: KnownState): Finding[] {
  return findings.map(({ hint: _hint, ...finding }) => finding);
}
