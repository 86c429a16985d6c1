import { say } from "../core/finding/said.js";
import { meaning } from "../core/finding/nearest.js";
import { posix } from "node:path";
import {
  unread,
  type FileRead,
  type Included,
  type Includes,
  type ReadProblem,
} from "../core/expression/included-data.js";
import { decode } from "./regular-file.js";
import { GitError } from "../git/git-process.js";
import { closestName } from "./closest-name.js";
import { contentDigest } from "../digest.js";
import type { WorkspaceFolder } from "./workspace-folder.js";

/** The files that documents include, each read once. */
export class IncludedFiles implements Includes {
  readonly #read = new Map<string, Included>();
  /** The problem of a path that cannot be read; it depends on where the path is written. */
  readonly #unread = new Map<string, Included>();
  readonly #digests = new Map<string, string | undefined>();
  /** What a digest was made from, for whoever asks for the text afterwards: the file may be another one by then. */
  readonly #bytes = new Map<string, Uint8Array>();

  constructor(private readonly folder: WorkspaceFolder) {}

  read(from: string, path: string): Included {
    const target = this.folder.resolve(from, path);
    if (!target.ok) return target;
    const { file } = target;
    const asked = `${from}\0${path}`;
    const included = this.#read.get(file) ?? this.#unread.get(asked) ?? this.#include(from, path, file);
    if (!included.ok) this.#unread.set(asked, included);
    else this.#read.set(file, included);
    return included.ok ? (this.refuseUncommitted(from, file) ?? included) : included;
  }

  #include(from: string, path: string, file: string): Included {
    const read = this.#readText(file);
    return read.ok ? { ...read, file } : this.#explain(from, path, file, read);
  }

  /** Why an inclusion is refused: a commit has the includer alone, and may have un-ignored any file of this machine. */
  refuseUncommitted(from: string, file: string): ReadProblem | undefined {
    try {
      if (!this.folder.isUncommitted(file) || this.folder.isUncommitted(from)) return undefined;
    } catch (thrown) {
      if (!(thrown instanceof GitError)) throw thrown;
      return unread("file-withheld", thrown.message, "run `git status` in the workspace to see why");
    }
    const message = say`git has ${{ source: from }}, but not ${{ file }}, which it includes`;
    return unread("file-withheld", message, "if the file is yours and holds no secret, `git add` it first");
  }

  /** Gives the digest of a file's content; undefined if it cannot be read. */
  digest(file: string): string | undefined {
    if (!this.#digests.has(file)) {
      const kept = this.folder.keptDigest(file);
      if (kept === undefined) this.#readBytes(file);
      else this.#digests.set(file, kept);
    }
    return this.#digests.get(file);
  }

  #readText(file: string): FileRead<{ readonly text: string }> {
    const read = this.#readBytes(file);
    // From now on there is the text.
    this.#bytes.delete(file);
    return read.ok ? decode(file, read.bytes) : read;
  }

  #readBytes(file: string): FileRead<{ readonly bytes: Uint8Array }> {
    const known = this.#bytes.get(file);
    if (known) return { ok: true, bytes: known };
    const read = this.folder.readBytes(file);
    this.#digests.set(file, read.ok ? contentDigest(read.bytes) : undefined);
    if (read.ok) this.#bytes.set(file, read.bytes);
    return read;
  }

  // The path as written is relative to the file in which it is written.
  #explain(from: string, path: string, file: string, problem: ReadProblem): ReadProblem {
    if (problem.code !== "file-missing") return problem;
    const meant = closestName(this.folder, file);
    const relative = meant && posix.join(posix.dirname(path), posix.basename(meant));
    const start = from.includes("/") ? `\`${posix.dirname(from)}/\`` : "the workspace's own folder";
    const slashed = path.includes("\\") ? path.replaceAll("\\", "/") : undefined;
    const hint = slashed
      ? say`a path is written with \`/\` on every system: ${{ meant: slashed }}`
      : relative
        ? meaning(path, relative)
        : say`paths start from the folder of the file that holds them, ${start}`;
    return { ...problem, hint };
  }
}
