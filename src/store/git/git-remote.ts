import { bare, say, type Sentence } from "../../core/finding/said.js";
import { busyHint } from "../../core/state/store-hints.js";
import { setTimeout as sleep } from "node:timers/promises";
import { StoreFailedError } from "../../core/state/lock-store.js";
import type { GitOutcome } from "../../git/git-process.js";
import { startGit } from "../../git/run-git.js";
import { Elapsed } from "../medium/elapsed.js";
import { patiently, type Tried } from "../medium/patience.js";
import type { RefusedRequest } from "../network/refusal.js";
import { asStore } from "../local/git-failure.js";

/** How often the first push is looked for: a replica shows it a moment later. */
const looks = 4;

/** How long a ref may be locked by other pushes, in milliseconds: each takes a moment, unless it died. */
const longestBusy = 10_000;

/** A ref on a remote. No message quotes git on the remote's address, which may contain a key. */
export class GitRemote {
  #isKnown = false;
  /** Whether a push of this process was seen where the remote is read from. */
  #isSeen = false;
  /** Whether the ref stayed locked for as long as was waited. */
  #isStuck = false;

  constructor(
    private readonly directory: string,
    readonly name: string,
    private readonly ref: string,
    private readonly timeout: number,
  ) {}

  /** Gives the commit of the ref; null if the remote has no such ref. Throws StoreFailedError. */
  async head(): Promise<string | null> {
    const asked = await this.askHead();
    if (!asked.ok) throw asked.failure;
    return asked.value;
  }

  /** Asks once for the commit of the ref; null if the remote has no such ref. */
  async askHead(): Promise<Tried<string | null, RefusedRequest>> {
    const listed = await this.#list();
    if (!listed.ok) return listed;
    const line = listed.value.find((each) => each.endsWith(`\t${this.ref}`));
    return { ok: true, value: line?.split("\t", 1)[0] ?? null };
  }

  /** Gives a line with commit and name, with a tab between, of each ref that matches, and of others. Throws StoreFailedError. */
  async list(): Promise<string[]> {
    const listed = await this.#list();
    if (!listed.ok) throw listed.failure;
    return listed.value;
  }

  async #list(): Promise<Tried<string[], RefusedRequest>> {
    const listed = await this.#ask(["HEAD", this.ref]);
    if (!listed.ok || listed.value.length > 0 || !(await this.#hasBranches())) return listed;
    // Git takes any short answer for that of a server without refs. A repository may have no HEAD, but then branches.
    const whole = await this.#ask([]);
    return whole.ok && whole.value.length === 0 ? refused(this.#silent()) : whole;
  }

  async #ask(patterns: readonly string[]): Promise<Tried<string[], RefusedRequest>> {
    const outcome = await this.#git(["ls-remote", "--quiet", this.name, ...patterns]);
    if (outcome.code !== 0) return refused(this.#explain(outcome));
    return { ok: true, value: linesIn(outcome.stdout) };
  }

  /** Whether this repository has ever seen a branch of the remote. */
  async #hasBranches(): Promise<boolean> {
    const args = ["for-each-ref", "--count=1", `refs/remotes/${this.name}/`];
    return (await asStore(startGit(this.directory, args))).stdout.length > 0;
  }

  #silent(): StoreFailedError {
    return new StoreFailedError(
      say`the remote \`${bare({ source: this.name })}\` ${bare({ code: "silent" }, "shows no ref at all, although this repository has branches of it")}`,
      `look at what answers at its address, such as a proxy: \`git ls-remote ${this.name}\`; if it was emptied on purpose: \`git remote prune ${this.name}\``,
    );
  }

  /** Fetches the ref, or those that are given, into this repository, without moving any ref of it. */
  async fetch(refs: readonly string[] = [this.ref]): Promise<void> {
    const quiet = ["--quiet", "--no-write-fetch-head", "--no-auto-maintenance", "--refmap="];
    const only = ["--no-tags", "--no-prune", "--no-recurse-submodules", "--no-filter"];
    const outcome = await this.#git(["fetch", ...quiet, ...only, this.name, ...refs]);
    if (outcome.code !== 0) throw this.#explain(outcome);
  }

  /** Replaces the remote's believed commit, null for none; a refusal of the remote itself is not passing. */
  async push(
    commit: string,
    expected: string | null,
  ): Promise<Tried<null, RefusedRequest & { readonly isStuck?: true }>> {
    const waited = new Elapsed();
    for (;;) {
      const { isBusy, ...pushed } = await this.#pushOnce(commit, expected);
      if (pushed.ok || isBusy !== true) {
        this.#isStuck = false;
        return pushed;
      }
      // What was waited for in vain once is not waited for again.
      this.#isStuck ||= waited.milliseconds >= Math.min(this.timeout, longestBusy);
      if (this.#isStuck) return { ...pushed, isPassing: false, isStuck: true };
      await sleep(50 + Math.random() * 200);
    }
  }

  async #pushOnce(
    commit: string,
    expected: string | null,
  ): Promise<Tried<null, RefusedRequest> & { readonly isBusy?: boolean }> {
    const lease = `--force-with-lease=${this.ref}:${expected ?? ""}`;
    const only = ["--no-verify", "--no-follow-tags", "--no-signed", "--no-recurse-submodules"];
    const spec = `${commit}:${this.ref}`;
    const outcome = await this.#git(["push", "--porcelain", ...only, lease, this.name, spec]);
    if (outcome.code === 0) return await this.#arrived(expected);
    // A failed push may still have moved the ref: only the answer may have been lost.
    const head = await this.askHead();
    if (!head.ok) return head;
    if (head.value === commit) return { ok: true, value: null };
    if (head.value !== expected)
      return {
        ...refused(new StoreFailedError(say`${bare({ lock: this.ref })} was changed elsewhere`, busyHint)),
        isChanged: true,
      };
    const reason = refusalIn(outcome.stdout.toString());
    if (reason === undefined) return refused(this.#explain(outcome));
    if (isLocked(outcome.stderr)) return { ...refused(this.#locked()), isBusy: true };
    const inTheWay = reason.startsWith(": failed to update ref")
      ? `; git has no ref below another: \`git ls-remote ${this.name}\` shows whether one is in the way, and \`ref\` of \`spec.lock\` names another place`
      : "";
    const why = new StoreFailedError(
      say`the remote \`${bare({ source: this.name })}\` refused the push${reason}`,
      `look at its rules and hooks for \`${this.ref}\`, and whether the key or token of git may push there${inTheWay}`,
    );
    return { ...refused(why), isPassing: false };
  }

  #locked(): StoreFailedError {
    return new StoreFailedError(
      say`the remote \`${bare({ source: this.name })}\` refused the push: its ${bare({ lock: this.ref })} is locked by another push, or by one that died`,
      `run the command again; if no push runs there, remove \`${this.ref}.lock\` in the repository of the remote`,
    );
  }

  // With `pushurl`, as of a fork, or with hidden refs, nobody reads what is pushed.
  async #arrived(expected: string | null): Promise<Tried<null, RefusedRequest>> {
    if (this.#isSeen) return { ok: true, value: null };
    let isHidden = false;
    const looked = await patiently({ attempts: looks }, async () => {
      const head = await this.askHead();
      // What somebody else has pushed since is told by the next push.
      isHidden = head.ok && head.value === expected;
      return isHidden ? refused(this.#hidden()) : head;
    });
    if (isHidden) throw this.#hidden();
    this.#isSeen = looked.ok;
    return looked.ok ? { ok: true, value: null } : looked;
  }

  #hidden(): StoreFailedError {
    return new StoreFailedError(
      say`the remote \`${bare({ source: this.name })}\` does not show what was pushed to it`,
      `\`git remote -v\`: it must push to the repository that it fetches from, and show \`${this.ref}\` there (\`uploadpack.hideRefs\`); then remove this ref where it is now, unless it has your state`,
    );
  }

  async #git(args: readonly string[]): Promise<GitOutcome> {
    await this.#check();
    return await asStore(startGit(this.directory, args, { timeout: this.timeout, reach: "remote" }));
  }

  // Git also takes an address, or a folder that a commit brought, as a remote; others may have written the manifest.
  async #check(): Promise<void> {
    if (this.#isKnown) return;
    const key = `remote.${this.name}.url`;
    const { code } = await asStore(startGit(this.directory, ["config", "--get-all", key]));
    if (code !== 0)
      throw new StoreFailedError(
        say`the remote \`${bare({ source: this.name })}\` is not configured in this repository`,
        "`git remote -v` shows those that are; `remote` of `spec.lock` names the one to use",
      );
    this.#isKnown = true;
  }

  #explain({ stderr, isTimedOut }: GitOutcome): StoreFailedError {
    const name = say`the remote \`${bare({ source: this.name })}\``;
    const failure = (why: Sentence, hint: string): StoreFailedError => new StoreFailedError(why, hint);
    const look = `\`git ls-remote ${this.name}\` in this repository shows what git meets`;
    if (isTimedOut)
      return failure(
        say`${name} ${bare({ code: "timed-out" }, "did not answer in time")}`,
        `check the network; ${look}`,
      );
    // An address may have any word in it.
    const said = stderr.replaceAll(/(?<!\w)'[^'\n]*'/g, "it");
    if (/not a git repository \(or any/i.test(said))
      return failure("the workspace is not in a git repository", "run it in the clone that has the remote");
    if (
      /authentication failed|could not read (username|password)|permission denied|error: 40[13]/i.test(said)
    ) {
      const hint = `give git a key or a token that may read and push it; ${look}`;
      return failure(
        say`${name} ${bare({ code: "credentials" }, "does not accept the credentials that git has for it")}`,
        hint,
      );
    }
    if (/certificate (problem|verif)/i.test(said)) {
      const why = say`${name} ${bare({ code: "certificate" }, "has a certificate that git does not accept")}`;
      return failure(why, `it may have expired, or git lacks its authority (\`http.sslCAInfo\`); ${look}`);
    }
    const isOffline = /could ?n[o']t resolve|could not connect|connection|network|timed out/i.test(said);
    if (
      !isOffline &&
      /does not appear to be a git repository|no such remote|not found|does not exist/i.test(said)
    ) {
      const why = say`${name} ${bare({ code: "not-configured" }, "is not configured in this repository, or its address has no repository")}`;
      return failure(why, `\`git remote -v\` shows its address; \`remote\` of \`spec.lock\` names another`);
    }
    return failure(
      say`${name} ${bare({ code: "unreachable" }, "cannot be reached")}`,
      `check the network and \`git remote -v\`; ${look}`,
    );
  }
}

function refused(failure: StoreFailedError): RefusedRequest {
  return { ok: false, failure, isPassing: true, isOfCredentials: false };
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

function linesIn(stdout: Buffer): string[] {
  return stdout
    .toString()
    .split("\n")
    .filter((line) => line !== "");
}
