import { manifestFile } from "../core/resources/manifest-file.js";
import { declaredEnvironments, parseManifest } from "../core/resources/manifest.js";
import { GitError } from "../git/git-process.js";
import { readBlobs } from "../git/read-blobs.js";
import { findRepository, repositoryFolder } from "../git/repository.js";
import { runGit } from "../git/run-git.js";

/** The most commits of a manifest that are read, the newest first. */
const mostCommits = 1000;

/**
 * Gives the environments that the manifest of a folder has in the commits of this clone in which the workspace has this
 * name, as far as the clone has them; none without git.
 */
export async function earlierEnvironments(directory: string, workspace: string): Promise<string[]> {
  if (!findRepository(directory)) return [];
  const texts = await versionsOf(directory).catch((thrown: unknown) => {
    if (thrown instanceof GitError) return [];
    throw thrown;
  });
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
