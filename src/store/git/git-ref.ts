import { StoreFailedError } from "../../core/state/lock-store.js";
import { GitError, type GitOutcome } from "../../git/git-process.js";
import { startGit } from "../../git/run-git.js";

/** What a commit of the ref holds, as texts; null for what is not there. */
export interface Contents {
  readonly lock: string | null;
  readonly journal: string | null;
  readonly holder: string | null;
}

/** What a ref that was never written holds. */
export const nothing: Contents = { lock: null, journal: null, holder: null };

const fileNames: Readonly<Record<keyof Contents, string>> = {
  lock: "lock.json",
  journal: "journal",
  holder: "holder.json",
};
const parts = Object.keys(fileNames) as (keyof Contents)[];

/** Who commits, so that nobody's git configuration matters. */
const author = {
  GIT_AUTHOR_NAME: "agentform",
  GIT_AUTHOR_EMAIL: "agentform@localhost",
  GIT_COMMITTER_NAME: "agentform",
  GIT_COMMITTER_EMAIL: "agentform@localhost",
};

/** The ref of a lock in the repository of a folder; nothing here uses the network, the index or a working tree. */
export class GitRef {
  /** What was written last of each part, for most commits change one alone. */
  readonly #written = new Map<keyof Contents, { readonly text: string; readonly blob: string }>();

  constructor(
    private readonly directory: string,
    readonly name: string,
  ) {}

  /** Throws StoreFailedError unless git takes the name for a ref's. */
  async check(): Promise<void> {
    const { code } = await this.#git(["check-ref-format", this.name]);
    if (code !== 0) throw new StoreFailedError(`git does not allow the name ${this.name} for a ref`);
  }

  /** Gives the commit that the ref has here; null where it is not there. */
  async head(): Promise<string | null> {
    const outcome = await this.#git(["rev-parse", "--verify", "--quiet", `${this.name}^{commit}`]);
    if (outcome.code === 0) return textOf(outcome);
    if (outcome.code === 1) return null;
    throw new StoreFailedError("the workspace is in no git repository, or in one that git refuses");
  }

  /** Reads what a commit holds. */
  async read(commit: string): Promise<Contents> {
    const listed = textOf(await this.#run(["ls-tree", "-z", "--full-tree", commit]));
    const blobs = new Map(
      listed.split("\0").flatMap((line) => {
        const [, blob, name] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
        return blob !== undefined && name !== undefined ? [[name, blob]] : [];
      }),
    );
    const wanted = parts.flatMap((part) => blobs.get(fileNames[part]) ?? []);
    if (wanted.length === 0) return nothing;
    const { stdout } = await this.#run(["cat-file", "--batch"], `${wanted.join("\n")}\n`);
    const texts = textsOf(stdout, this.name);
    return Object.fromEntries(
      parts.map((part) => [part, blobs.has(fileNames[part]) ? (texts.shift() ?? null) : null]),
    ) as Record<keyof Contents, string | null>;
  }

  /** Makes a commit and gives it; the ref stays where it is. */
  async commit(contents: Contents, parent: string | null, message: string): Promise<string> {
    const lines = await Promise.all(
      parts.map(async (part) => {
        const text = contents[part];
        return text === null ? "" : `100644 blob ${await this.#write(part, text)}\t${fileNames[part]}\n`;
      }),
    );
    const tree = textOf(await this.#run(["mktree"], lines.join("")));
    const after = parent === null ? [] : ["-p", parent];
    const args = ["commit-tree", "--no-gpg-sign", ...after, "-F", "-", tree];
    return textOf(await this.#run(args, message, author));
  }

  /** Whether a commit is here with its history's beginning to be walked from. */
  async has(commit: string): Promise<boolean> {
    return (await this.#git(["cat-file", "-e", `${commit}^{commit}`])).code === 0;
  }

  /** Whether one commit comes before another, or is the same. */
  async precedes(earlier: string, later: string): Promise<boolean> {
    return earlier === later || (await this.#git(["merge-base", "--is-ancestor", earlier, later])).code === 0;
  }

  /** Moves the ref to a commit that the remote has, unless it is there or further already. */
  async follow(commit: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const present = await this.head();
      if (present !== null && (await this.precedes(commit, present))) return;
      const { code } = await this.#git(["update-ref", "--no-deref", this.name, commit, present ?? ""]);
      if (code === 0) return;
      // Another process of this machine has just moved it.
      if (attempt === 10) throw new StoreFailedError(`${this.name} cannot be written in this repository`);
    }
  }

  async #write(part: keyof Contents, text: string): Promise<string> {
    const before = this.#written.get(part);
    if (before?.text === text) return before.blob;
    const blob = textOf(await this.#run(["hash-object", "-w", "--stdin"], text));
    this.#written.set(part, { text, blob });
    return blob;
  }

  async #run(
    args: readonly string[],
    stdin = "",
    environment: Readonly<Record<string, string>> = {},
  ): Promise<GitOutcome> {
    const outcome = await this.#git(args, stdin, environment);
    if (outcome.code === 0) return outcome;
    const what = outcome.isTimedOut ? "did not end in time" : "failed";
    throw new StoreFailedError(`git ${args[0]} ${what} for ${this.name} in this repository`);
  }

  #git(args: readonly string[], stdin = "", environment: Readonly<Record<string, string>> = {}) {
    return asStore(startGit(this.directory, args, { stdin, environment }));
  }
}

/** Passes a run of git on, one that could not begin as a StoreFailedError. */
export async function asStore(running: Promise<GitOutcome>): Promise<GitOutcome> {
  try {
    return await running;
  } catch (thrown) {
    throw thrown instanceof GitError ? new StoreFailedError(thrown.message) : thrown;
  }
}

function textOf({ stdout }: GitOutcome): string {
  return stdout.toString().trim();
}

/** Takes the answers of `cat-file --batch` apart: a line that ends in the size, the content, a newline. */
function textsOf(answers: Buffer, name: string): string[] {
  const texts: string[] = [];
  for (let offset = 0; offset < answers.length;) {
    const end = answers.indexOf("\n", offset);
    const [, size] = / blob (\d+)$/.exec(answers.toString("latin1", offset, end)) ?? [];
    if (size === undefined)
      throw new StoreFailedError(`the repository is damaged: it lacks a part of ${name}`);
    const from = end + 1;
    offset = from + Number(size) + 1;
    texts.push(answers.toString("utf8", from, offset - 1));
  }
  return texts;
}
