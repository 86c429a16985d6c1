import { refused, type Checked } from "../core/finding/checked.js";
import { error } from "../core/finding/diagnostic.js";
import { manifestFile } from "../core/resources/manifest.js";
import { GitError } from "../git/git-process.js";
import { ignoredNames } from "../git/listed-names.js";
import { WorkspaceFolder } from "./workspace-folder.js";

/** The folder of a workspace, or why it cannot be used. */
export type OpenedFolder = Checked<{ readonly folder: WorkspaceFolder }>;

/** Opens the folder of a workspace without the files that git ignores; or says why these cannot be listed. */
export function openFolder(
  directory: string,
  open = (ignored: ReadonlySet<string>) => new WorkspaceFolder(directory, ignored),
): OpenedFolder {
  try {
    const ignored = ignoredNames(directory);
    // If git ignores the manifest, it came with no commit, so the workspace does not depend on git.
    return { ok: true, folder: open(ignored.has(manifestFile) ? new Set() : ignored) };
  } catch (thrown) {
    if (!(thrown instanceof GitError)) throw thrown;
    const hint =
      "run `git status` in the workspace to see why; agentform must know which files git ignores, because it does not read them";
    return refused([error("git-failed", { file: manifestFile }, thrown.message, hint)]);
  }
}
