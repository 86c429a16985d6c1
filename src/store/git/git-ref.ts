import { asStore } from "../local/git-failure.js";
import { bare, say } from "../../core/finding/said.js";
import { StoreFailedError, unlessMediumFails } from "../../core/state/lock-store.js";
import { refArgs, refCommit } from "../../git/read-text.js";
import type { GitOutcome } from "../../git/git-process.js";
import { readBlobs, sizesOfBlobs } from "../../git/read-blobs.js";
import { startGit } from "../../git/run-git.js";
import type { KeptVersion } from "../medium/medium-store.js";
import { fileNames } from "./state-refs.js";
import { nothing, type StateDocument } from "../network/document-medium.js";

const parts = ["lock", "journal", "holder"] as const;

/** A file of a commit. */
type Part = (typeof parts)[number];

/** How many of the last locks and journals are compared: somebody may have put an older one on top, or none. */
const compared = 50;

/** How much is read of these journals, in bytes: they are as large as who pushed them wants. */
const mostOfJournals = 2 ** 30;

/** The committer, so that the user's git configuration does not matter. */
const author = {
  GIT_AUTHOR_NAME: "agentform",
  GIT_AUTHOR_EMAIL: "agentform@localhost",
  GIT_COMMITTER_NAME: "agentform",
  GIT_COMMITTER_EMAIL: "agentform@localhost",
};

/** The ref of a lock in the repository of a folder; it uses no network, no index and no working tree. */
export class GitRef {
  /** The last written object of each part: most commits change only one. */
  readonly #written = new Map<Part, { readonly text: string; readonly blob: string }>();
  /** The commit that was read last. */
  #read: { readonly commit: string; readonly document: StateDocument } | undefined;
  #newest: { readonly commit: string; readonly serial: number } | undefined;
  #isValid = false;

  constructor(
    private readonly directory: string,
    readonly name: string,
    /** The remote of which it is a copy. */
    private readonly remote: string,
  ) {}

  /** Throws StoreFailedError unless git accepts the name for a ref. */
  async check(): Promise<void> {
    if (this.#isValid) return;
    const { code } = await this.#git(["check-ref-format", this.name]);
    if (code !== 0)
      throw new StoreFailedError(
        say`${bare({ lock: this.name })} is not a valid name for a ref in git`,
        "correct `ref` of `spec.lock`, or the name of the workspace or the environment: `git help check-ref-format` has the rules",
      );
    this.#isValid = true;
  }

  /** Gives the commit of the ref in this repository; null if there is no such ref, or one of something else. */
  async head(): Promise<string | null> {
    const outcome = await this.#git(refArgs(this.name));
    if (outcome.code === 0) return refCommit(textOf(outcome), this.name) ?? null;
    if ((await this.#git(["rev-parse", "--git-dir"])).code === 0) throw this.#damaged();
    throw new StoreFailedError(
      "the workspace is not in a git repository that git accepts",
      "`git status` and `git fsck` in the workspace say why: it may be no repository, one of another user (`safe.directory`), or damaged",
    );
  }

  async read(commit: string): Promise<StateDocument> {
    if (this.#read?.commit !== commit) this.#read = { commit, document: await this.#readCommit(commit) };
    return this.#read.document;
  }

  /** Gives the highest serial among the last locks under the commit that was read last, by the messages of their writes. */
  async newest(): Promise<number | undefined> {
    const { commit } = this.#read ?? {};
    if (commit === undefined) return undefined;
    if (this.#newest?.commit !== commit) this.#newest = { commit, serial: await this.#newestUnder(commit) };
    return this.#newest.serial;
  }

  /** Gives the journals beside a lock with this text in the last commits under the one that was read last, longest first. */
  async journals(lock: string | null): Promise<readonly Pick<KeptVersion, "text">[]> {
    const { commit } = this.#read ?? {};
    if (commit === undefined) return [];
    const args = ["rev-list", "--full-history", `--max-count=${compared}`, commit, "--", fileNames.journal];
    const commits = textOf(await this.#git(args)).match(/^[0-9a-f]+$/gm) ?? [];
    const names = commits.flatMap((each) => [`${each}:${fileNames.lock}`, `${each}:${fileNames.journal}`]);
    const sizing = asStore(sizesOfBlobs(this.directory, names));
    // A partial clone may lack them.
    const found = await unlessMediumFails(sizing, () => []);
    const own = lock === null ? undefined : textOf(await this.#run(["hash-object", "--stdin"], lock));
    const sizes = new Map<string, number>();
    for (const [index, journal] of found.entries()) {
      const isBeside = index % 2 === 1 && found[index - 1]?.id === own;
      if (isBeside && journal) sizes.set(journal.id, journal.size);
    }
    let room = mostOfJournals;
    return [...sizes]
      .toSorted(([, one], [, other]) => other - one)
      .filter(([, size]) => (room -= size) >= 0)
      .map(([id]) => ({ text: async () => (await asStore(readBlobs(this.directory, [id])))[0] ?? null }));
  }

  async #newestUnder(commit: string): Promise<number> {
    const args = ["rev-list", "--full-history", `--max-count=${compared}`, "--format=%s", commit];
    // A partial clone may lack what is behind, and has the state all the same.
    const listed = textOf(await this.#git([...args, "--", fileNames.lock]));
    const serials = [...listed.matchAll(/^apply: serial (\d{1,16})$/gm)];
    return Math.max(0, ...serials.map(([, serial]) => Number(serial)));
  }

  async #readCommit(commit: string): Promise<StateDocument> {
    const listed = textOf(await this.#run(["ls-tree", "-z", "--full-tree", commit]));
    const blobs = new Map(
      [...listed.matchAll(/\d+ blob ([0-9a-f]+)\t([^\0]*)/g)].map(([, blob = "", name = ""]) => [name, blob]),
    );
    const wanted = parts.flatMap((part) => blobs.get(fileNames[part]) ?? []);
    // A state that was given back before its first write has no file at all.
    if (listed !== "" && wanted.length === 0) throw this.#foreign(commit);
    const texts = await asStore(readBlobs(this.directory, wanted));
    if (texts.includes(null)) throw this.#damaged();
    const [lock, journal, holder] = parts.map((part) =>
      blobs.has(fileNames[part]) ? (texts.shift() ?? null) : null,
    );
    return { ...nothing, lock: lock ?? null, journal: journal ?? null, holder: holder ?? null };
  }

  /** Makes a commit and gives it; does not move the ref. */
  async commit(contents: StateDocument, parent: string | null, message: string): Promise<string> {
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

  /** Whether an object is here, and a commit: a tag, a tree and a blob are none. */
  async has(commit: string): Promise<boolean> {
    const found = await this.#git(["rev-parse", "--verify", "--quiet", `${commit}^{commit}`]);
    return textOf(found) === commit;
  }

  /** Whether a commit is an ancestor of a second one, or the same. */
  async precedes(earlier: string, later: string): Promise<boolean> {
    return earlier === later || (await this.#git(["merge-base", "--is-ancestor", earlier, later])).code === 0;
  }

  /** Moves the ref to a commit of the remote, unless it is further; `seen`, null for nowhere, precedes that commit. */
  async follow(commit: string, seen: string | null): Promise<void> {
    let present = seen;
    for (let attempt = 1; present !== commit; attempt++) {
      const { code } = await this.#git(["update-ref", "--no-deref", this.name, commit, present ?? ""]);
      if (code === 0) return;
      // A different process of this machine has just moved it.
      if (attempt === 10)
        throw new StoreFailedError(
          say`${bare({ lock: this.name })} cannot be written in this repository`,
          "look for another process that writes the ref, a `.lock` file that is left in `.git`, and the permissions there",
        );
      present = await this.head();
      if (present !== null && (await this.precedes(commit, present))) return;
    }
  }

  #foreign(commit: string): StoreFailedError {
    return new StoreFailedError(
      say`commit ${bare({ source: commit.slice(0, 10) })} on ${bare({ lock: this.name })} has files and no state, so agentform has not written it`,
      `find out who pushed it there; then push the state again from a clone that has it: \`git push --force ${this.remote} ${this.name}\``,
    );
  }

  #damaged(): StoreFailedError {
    return new StoreFailedError(
      say`the repository is damaged: a part of ${bare({ lock: this.name })} is missing`,
      "`git fsck` names what is missing; fetch the ref again, or use another clone",
    );
  }

  async #write(part: Part, text: string): Promise<string> {
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
    throw new StoreFailedError(
      say`git ${bare({ command: args[0] ?? "" })} ${what} for ${bare({ lock: this.name })} in this repository`,
      "look at room and permissions in `.git`; `git fsck` finds damage",
    );
  }

  #git(args: readonly string[], stdin = "", environment: Readonly<Record<string, string>> = {}) {
    return asStore(startGit(this.directory, args, { stdin, environment }));
  }
}

function textOf({ stdout }: GitOutcome): string {
  return stdout.toString().trim();
}
