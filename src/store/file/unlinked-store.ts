import { StoreFailedError, type LockStore } from "../../core/state/lock-store.js";
import { LinkError, refuseLinks } from "../../disk/refuse-links.js";
import { refuseTrackedState } from "./tracked-state.js";

/**
 * Lets a store start only if none of its files below the workspace is a link or is reached through one, and if git
 * tracks no local state.
 */
export function unlinkedStore(store: LockStore, files: readonly string[], workspace: string): LockStore {
  const look = (): void => {
    for (const file of files) refuseLinksOf(file, workspace);
    refuseTrackedState(workspace);
  };
  return {
    needsClaim: store.needsClaim,
    lockName: store.lockName,
    journalName: store.journalName,
    ...(store.memory && { memory: store.memory }),
    ...(store.history && { history: store.history }),
    async refresh() {
      look();
      await store.refresh?.();
    },
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
    const hint = `remove the link: agentform's own files are not read through links, because a link may have come with a commit`;
    throw new StoreFailedError(thrown.message, hint);
  }
}
