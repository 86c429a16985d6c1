import { lazy } from "../json/once.js";
import { GitNames } from "./git-names.js";
import { KeptDigests } from "./kept-digests.js";
import { ParsedOnce } from "./parsed-once.js";
import { WorkspaceFolder } from "./workspace-folder.js";
import { refused, type Checked } from "../core/finding/checked.js";
import { error } from "../core/finding/diagnostic.js";
import { manifestFile } from "../core/resources/manifest-file.js";
import { GitError, GitMissingError } from "../git/git-process.js";

/** What loads of one workspace share. */
export interface SharedLook {
  /** What is parsed already. */
  readonly parsed: ParsedOnce;
  /** Gives its folder; or says why it cannot be opened. */
  readonly folder: () => OpenedFolder;
}

/** A workspace loaded again and again: open files have the editor's text, and what has not changed is not reread. */
export class OpenWorkspace {
  readonly parsed = new ParsedOnce();
  readonly #texts = new Map<string, string>();
  readonly #kept = new KeptDigests();
  #git: GitNames | undefined;

  constructor(readonly directory: string) {}

  /** Takes the text of a file, relative to the workspace with `/`, from the editor; or undefined once it is closed. */
  edit(file: string, text: string | undefined): void {
    if (text === undefined) this.#texts.delete(file);
    else this.#texts.set(file, text);
  }

  /** Takes notice that files were written, so that git may ignore others than before. */
  refresh(): void {
    this.#git = undefined;
  }

  /** Gives it for loads that follow each other, such as of several environments: all see a file as the first found it. */
  look(): SharedLook {
    const folder = lazy(() => this.folder());
    return { parsed: this.parsed, folder };
  }

  /** Opens its folder for one look, for a folder remembers which links it has checked, and what it has read. */
  folder(): OpenedFolder {
    if (this.#git) return { ok: true, folder: this.#open(this.#git) };
    return openFolder(this.directory, (git) => this.#open((this.#git = git)));
  }

  #open(git: GitNames): WorkspaceFolder {
    return new WorkspaceFolder(this.directory, git, { open: this.#texts, kept: this.#kept });
  }
}

/** The folder of a workspace, or why it cannot be used. */
type OpenedFolder = Checked<{ readonly folder: WorkspaceFolder }>;

/** Opens the folder of a workspace without the files that git ignores; or says why these cannot be listed. */
export function openFolder(
  directory: string,
  open = (git: GitNames) => new WorkspaceFolder(directory, git),
): OpenedFolder {
  try {
    const git = new GitNames(directory);
    // If git ignores the manifest, it came with no commit, so the workspace does not depend on git.
    const isOfNoCommit = git.ignored.has(manifestFile);
    return { ok: true, folder: open(isOfNoCommit ? new GitNames(directory, new Set()) : git) };
  } catch (thrown) {
    if (!(thrown instanceof GitError)) throw thrown;
    const why = "agentform must know which files git ignores, because it does not read them";
    const isMissing = thrown instanceof GitMissingError;
    const hint = `${isMissing ? "install it" : "run `git status` in the workspace to see why, or where that works, move the folder that `.git` names out of the work tree it is in"}; ${why}`;
    return refused([error("git-failed", { file: manifestFile }, thrown.message, hint)]);
  }
}
