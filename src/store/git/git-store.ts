import { environmentOf } from "../../core/resources/environment-name.js";
import { gitRefs } from "../../core/resources/lock-location.js";
import { holderName, type LockStore } from "../../core/state/lock-store.js";
import { documentStore, type DocumentStoreOptions } from "../network/document-access.js";
import { GitMedium } from "./git-medium.js";
import { GitRef } from "./git-ref.js";
import { fileNames } from "./state-refs.js";
import { GitRemote } from "./git-remote.js";
import { refArgs, refCommit } from "../../git/read-text.js";
import { readBlobs } from "../../git/read-blobs.js";
import { runGit, startGit } from "../../git/run-git.js";
import { writtenAt, type KeptVersion } from "../medium/medium-store.js";
import { holderOf } from "../local/process-record.js";
import { asStore } from "../local/git-failure.js";

/** Where a git store keeps its state, and how long it waits. */
export interface GitStoreOptions extends DocumentStoreOptions {
  /** The name of the workspace, if its states are on refs below it. */
  readonly workspace?: string;
  /** A folder of the repository. */
  readonly directory: string;
  readonly remote: string;
  /** The full name, such as `refs/agentform/support-desk/production`. */
  readonly ref: string;
}

/** Opens a lock store on a ref of a git remote; nothing is run or read before a function is called. */
export function createGitStore(options: GitStoreOptions): LockStore {
  const { directory, remote, ref, workspace, timeout = 60_000 } = options;
  // For as long as the store is there: what they have found out holds for each connection.
  const [here, there] = [new GitRef(directory, ref, remote), new GitRemote(directory, remote, ref, timeout)];
  const connect = () => new GitMedium(here, there);
  const named = workspace !== undefined && {
    environments: async () => (await refsOf(directory, workspace)).map(environmentOf),
  };
  return documentStore({ ...options, ...named, lockName: ref }, connect, {
    versions: () => refVersions(directory, ref),
    newest: async () => await here.newest(),
    journals: async (_medium, lock) => await here.journals(lock),
  });
}

/** The names of the refs with the states of a workspace, as far as this repository has them. */
async function refsOf(directory: string, workspace: string): Promise<string[]> {
  const folder = gitRefs(workspace);
  const args = ["for-each-ref", "--format=%(refname)", folder];
  const listed = await asStore(runGit(directory, args));
  return listed.split("\n").flatMap((name) => (name.startsWith(folder) ? [name.slice(folder.length)] : []));
}

/** The versions of a lock on a ref, as far as this repository has it: each write of the lock is a commit. */
async function refVersions(directory: string, ref: string): Promise<KeptVersion[]> {
  const head = refCommit((await asStore(startGit(directory, refArgs(ref)))).stdout.toString(), ref);
  if (head === undefined) return [];
  // Else git passes over all that a merge with an older version leaves out.
  const args = ["rev-list", "--full-history", "--format=%ct %s", head, "--", fileNames.lock];
  // The message of a write names the serial, so that no lock has to be read for it.
  const pattern = /^commit ([0-9a-f]+)\n(\d*) apply: serial (\d+)$/gm;
  const commits = [...(await asStore(runGit(directory, args))).matchAll(pattern)];
  const names = commits.map(([, commit = ""]) => `${commit}:${fileNames.holder}`);
  const holders = await asStore(readBlobs(directory, names));
  return commits.map(([, commit = "", at = "", serial], index) => {
    const holder = holderOf(holders[index] ?? null);
    const who = holder && { who: holderName(holder) };
    const text = async () =>
      (await asStore(readBlobs(directory, [`${commit}:${fileNames.lock}`])))[0] ?? null;
    return { serial: Number(serial), at: writtenAt(Number.parseInt(at, 10) * 1000), ...who, text };
  });
}
