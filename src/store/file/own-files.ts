import { say } from "../../core/finding/said.js";
import { gitHint } from "../../core/state/store-hints.js";
import { readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { StateTrackedError, StoreFailedError } from "../../core/state/lock-store.js";
import { unlessFailing } from "../../disk/unless-failing.js";
import { LinkError, refuseLinks } from "../../disk/refuse-links.js";
import { GitError } from "../../git/git-process.js";
import { trackedNames } from "../../git/listed-names.js";
import { findRepository } from "../../git/repository.js";
import { codeOf, failureOf } from "../local/failure.js";

/** The folder of a workspace for files of this machine. */
export const localFolder = ".agentform";

/** The index of git in which nothing was found to be tracked, by the workspace. */
const untracked = new Map<string, string>();

/** Throws StoreFailedError if a store's file is a link or behind one, or if git tracks local state. */
export function guardFiles(files: readonly string[], workspace: string, isTaken: boolean): void {
  for (const file of files) refuseLinksOf(file, workspace);
  // A command reads many stores, often: git is asked again once its index changes, and before anything is written.
  const index = indexOf(workspace);
  if (!isTaken && untracked.get(workspace) === index) return;
  if (!mayHoldState(join(workspace, localFolder))) return;
  refuseTrackedState(workspace);
  untracked.set(workspace, index);
}

// Git replaces the file with each change.
function indexOf(workspace: string): string {
  const { gitDir = workspace } = findRepository(workspace) ?? {};
  const stat = unlessFailing(() => statSync(join(gitDir, "index"), { bigint: true }));
  return `${gitDir} ${stat?.ino} ${stat?.mtimeNs} ${stat?.size}`;
}

function refuseLinksOf(file: string, workspace: string): void {
  try {
    refuseLinks(file, [workspace]);
  } catch (thrown) {
    // The folder may have been moved or removed since the command began.
    if (!(thrown instanceof LinkError)) throw failureOf(thrown, relative(workspace, file));
    const hint = `remove the link: agentform's own files are not read through links, because a link may have come with a commit`;
    throw new StoreFailedError(thrown.message, hint);
  }
}

// Throws StateTrackedError: the author of the commit wrote it, not this machine.
function refuseTrackedState(workspace: string): void {
  const name = namesIn(workspace).find((each) => !each.endsWith("/.gitignore"));
  if (name === undefined) return;
  const hint = `this folder is local to a machine and must not be committed: run \`git rm -r --cached ${localFolder}\`, delete the folder, and commit that`;
  throw new StateTrackedError(say`git tracks ${{ file: name }}`, hint);
}

// Git is only asked if the folder exists.
function mayHoldState(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name !== ".gitignore");
  } catch (thrown) {
    return codeOf(thrown) !== "ENOENT";
  }
}

function namesIn(workspace: string): readonly string[] {
  try {
    return trackedNames(workspace, localFolder);
  } catch (thrown) {
    throw thrown instanceof GitError ? new StoreFailedError(thrown.message, gitHint) : thrown;
  }
}
