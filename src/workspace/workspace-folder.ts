import { say, type Sentence } from "../core/finding/said.js";
import { existsSync, lstatSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { realFolder, realPath } from "../disk/real-path.js";
import { contentDigest } from "../digest.js";
import { once } from "../json/once.js";
import { GitNames } from "./git-names.js";
import { holdsSecrets } from "./secret-file.js";
import type { KeptDigests } from "./kept-digests.js";
import { unread, type FileRead, type ReadProblem } from "../core/expression/included-data.js";
import { decode, notRegular, readRegular, sizeLimit, tooLarge, unreadable } from "./regular-file.js";

// Where several spellings of a name open the same file, only the system can tell its real name.
const hasSpellings = process.platform === "darwin" || process.platform === "win32";

/** What is known of files before they are read from the disk. */
export interface ReadOptions {
  /** The texts of files that an editor has open, by name; they need not be on the disk. */
  readonly open?: ReadonlyMap<string, string>;
  /** The digests of files that were read earlier. */
  readonly kept?: KeptDigests;
}

/** Reads files of one workspace only: the text of an editor that has it open, else the file on the disk. */
export class WorkspaceFolder {
  /** The folder's real path. */
  readonly root: string;
  /** Regular files that a listing of a folder inside the workspace has shown, to save a look-up. */
  readonly listed = new Set<string>();
  /** The texts of files that an editor has open, by name. */
  readonly open: ReadonlyMap<string, string>;
  readonly #kept: KeptDigests | undefined;
  readonly #look: number;
  readonly #start: string;

  /** Takes the folder, and what git says of the files in it. */
  constructor(
    directory: string,
    readonly git = new GitNames(directory, new Set()),
    { open = new Map(), kept }: ReadOptions = {},
  ) {
    this.open = open;
    this.#kept = kept;
    this.#look = kept?.begin() ?? 0;
    this.root = realFolder(directory);
    this.#start = this.root.endsWith(sep) ? this.root : this.root + sep;
  }

  /** Gives the path from the workspace, with `/`; undefined if an absolute path leads elsewhere. */
  nameOf(absolute: string): string | undefined {
    return nameIn(this.root, absolute);
  }

  /** Gives the name of the file that a path in another file leads to. */
  resolve(from: string, path: string): FileRead<{ readonly file: string }> {
    if (path.includes("\0")) return unread("file-missing", "a path must not contain a NUL character");
    // No system has such a file, and to look at each folder on the way to it would take hours.
    if (path.length > 4096) return unread("file-missing", "a path must not have more than 4,096 characters");
    const file = isAbsolute(path) ? undefined : this.nameOf(join(this.root, dirname(from), path));
    return file === undefined ? outside(path) : (withheld(file, this.git) ?? { ok: true, file });
  }

  /** Gives the names of the files that an editor has open and that are not on the disk yet, from a folder of the workspace. */
  unsavedIn(name: string): string[] {
    const start = name === "" ? "" : `${name}/`;
    return [...this.open.keys()]
      .filter((file) => file.startsWith(start) && !existsSync(join(this.root, file)))
      .map((file) => file.slice(start.length));
  }

  /** Reads a text file: regular, inside the workspace, UTF-8 without NUL, at most 32 MB; a BOM is dropped. */
  read(file: string): FileRead<{ readonly text: string }> {
    const read = this.readBytes(file);
    return read.ok ? decode(file, read.bytes) : read;
  }

  /** Reads the bytes of a regular file inside the workspace, at most 32 MB of them. */
  readBytes(file: string): FileRead<{ readonly bytes: Uint8Array }> {
    const text = this.open.get(file);
    if (text !== undefined) return this.#takeOpen(file, text);
    const read = this.#take(file, (absolute) => readRegular(file, absolute));
    if (read.ok && this.#kept) {
      const digest = contentDigest(read.bytes);
      this.#kept.keep(file, read.stat, digest, this.#look, Date.now());
    }
    return read;
  }

  /** Gives the digest of a file that is on the disk as it was when it was read, without reading it again. */
  keptDigest(file: string): string | undefined {
    if (!this.#kept || this.open.has(file)) return undefined;
    const found = this.#kept.found(file, this.#look);
    if (found !== undefined) return found;
    const absolute = this.#pathOf(file);
    try {
      if (this.#problemOf(file, absolute)) return undefined;
      return this.#kept.get(file, statSync(absolute), this.#look);
    } catch {
      return undefined;
    }
  }

  #take<Result>(file: string, read: (absolute: string) => Result): Result | ReadProblem {
    const absolute = this.#pathOf(file);
    try {
      return this.#problemOf(file, absolute) ?? read(absolute);
    } catch (cause) {
      return unreadable(file, cause);
    }
  }

  // The name is as `nameOf` gives it, and needs no `join`, which would take longer than opening the file.
  #pathOf(file: string): string {
    return this.#start + file;
  }

  #problemOf(file: string, absolute: string): ReadProblem | undefined {
    return withheldFile(file, this.git) ?? (this.listed.has(file) ? undefined : this.#refuse(file, absolute));
  }

  // What must not be read from the disk is not read from an editor either.
  #takeOpen(file: string, text: string): FileRead<{ readonly bytes: Uint8Array }> {
    try {
      const problem = this.#problemOf(file, join(this.root, file));
      if (problem) return problem;
    } catch (cause) {
      const problem = unreadable(file, cause);
      if (problem.code !== "file-missing") return problem;
    }
    const bytes = Buffer.from(text);
    return bytes.length > sizeLimit ? tooLarge(file) : { ok: true, bytes };
  }

  /** Whether git neither has a file nor ignores it, under its name or the one that a link leads to; throws GitError. */
  readonly isUncommitted = once((file) => {
    const absolute = join(this.root, file);
    const real = existsSync(absolute) ? this.nameOf(realPath(absolute)) : undefined;
    return this.git.isUntracked(file) || this.git.isUntracked(real ?? file);
  });

  /** Reads one of agentform's own files, such as a lock, to find places in it; it is not part of the workspace. */
  readOwn(file: string): FileRead<{ readonly text: string }> {
    const absolute = join(this.root, file);
    try {
      if (!lstatSync(absolute).isFile()) return notRegular(file, false);
      const read = readRegular(file, absolute);
      return read.ok ? decode(file, read.bytes) : read;
    } catch (cause) {
      return unreadable(file, cause);
    }
  }

  #refuse(file: string, absolute: string): ReadProblem | undefined {
    const own = lstatSync(absolute);
    const isLinked = own.isSymbolicLink() || this.#isBelowLink(dirname(absolute));
    const problem = isLinked || hasSpellings ? this.refuseReal(file, absolute, withheldFile) : undefined;
    if (problem) return problem;
    const misspelt = this.refuseSpelling(file, isLinked ? realPath(absolute) : absolute);
    if (misspelt) return misspelt;
    const stat = own.isSymbolicLink() ? statSync(absolute) : own;
    // Opening a pipe would block the process for ever.
    return stat.isFile() ? undefined : notRegular(file, stat.isDirectory());
  }

  /** Says why the final target of a path inside the workspace is not part of the workspace. */
  refuseReal(file: string, absolute: string, look = withheld): ReadProblem | undefined {
    const real = this.nameOf(realPath(absolute));
    if (real === undefined) return outside(file);
    const problem = look(real, this.git);
    return problem && real !== file
      ? { ...problem, message: say`${{ source: file }} leads to a withheld file: ${problem.message}` }
      : problem;
  }

  /** Refuses other spellings than the folders': git knows names by these alone; Linux has no call for the real one. */
  refuseSpelling(file: string, real: string): ReadProblem | undefined {
    if (hasSpellings || this.#isListed(real)) return undefined;
    const message = say`the disk ignores case, and ${{ file }} is spelt in another way there`;
    return unread("file-unreadable", message, "spell the path as its folders list it, as git has it");
  }

  readonly #isListed = once((absolute): boolean => {
    if (absolute.length <= this.root.length) return true;
    return this.#namesIn(dirname(absolute)).has(basename(absolute)) && this.#isListed(dirname(absolute));
  });

  readonly #namesIn = once((folder) => new Set(readdirSync(folder)));

  // A link among the folders on the way can lead out as well as one at the end.
  readonly #isBelowLink = once((folder): boolean => {
    if (folder.length <= this.root.length) return false;
    return lstatSync(folder).isSymbolicLink() || this.#isBelowLink(dirname(folder));
  });
}

/** Gives the path of a file from a folder, with `/`; undefined for one outside. */
export function nameIn(folder: string, path: string): string | undefined {
  const name = relative(folder, path);
  if (name === ".." || name.startsWith(`..${sep}`) || isAbsolute(name)) return undefined;
  return sep === "/" ? name : name.replaceAll(sep, "/");
}

function outside(path: string): ReadProblem {
  const hint = "include only files below the folder of agentform.yaml";
  return unread("file-outside-workspace", say`${{ file: path }} leads out of the workspace`, hint);
}

/** Says why a file below a workspace is not part of it: it belongs to git or agentform, or git ignores it. */
function withheld(name: string, git: GitNames): ReadProblem | undefined {
  const owner = mayHaveOwner.test(name)
    ? name
        .split("/")
        .map(ownerOf)
        .find((each) => each !== undefined)
    : undefined;
  if (owner !== undefined) return refused(say`${{ file: name }} belongs to ${owner}`);
  return git.isIgnored(name) ? refused(say`${{ file: name }} is ignored by git`) : undefined;
}

/** The same of a file, which may be named as secrets are by custom: what a commit ignores is its own say. */
function withheldFile(name: string, git: GitNames): ReadProblem | undefined {
  const problem = withheld(name, git);
  if (problem || !holdsSecrets(name)) return problem;
  return refused(say`${{ file: name }} has a name that is usual for secrets`);
}

// Of ten thousand names few have these letters, with or without ignorable characters between them.
const mayHaveOwner = /git|agentf|[^ -~]/i;

function refused(message: Sentence): ReadProblem {
  const hint =
    "use a file that git does not ignore and that can be committed, under another name; pass a secret as `${env:NAME}`";
  return unread("file-withheld", message, hint);
}

function ownerOf(segment: string): string | undefined {
  // Most names begin with a letter with which none of theirs does.
  if (/^[b-fh-z0-9_]/i.test(segment)) return undefined;
  const name = plain(segment);
  if (/^(\.git|git~\d+)$/.test(name)) return "git";
  return /^(\.agentform$|agentform(\..*)?\.lock(\.|$)|agentf~\d)/.test(name) ? "agentform" : undefined;
}

// Spellings that macOS and Windows take as one: case, ignorable characters, dots and spaces at the end, stream names.
function plain(segment: string): string {
  return segment
    .replaceAll(/[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/g, "")
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();
}
