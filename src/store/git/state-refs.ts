import { StoreFailedError, type OtherState } from "../../core/state/lock-store.js";
import { GitError, GitObjectsError } from "../../git/git-process.js";
import { readBlobs } from "../../git/read-blobs.js";
import { runGit } from "../../git/run-git.js";
import { findRepository } from "../../git/repository.js";
import { asStore } from "../local/git-failure.js";

/** The names of the files of a commit that keeps a state. */
export const fileNames = { lock: "lock.json", journal: "journal", holder: "holder.json" } as const;

/** Where git keeps the states of all workspaces of a repository. */
const folder = "refs/agentform";

const mostRefs = 500;

/** Reads the states on a clone's refs, none if one cannot be read; throws StoreFailedError if git refuses. */
export async function readLocalRefs(directory: string): Promise<readonly OtherState[]> {
  if (!findRepository(directory)) return [];
  const args = ["for-each-ref", `--count=${mostRefs}`, "--format=%(objectname)%09%(refname)", folder];
  const listed = await asStore(runGit(directory, args));
  const reading = readStates(directory, listed.split("\n"));
  try {
    return await reading;
  } catch (thrown) {
    if (thrown instanceof GitObjectsError) return await asStore(reading);
    if (thrown instanceof GitError || thrown instanceof StoreFailedError) return [];
    throw thrown;
  }
}

/** Reads the states on the refs of a remote, also of those that nobody has fetched; throws StoreFailedError. */
export async function readRemoteRefs(
  directory: string,
  remote: string,
  timeout: number,
): Promise<readonly OtherState[]> {
  const { GitRemote } = await import("./git-remote.js");
  const asked = new GitRemote(directory, remote, `${folder}/*`, timeout);
  const lines = (await asked.list()).filter((line) => line.includes(`\t${folder}/`)).slice(0, mostRefs);
  // Most clones have written or fetched them already, which git tells sooner than the remote.
  const here = await asStore(readStates(directory, lines));
  if (here.every(({ lock, journal }) => lock !== null || journal !== null)) return here;
  await asked.fetch(lines.flatMap((line) => line.split("\t")[1] ?? []));
  return await asStore(readStates(directory, lines));
}

/** Reads the states of lines with a commit and the name of its ref, with a tab between. */
async function readStates(directory: string, lines: readonly string[]): Promise<OtherState[]> {
  const refs = lines.flatMap((line) => {
    const [commit = "", where = ""] = line.split("\t");
    return where === "" ? [] : [{ commit, where }];
  });
  const names = refs.flatMap(({ commit }) => [
    `${commit}:${fileNames.lock}`,
    `${commit}:${fileNames.journal}`,
  ]);
  const texts = await readBlobs(directory, names);
  return refs.map(({ where }, index) => ({
    where,
    lock: texts[2 * index] ?? null,
    journal: texts[2 * index + 1] ?? null,
  }));
}
