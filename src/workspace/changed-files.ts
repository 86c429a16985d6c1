import { resolveCommit, runGit } from "../git/run-git.js";

/** Gives the files of a workspace that differ from a commit, untracked ones too, relative to the workspace. */
export async function changedFiles(directory: string, ref: string): Promise<ReadonlySet<string>> {
  const commit = await resolveCommit(directory, ref);
  const [changed, untracked] = await Promise.all([
    runGit(directory, ["diff", "--name-only", "--no-renames", "--relative", "-z", commit, "--", "."]),
    runGit(directory, ["ls-files", "--others", "--exclude-standard", "-z", "--", "."]),
  ]);
  return new Set([...changed.split("\0"), ...untracked.split("\0")].filter((file) => file !== ""));
}
