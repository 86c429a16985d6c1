import { StoreFailedError } from "../../core/state/lock-store.js";
import type { GitOutcome } from "../../git/git-process.js";
import { startGit } from "../../git/run-git.js";
import { asStore } from "./git-ref.js";

/** The outcome of a push: it arrived; the remote's ref has moved; a different push is under way; or it did not arrive. */
export type Push =
  | { readonly type: "pushed" }
  | { readonly type: "moved"; readonly head: string | null }
  | { readonly type: "busy"; readonly why: string }
  | { readonly type: "failed"; readonly why: string; readonly isRefused: boolean };

/** A ref on a remote. No message quotes git on the remote's address, which may contain a key. */
export class GitRemote {
  #isKnown = false;

  constructor(
    private readonly directory: string,
    private readonly remote: string,
    private readonly ref: string,
    private readonly timeout: number,
  ) {}

  /** Asks for the commit of the ref; null if the remote has no such ref. Throws StoreFailedError. */
  async head(): Promise<string | null> {
    const outcome = await this.#git(["ls-remote", "--quiet", this.remote, this.ref]);
    if (outcome.code !== 0) throw new StoreFailedError(this.#explain(outcome));
    const line = outcome.stdout
      .toString()
      .split("\n")
      .find((each) => each.endsWith(`\t${this.ref}`));
    return line?.split("\t", 1)[0] ?? null;
  }

  /** Fetches the ref into this repository, without moving any ref of it. */
  async fetch(): Promise<void> {
    const quiet = ["--quiet", "--no-write-fetch-head", "--no-auto-maintenance", "--refmap="];
    const only = ["--no-tags", "--no-prune", "--no-recurse-submodules", "--no-filter"];
    const outcome = await this.#git(["fetch", ...quiet, ...only, this.remote, this.ref]);
    if (outcome.code !== 0) throw new StoreFailedError(this.#explain(outcome));
  }

  /** Replaces the commit that the remote is believed to have, null for none, by a new one. */
  async push(commit: string, expected: string | null): Promise<Push> {
    const lease = `--force-with-lease=${this.ref}:${expected ?? ""}`;
    const only = ["--no-verify", "--no-follow-tags", "--no-signed", "--no-recurse-submodules"];
    const spec = `${commit}:${this.ref}`;
    const outcome = await this.#git(["push", "--porcelain", ...only, lease, this.remote, spec]);
    if (outcome.code === 0) return { type: "pushed" };
    // A failed push may still have moved the ref: only the answer may have been lost.
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
    if (isLocked(outcome.stderr)) return { type: "busy", why };
    return { type: "failed", why, isRefused: true };
  }

  async #git(args: readonly string[]): Promise<GitOutcome> {
    await this.#check();
    return await asStore(startGit(this.directory, args, { timeout: this.timeout, reach: "remote" }));
  }

  // Git also accepts an address as a remote, and the folder of a repository that a commit has brought; and the
  // manifest, which sets the remote, may have been written by others.
  async #check(): Promise<void> {
    if (this.#isKnown) return;
    const key = `remote.${this.remote}.url`;
    const { code } = await asStore(startGit(this.directory, ["config", "--get-all", key]));
    if (code !== 0)
      throw new StoreFailedError(`the remote \`${this.remote}\` is not configured in this repository`);
    this.#isKnown = true;
  }

  #explain({ stderr, isTimedOut }: GitOutcome): string {
    const name = `the remote \`${this.remote}\``;
    if (isTimedOut) return `${name} did not answer in time`;
    // An address may have any word in it.
    const said = stderr.replaceAll(/(?<!\w)'[^'\n]*'/g, "it");
    if (/not a git repository \(or any/i.test(said)) return "the workspace is not in a git repository";
    if (
      /authentication failed|could not read (username|password)|permission denied|error: 40[13]/i.test(said)
    ) {
      return `${name} does not accept the credentials that git has for it`;
    }
    if (/could ?n[o']t resolve|could not connect|connection|network|timed out/i.test(said)) {
      return `${name} cannot be reached`;
    }
    if (/does not appear to be a git repository|no such remote|not found|does not exist/i.test(said)) {
      return `${name} is not configured in this repository, or its address has no repository`;
    }
    return `${name} cannot be reached`;
  }
}

// Git waits a tenth of a second for another push of the same ref, and then refuses.
function isLocked(stderr: string): boolean {
  return /cannot lock ref .*: File exists/.test(stderr);
}

/** Finds the reason in a line such as `!	…	[remote rejected] (pre-receive hook declined)`. */
function refusalIn(porcelain: string): string | undefined {
  const line = porcelain.split("\n").find((each) => each.startsWith("!\t"));
  if (line === undefined) return undefined;
  const [, reason] = /\[[a-z ]*rejected\] \(([^()]*)\)/.exec(line) ?? [];
  // The remote's own words; an address in them may contain a key.
  return reason === undefined || reason.includes("://") ? "" : `: ${reason.slice(0, 200)}`;
}
