import { error, type Finding } from "../core/finding/diagnostic.js";
import { manifestFile } from "../core/resources/manifest.js";
import { GitError } from "../git/git-process.js";
import { ignoredNames } from "../git/ignored-names.js";
import { WorkspaceFolder } from "./read-text.js";

/** Opens the folder of a workspace, of which what git ignores is no part; or says why that cannot be known. */
export function openFolder(directory: string): WorkspaceFolder | Finding {
  try {
    const ignored = ignoredNames(directory);
    // A manifest that git ignores came with no commit, and then git has no say in the workspace.
    return new WorkspaceFolder(directory, ignored.has(manifestFile) ? new Set() : ignored);
  } catch (thrown) {
    if (!(thrown instanceof GitError)) throw thrown;
    const hint = "`git status` in the workspace may say why; what git ignores is not read as a document";
    return error("git-failed", { file: manifestFile }, thrown.message, hint);
  }
}
