import { StoreFailedError, type LockStore } from "../../core/state/lock-store.js";
import { LinkError, refuseLinks } from "../../disk/refuse-links.js";
import { refuseTrackedState } from "./tracked-state.js";

/** A store that a person can take from its holder. */
export interface UnlockableStore extends LockStore {
  /** Removes the holder of that nonce, even one that is alive; gives whether there was one. */
  unlock(nonce: string): Promise<boolean>;
}

/**
 * Lets a store begin only where none of its files below the workspace is a link, or is reached through one, and
 * where git tracks nothing that is local to this machine.
 */
export function unlinkedStore(
  store: UnlockableStore,
  files: readonly string[],
  workspace: string,
): UnlockableStore {
  const look = (): void => {
    for (const file of files) refuseLinksOf(file, workspace);
    refuseTrackedState(workspace);
  };
  return {
    needsClaim: store.needsClaim,
    lockName: store.lockName,
    journalName: store.journalName,
    ...(store.memory && { memory: store.memory }),
    async read() {
      look();
      return await store.read();
    },
    async acquire() {
      look();
      await store.acquire();
    },
    append: (line) => store.append(line),
    flush: () => store.flush(),
    replace: (lock, version) => store.replace(lock, version),
    release: () => store.release(),
    async unlock(nonce) {
      look();
      return await store.unlock(nonce);
    },
  };
}

function refuseLinksOf(file: string, workspace: string): void {
  try {
    refuseLinks(file, [workspace]);
  } catch (thrown) {
    if (!(thrown instanceof LinkError)) throw thrown;
    const hint = `remove the link: what is there is agentform's own, and a link may have come with a commit`;
    throw new StoreFailedError(thrown.message, hint);
  }
}
