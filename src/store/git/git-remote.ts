import { StoreFailedError } from "../../core/state/lock-store.js";
import type { GitOutcome } from "../../git/git-process.js";
import { startGit } from "../../git/run-git.js";
import { asStore } from "./git-ref.js";

/** What became of a push: it arrived; the remote's ref is another than was expected; or it did not arrive. */
export type Push =
  | { readonly type: "pushed" }
  | { readonly type: "moved"; readonly head: string | null }
  | { readonly type: "failed"; readonly why: string; readonly isRefused: boolean };

/** A ref as a remote has it. No message holds what git says of the remote's address, for that may hold a key. */
export class GitRemote {
  #isKnown = false;

  constructor(
    private readonly directory: string,
    private readonly remote: string,
    private readonly ref: string,
    private readonly timeout: number,
  ) {}

  /** Asks which commit the ref has; null where the remote has no such ref. Throws StoreFailedError. */
  async head(): Promise<string | null> {
    const outcome = await this.#git(["ls-remote", "--quiet", this.remote, this.ref]);
    if (outcome.code !== 0) throw new StoreFailedError(this.#explain(outcome));
    const line = outcome.stdout
      .toString()
      .split("\n")
      .find((each) => each.endsWith(`\t${this.ref}`));
    return line?.split("\t", 1)[0] ?? null;
  }

  /** Brings what the ref has into this repository, and moves no ref of it. */
  async fetch(): Promise<void> {
    const quiet = ["--quiet", "--no-write-fetch-head", "--no-auto-maintenance", "--refmap="];
    const only = ["--no-tags", "--no-prune", "--no-recurse-submodules", "--no-filter"];
    const outcome = await this.#git(["fetch", ...quiet, ...only, this.remote, this.ref]);
    if (outcome.code !== 0) throw new StoreFailedError(this.#explain(outcome));
  }

  /** Puts a commit in the place of the one that the remote is believed to have; null for none. */
  async push(commit: string, expected: string | null): Promise<Push> {
    const lease = `--force-with-lease=${this.ref}:${expected ?? ""}`;
    const only = ["--no-verify", "--no-follow-tags", "--no-signed", "--no-recurse-submodules"];
    const spec = `${commit}:${this.ref}`;
    const outcome = await this.#git(["push", "--porcelain", ...only, lease, this.remote, spec]);
    if (outcome.code === 0) return { type: "pushed" };
    // What a failed push says may be wrong: the answer may have been lost after the ref was moved.
    const head = await this.head().catch((thrown: unknown) => {
      if (thrown instanceof StoreFailedError) return thrown;
      throw thrown;
    });
    if (head instanceof StoreFailedError) return { type: "failed", why: head.message, isRefused: false };
    if (head === commit) return { type: "pushed" };
    if (head !== expected) return { type: "moved", head };
    const reason = refusalIn(outcome.stdout.toString());
    if (reason === undefined) return { type: "failed", why: this.#explain(outcome), isRefused: false };
    const why = `the remote \`${this.remote}\` refused the push${reason}`;
    return { type: "failed", why, isRefused: true };
  }

  async #git(args: readonly string[]): Promise<GitOutcome> {
    await this.#check();
    return await asStore(startGit(this.directory, args, { timeout: this.timeout, reach: "remote" }));
  }

  // Git takes an address for a remote as well, and the folder of a repository that a commit has brought; and whoever
  // writes the manifest says where the remote is.
  async #check(): Promise<void> {
    if (this.#isKnown) return;
    const key = `remote.${this.remote}.url`;
    const { code } = await asStore(startGit(this.directory, ["config", "--get-all", key]));
    if (code !== 0) throw new StoreFailedError(`the remote \`${this.remote}\` is unknown here`);
    this.#isKnown = true;
  }

  #explain({ stderr, isTimedOut }: GitOutcome): string {
    const name = `the remote \`${this.remote}\``;
    if (isTimedOut) return `${name} did not answer in time`;
    if (/not a git repository \(or any/i.test(stderr)) return "the workspace is in no git repository";
    if (/authentication failed|could not read (username|password)|permission denied|40[13]/i.test(stderr)) {
      return `${name} does not accept the credentials that git has for it`;
    }
    if (/could ?n[o']t resolve|could not connect|connection|network|timed out/i.test(stderr)) {
      return `${name} cannot be reached`;
    }
    if (/does not appear to be a git repository|no such remote|not found|does not exist/i.test(stderr)) {
      return `${name} is unknown here, or no repository is where it points`;
    }
    return `${name} cannot be reached`;
  }
}

/** Finds the reason in a line such as `!	…	[remote rejected] (pre-receive hook declined)`. */
function refusalIn(porcelain: string): string | undefined {
  const line = porcelain.split("\n").find((each) => each.startsWith("!\t"));
  if (line === undefined) return undefined;
  const [, reason] = /\[[a-z ]*rejected\] \(([^()]*)\)/.exec(line) ?? [];
  // The remote's own words; an address in them may hold a key.
  return reason === undefined || reason.includes("://") ? "" : `: ${reason.slice(0, 200)}`;
}
