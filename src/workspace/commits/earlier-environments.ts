import { environmentsWithState } from "../../core/resources/environment-name.js";
import { manifestFile } from "../../core/resources/manifest-file.js";
import { declaredEnvironments, parseManifest } from "../../core/resources/manifest.js";
import type { LockOwner } from "../../core/state/lock.js";
import { readBlobs, sizesOfBlobs } from "../../git/read-blobs.js";
import { findRepository, isShallowClone, repositoryFolder } from "../../git/repository.js";
import { runGit } from "../../git/run-git.js";
import { sizeLimit } from "../regular-file.js";

/** The most commits of a manifest that are read, the newest first. */
const mostCommits = 1000;

/** How many manifests are in memory at once; that many of the largest are less than git may give. */
const atOnce = 25;

/** Whose states the earlier manifests of a folder name, and why these may not be all. */
export interface EarlierEnvironments {
  readonly owners: readonly LockOwner[];
  readonly unread?: string;
}

const shallow =
  "this clone is shallow, and its manifest may have had other environments: `git fetch --unshallow`";

/**
 * Gives the environments that a folder's manifest had in any commit, with the workspace's name then, under
 * which the state of one that was given up stays. None without git; throws GitError, also for a manifest that
 * a partial clone lacks.
 */
export async function earlierEnvironments(directory: string): Promise<EarlierEnvironments> {
  const repository = findRepository(directory);
  if (!repository) return { owners: [] };
  const blobs = await manifestsOf(directory);
  const owners = new Map<string, LockOwner>();
  for (let at = 0; at < blobs.length; at += atOnce) {
    for (const text of await readBlobs(directory, blobs.slice(at, at + atOnce))) {
      const parsed = text === null ? undefined : parseManifest(text);
      if (!parsed?.ok) continue;
      const workspace = parsed.value.metadata.name;
      for (const environment of environmentsWithState(declaredEnvironments(parsed.value)))
        owners.set(JSON.stringify([workspace, environment]), { workspace, environment });
    }
  }
  return { owners: [...owners.values()], ...(isShallowClone(repository) && { unread: shallow }) };
}

// One that is too large to be read was no manifest in its own commit either.
async function manifestsOf(directory: string): Promise<readonly string[]> {
  const path = `${repositoryFolder(directory)}${manifestFile}`;
  const most = `--max-count=${mostCommits}`;
  const paths = await namesOf(path, directory, most);
  const args = ["rev-list", "--full-history", "--all", most, "--", ...paths];
  const commits = (await runGit(directory, args)).split("\n").filter((commit) => commit !== "");
  const found = await sizesOfBlobs(
    directory,
    commits.flatMap((commit) => paths.map((each) => `${commit}:${each}`)),
  );
  return [...new Set(found.flatMap((blob) => (blob && blob.size <= sizeLimit ? [blob.id] : [])))];
}

// A copy's original is still there. Renames are looked for where a name was new, else it takes minutes; no signatures.
async function namesOf(path: string, directory: string, most: string): Promise<readonly string[]> {
  const names = new Set([path]);
  for (const name of names) {
    const log = ["--no-literal-pathspecs", "log", "--no-show-signature", "-z"];
    const ofAdded = ["--all", "--full-history", "--no-renames", "--diff-filter=A", "--format=%H", most];
    const added = await runGit(directory, [...log, ...ofAdded, "--", `:(top,literal)${name}`]);
    const commits = added.split("\0").filter((commit) => commit !== "");
    const ofRenamed = ["--no-walk", "-M", "--diff-filter=R", "--name-status", "--format=", ...commits];
    const all = `:(top,glob)**/${manifestFile}`;
    const renames = commits.length > 0 ? await runGit(directory, [...log, ...ofRenamed, "--", all]) : "";
    const parts = renames.split("\0");
    for (let at = 0; at + 2 < parts.length; at += 3)
      if (parts[at + 2] === name) names.add(parts[at + 1] ?? "");
  }
  return [...names];
}
