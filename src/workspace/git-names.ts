import { existsSync } from "node:fs";
import { join } from "node:path";
import { isWithinAny } from "../core/resources/within-any.js";
import { lazy } from "../json/once.js";
import { GitError } from "../git/git-process.js";
import { ignoredNames, leftOutNames, untrackedNames } from "../git/listed-names.js";

/** What git says of the files below a folder; repositories inside of it, such as submodules, are asked for theirs. */
export class GitNames {
  readonly #untracked: () => ReadonlySet<string>;
  /** Gives the files and submodules that git has, and the checkout leaves out. */
  readonly leftOut: () => readonly string[];
  readonly #unfetched: () => ReadonlySet<string>;
  /** The repositories in folders of this one; undefined for a folder that is none. */
  readonly #nested = new Map<string, GitNames | undefined>();

  /** Takes the folder, and the names of files and folders in it that git ignores; throws GitError. */
  constructor(
    private readonly directory: string,
    readonly ignored: ReadonlySet<string> = ignoredNames(directory),
  ) {
    this.#untracked = lazy(() => untrackedNames(directory));
    this.leftOut = lazy(() => leftOutNames(directory, false));
    this.#unfetched = lazy(() => new Set(leftOutNames(directory, true)));
  }

  /** Whether an empty folder is a submodule that is not fetched, which no `.gitmodules` has to name. */
  isUnfetched(name: string): boolean {
    return (
      this.#unfetched().has(`${name}/`) || this.#inNested(name, (nested, rest) => nested.isUnfetched(rest))
    );
  }

  /** Whether git ignores a file; throws GitError. */
  isIgnored(name: string): boolean {
    return isBelow(name, this.ignored) || this.#inNested(name, (nested, rest) => nested.isIgnored(rest));
  }

  /** Whether git does not have a file, though it does not ignore it; throws GitError. */
  isUntracked(name: string): boolean {
    return (
      isBelow(name, this.#untracked()) || this.#inNested(name, (nested, rest) => nested.isUntracked(rest))
    );
  }

  #inNested(name: string, ask: (nested: GitNames, rest: string) => boolean): boolean {
    for (let end = name.indexOf("/"); end !== -1; end = name.indexOf("/", end + 1)) {
      const nested = this.#nestedAt(name.slice(0, end));
      if (nested) return ask(nested, name.slice(end + 1));
    }
    return false;
  }

  #nestedAt(folder: string): GitNames | undefined {
    if (!this.#nested.has(folder)) {
      const path = join(this.directory, folder);
      this.#nested.set(folder, existsSync(join(path, ".git")) ? nestedNames(path) : undefined);
    }
    return this.#nested.get(folder);
  }
}

// Where git refuses to answer, nothing of the repository is used.
function nestedNames(path: string): GitNames {
  try {
    return new GitNames(path);
  } catch (thrown) {
    if (!(thrown instanceof GitError)) throw thrown;
    return new GitNames(path, everything);
  }
}

const everything: ReadonlySet<string> = new Set([""]);

// A file is listed itself, or through a folder that contains it.
function isBelow(name: string, names: ReadonlySet<string>): boolean {
  return names === everything || isWithinAny(names, name);
}
