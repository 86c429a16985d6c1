import type { FieldOrigin } from "../../core/resources/field-origin.js";
import type { Lock } from "../../core/state/lock.js";
import { holderName, type LockVersion } from "../../core/state/lock-store.js";
import type { LockStatus } from "../../core/state/lock-status.js";
import { listResources, listRetired, type ShownResource, type LockWithUsers } from "./lock-view.js";
import { jsonText } from "../words/json-text.js";

/** A lock, and what people call it. */
export interface NamedLock {
  readonly lock: Lock;
  readonly source: string;
}

/** Renders what is managed as indented JSON (`agentform/lock-list/v1`), a line end at the end. */
export function renderLockListJson({ lock, source }: NamedLock): string {
  const resources = listResources(lock).map(({ address, state, entry, unknown }) => {
    const { id, ids, file = unknown?.file } = entry ?? {};
    return { address, state, id, ids, file };
  });
  return jsonText({ format: "agentform/lock-list/v1", ...headOf(lock, source), resources });
}

/** Renders all that is known of an address as indented JSON (`agentform/lock-show/v1`), a line end at the end. */
export function renderLockShowJson(
  { lock, source, usersOf }: NamedLock & LockWithUsers,
  { address, state, ...known }: ShownResource,
  origins: readonly FieldOrigin[],
): string {
  const retired = listRetired({ lock, usersOf }).filter((object) => object.address === address);
  return jsonText({
    format: "agentform/lock-show/v1",
    ...headOf(lock, source),
    address,
    state,
    ...known,
    ...(origins.length > 0 && { origins }),
    retired,
  });
}

/** Renders the ledger as indented JSON (`agentform/lock-retired/v1`), a line end at the end. */
export function renderLockRetiredJson({ lock, source, usersOf }: NamedLock & LockWithUsers): string {
  return jsonText({
    format: "agentform/lock-retired/v1",
    ...headOf(lock, source),
    retired: listRetired({ lock, usersOf }),
  });
}

/** Renders who holds a state and what was done as indented JSON (`agentform/lock-status/v1`), a line end at the end. */
export function renderLockStatusJson(status: LockStatus): string {
  const { workspace, environment, source, store, lock, movedTo, movingFrom, seal, holder, progress } = status;
  return jsonText({
    format: "agentform/lock-status/v1",
    workspace,
    environment,
    store,
    source,
    lock,
    moved_to: movedTo ?? null,
    moving_from: movingFrom ?? null,
    seal: seal ?? null,
    holder: holder && { who: holderName(holder), ...holder },
    journal: progress ?? null,
  });
}

/** Renders the versions of a lock as indented JSON (`agentform/lock-history/v1`), a line end at the end. */
export function renderLockHistoryJson(history: {
  readonly workspace: string | undefined;
  readonly environment: string | null | undefined;
  readonly source: string;
  readonly versions: readonly LockVersion[];
}): string {
  return jsonText({ format: "agentform/lock-history/v1", ...history });
}

function headOf({ workspace, environment, lineage, serial, service }: Lock, source: string) {
  return { workspace, environment, lock: { source, lineage, serial, service } };
}
