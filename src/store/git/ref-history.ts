import {
  holderName,
  StoreFailedError,
  type LockHistory,
  type LockVersion,
} from "../../core/state/lock-store.js";
import { GitError } from "../../git/git-process.js";
import { readBlobs } from "../../git/read-blobs.js";
import { runGit, startGit } from "../../git/run-git.js";
import { holderOf } from "../network/holder-record.js";
import { fileNames } from "./git-ref.js";

interface Commit extends LockVersion {
  readonly commit: string;
}

/** The versions of a lock on a ref, as far as this repository has it: each write of the lock is a commit. */
export function refHistory(directory: string, ref: string): LockHistory {
  const commits = async (): Promise<Commit[]> => {
    const head = await startGit(directory, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
    if (head.code !== 0) return [];
    const args = ["rev-list", "--format=%cI %s", head.stdout.toString().trim(), "--", fileNames.lock];
    return parseCommits(await runGit(directory, args));
  };
  return {
    versions: () =>
      asFailure(async () => {
        const all = await commits();
        const holders = await readBlobs(
          directory,
          all.map(({ commit }) => `${commit}:${fileNames.holder}`),
        );
        return all.map(({ serial, at }, index) => {
          const holder = holderOf(holders[index] ?? null);
          return { serial, at, ...(holder && { who: holderName(holder) }) };
        });
      }),
    at: (serial) =>
      asFailure(async () => {
        const found = (await commits()).find((each) => each.serial === serial);
        if (!found) return null;
        const [text = null] = await readBlobs(directory, [`${found.commit}:${fileNames.lock}`]);
        return text;
      }),
  };
}

// The message of a write names the serial, so that no lock has to be read for it.
function parseCommits(listed: string): Commit[] {
  const pattern = /^commit ([0-9a-f]+)\n(\S+) apply: serial (\d+)$/gm;
  return [...listed.matchAll(pattern)].map(([, commit = "", at = "", serial]) => {
    return { commit, at: new Date(at).toISOString(), serial: Number(serial) };
  });
}

async function asFailure<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (thrown) {
    throw thrown instanceof GitError ? new StoreFailedError(thrown.message) : thrown;
  }
}
