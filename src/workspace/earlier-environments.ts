import { manifestFile } from "../core/resources/manifest-file.js";
import { declaredEnvironments, parseManifest } from "../core/resources/manifest.js";
import { GitError } from "../git/git-process.js";
import { readBlobs } from "../git/read-blobs.js";
import { findRepository, isShallowClone, repositoryFolder } from "../git/repository.js";
import { runGit } from "../git/run-git.js";

/** The most commits of a manifest that are read, the newest first. */
const mostCommits = 1000;

/** The environments of earlier manifests, and why they may not be all. */
export interface EarlierEnvironments {
  readonly names: readonly string[];
  readonly unread?: string;
}

/**
 * Finds the environments that the manifest of a folder has in the commits of this clone in which the workspace has this
 * name; none without git.
 */
export async function earlierEnvironments(
  directory: string,
  workspace: string,
): Promise<EarlierEnvironments> {
  const repository = findRepository(directory);
  if (!repository) return { names: [] };
  try {
    const names = await namesIn(directory, workspace);
    return isShallowClone(repository) ? { names, unread: shallow } : { names };
  } catch (thrown) {
    if (thrown instanceof GitError) return { names: [], unread: thrown.message };
    throw thrown;
  }
}

const shallow =
  "this clone is shallow, and its manifest may have had other environments: `git fetch --unshallow`";

async function namesIn(directory: string, workspace: string): Promise<string[]> {
  const texts = await versionsOf(directory);
  const names = [...new Set(texts)].flatMap((text) => {
    const parsed = text?.includes(workspace) ? parseManifest(text) : undefined;
    return parsed?.ok && parsed.value.metadata.name === workspace ? declaredEnvironments(parsed.value) : [];
  });
  return [...new Set(names)];
}

async function versionsOf(directory: string): Promise<readonly (string | null)[]> {
  const path = `${repositoryFolder(directory)}${manifestFile}`;
  const args = ["rev-list", "--full-history", "--all", `--max-count=${mostCommits}`, "--", path];
  const commits = (await runGit(directory, args)).split("\n").filter((commit) => commit !== "");
  return await readBlobs(
    directory,
    commits.map((commit) => `${commit}:${path}`),
  );
}
