import { holderName, StoreFailedError } from "../../core/state/lock-store.js";
import { GitError } from "../../git/git-process.js";
import { readBlobs } from "../../git/read-blobs.js";
import { runGit, startGit } from "../../git/run-git.js";
import type { KeptVersion } from "../medium/medium-store.js";
import { holderOf } from "../network/holder-record.js";
import { fileNames } from "./git-ref.js";

/** The versions of a lock on a ref, as far as this repository has it: each write of the lock is a commit. */
export async function refVersions(directory: string, ref: string): Promise<KeptVersion[]> {
  return await asFailure(async () => {
    const head = await startGit(directory, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
    if (head.code !== 0) return [];
    const args = ["rev-list", "--format=%cI %s", head.stdout.toString().trim(), "--", fileNames.lock];
    // The message of a write names the serial, so that no lock has to be read for it.
    const pattern = /^commit ([0-9a-f]+)\n(\S+) apply: serial (\d+)$/gm;
    const commits = [...(await runGit(directory, args)).matchAll(pattern)];
    const names = commits.map(([, commit = ""]) => `${commit}:${fileNames.holder}`);
    const holders = await readBlobs(directory, names);
    return commits.map(([, commit = "", at = "", serial], index) => {
      const holder = holderOf(holders[index] ?? null);
      const text = () => asFailure(async () => await readLock(directory, commit));
      const who = holder && { who: holderName(holder) };
      return { serial: Number(serial), at: new Date(at).toISOString(), ...who, text };
    });
  });
}

async function readLock(directory: string, commit: string): Promise<string | null> {
  const [text = null] = await readBlobs(directory, [`${commit}:${fileNames.lock}`]);
  return text;
}

async function asFailure<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (thrown) {
    throw thrown instanceof GitError ? new StoreFailedError(thrown.message) : thrown;
  }
}
