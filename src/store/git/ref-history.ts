import { holderName } from "../../core/state/lock-store.js";
import { refArgs, refCommit } from "../../git/exact-ref.js";
import { readBlobs } from "../../git/read-blobs.js";
import { runGit, startGit } from "../../git/run-git.js";
import { writtenAt, type KeptVersion } from "../medium/medium-store.js";
import { holderOf } from "../local/holder-record.js";
import { asStore } from "../local/git-failure.js";
import { fileNames } from "./file-names.js";

/** The versions of a lock on a ref, as far as this repository has it: each write of the lock is a commit. */
export async function refVersions(directory: string, ref: string): Promise<KeptVersion[]> {
  const head = refCommit((await asStore(startGit(directory, refArgs(ref)))).stdout.toString(), ref);
  if (head === undefined) return [];
  const args = ["rev-list", "--format=%ct %s", head, "--", fileNames.lock];
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
