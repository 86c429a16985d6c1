import type { LockStore } from "../../core/state/lock-store.js";
import { documentStore, type DocumentStoreOptions } from "../network/document-access.js";
import { GitMedium } from "./git-medium.js";
import { GitRef } from "./git-ref.js";
import { GitRemote } from "./git-remote.js";
import { refVersions } from "./ref-history.js";

/** Where a git store keeps its state, and how long it waits. */
export interface GitStoreOptions extends DocumentStoreOptions {
  /** A folder of the repository. */
  readonly directory: string;
  readonly remote: string;
  /** The full name, such as `refs/agentform/support-desk/production`. */
  readonly ref: string;
  /** The time-out of one run of git over the network, in milliseconds; a minute unless given. */
  readonly timeout?: number;
}

/** Opens a lock store on a ref of a git remote; nothing is run or read before a function is called. */
export function createGitStore(options: GitStoreOptions): LockStore {
  const { directory, remote, ref, timeout = 60_000 } = options;
  const connect = () =>
    new GitMedium(new GitRef(directory, ref), new GitRemote(directory, remote, ref, timeout));
  return documentStore({ ...options, lockName: ref }, connect, {
    versions: () => refVersions(directory, ref),
  });
}
