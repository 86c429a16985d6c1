import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { needProgram } from "../harness/need.js";

/** A branch that somebody wants to merge, and the merge of it that the forge has made for a trial. */
export interface Change {
  readonly number: number;
  readonly branch: string;
  readonly head: string;
}

/** How a branch becomes part of main. */
export type MergeWay = "merge" | "squash" | "rebase" | "fast-forward";

const identity = ["-c", "user.name=author", "-c", "user.email=author@example.com"];

/** Runs git and gives what it prints, without the end of the last line. */
export function git(folder: string, ...args: readonly string[]): string {
  const output = execFileSync("git", ["-C", folder, ...args], { encoding: "utf8", stdio: "pipe" });
  return output.replace(/\n$/, "");
}

/** A repository of a team: a bare remote, and the author's clone of it. */
export class Repository {
  readonly folder = mkdtempSync(join(tmpdir(), "agentform-ci-"));
  readonly remote = join(this.folder, "remote.git");
  readonly url = `file://${this.remote}`;
  readonly #author = join(this.folder, "author");
  #changes = 0;

  constructor(files: Readonly<Record<string, string>>) {
    needProgram("git");
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
    git(tmpdir(), "init", "--quiet", "--bare", "--initial-branch=main", this.remote);
    // Servers allow it, and shallow clones are of more use with it.
    git(this.remote, "config", "uploadpack.allowAnySHA1InWant", "true");
    git(tmpdir(), "clone", "--quiet", this.url, this.#author);
    git(this.#author, "checkout", "--quiet", "-b", "main");
    this.#commit(files, "begin");
    git(this.#author, "push", "--quiet", "origin", "main");
  }

  /** Pushes a branch with other files, off main as it is and other branches, and the trial merge of its pull request. */
  propose(files: Readonly<Record<string, string | null>>, merged: readonly string[] = []): Change {
    const number = ++this.#changes;
    const branch = `change-${number}`;
    this.#toMain();
    git(this.#author, "checkout", "--quiet", "-b", branch);
    // A person resolves what is in conflict, and the files say how.
    for (const name of merged)
      git(this.#author, ...identity, "merge", "--quiet", "-s", "ours", `origin/${name}`);
    const head = this.#commit(files, branch);
    git(this.#author, "push", "--quiet", "origin", branch);
    const change = { number, branch, head };
    this.mergeOnTrial(change);
    return change;
  }

  /** Makes the merge that GitHub keeps for a pull request. */
  mergeOnTrial({ number, head }: Change): void {
    this.#toMain();
    git(this.#author, ...identity, "merge", "--quiet", "--no-ff", "-m", "trial", head);
    git(this.#author, "push", "--quiet", "--force", "origin", `HEAD:refs/pull/${number}/merge`);
  }

  /** Pushes one more commit to a branch, of which no plan is made before it is merged. */
  extend(change: Change, files: Readonly<Record<string, string | null>>): Change {
    git(this.#author, "checkout", "--quiet", "--detach", change.head);
    const head = this.#commit(files, `more of ${change.branch}`);
    git(this.#author, "push", "--quiet", "origin", `HEAD:refs/heads/${change.branch}`);
    return { ...change, head };
  }

  /** Merges a branch into main, in one of the ways that forges offer; gives the commit that main is then at. */
  merge({ head }: Change, way: MergeWay = "merge", into = "main"): string {
    this.#toMain();
    const run = (...args: readonly string[]): string => git(this.#author, ...identity, ...args);
    switch (way) {
      case "merge":
        run("merge", "--quiet", "--no-ff", "-m", "merge", head);
        break;
      case "squash":
        run("merge", "--quiet", "--squash", head);
        run("commit", "--quiet", "-m", "squashed");
        break;
      case "rebase":
        run("cherry-pick", `HEAD..${head}`);
        break;
      case "fast-forward":
        // The branch has merged main into itself, so that main is not on its first line.
        run("checkout", "--quiet", "--detach", head);
        run("merge", "--quiet", "--no-ff", "-m", "catch up", "origin/main");
        break;
    }
    git(this.#author, "push", "--quiet", "origin", `HEAD:refs/heads/${into}`);
    return git(this.#author, "rev-parse", "HEAD");
  }

  /** Commits to main without a review; gives the commit. */
  pushDirectly(files: Readonly<Record<string, string | null>>): string {
    this.#toMain();
    const commit = this.#commit(files, "direct");
    git(this.#author, "push", "--quiet", "origin", "HEAD:main");
    return commit;
  }

  /** The text of a file of a branch or commit, or undefined. */
  read(ref: string, file: string): string | undefined {
    try {
      return git(this.remote, "show", `${ref}:${file}`);
    } catch {
      return undefined;
    }
  }

  /** Makes a clone of a commit, as a CI does; it goes with the test. */
  checkOut(ref: string, depth: number): string {
    const folder = mkdtempSync(join(this.folder, "job-"));
    git(folder, "init", "--quiet");
    git(folder, "remote", "add", "origin", this.url);
    const shallow = depth > 0 ? [`--depth=${depth}`] : [];
    git(folder, "fetch", "--quiet", "--no-tags", ...shallow, "origin", ref);
    git(folder, "checkout", "--quiet", "--detach", "FETCH_HEAD");
    return folder;
  }

  #toMain(): void {
    git(this.#author, "fetch", "--quiet", "origin");
    git(this.#author, "checkout", "--quiet", "--detach", "origin/main");
  }

  #commit(files: Readonly<Record<string, string | null>>, message: string): string {
    for (const [file, text] of Object.entries(files)) {
      const path = join(this.#author, file);
      if (text === null) rmSync(path);
      else {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
    }
    git(this.#author, "add", "--all");
    git(this.#author, ...identity, "commit", "--quiet", "--allow-empty", "-m", message);
    return git(this.#author, "rev-parse", "HEAD");
  }
}

/** Has the remote decide on each push of some branches with a script. */
export function guardBranches({ remote }: Repository, script: string, pattern = "main"): void {
  const hook = join(remote, "hooks", "update");
  writeFileSync(hook, `#!/bin/sh\ncase "$1" in refs/heads/${pattern}) ;; *) exit 0 ;; esac\n${script}\n`);
  chmodSync(hook, 0o755);
}
