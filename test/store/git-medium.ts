import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { onTestFinished } from "vitest";
import type { LockStore } from "../../src/core/state/lock-store.js";
import { createGitStore, type GitStoreOptions } from "../../src/store/git/git-store.js";
import { needProgram } from "../harness/need.js";

/** The ref that the tests keep their state on. */
export const ref = "refs/agentform/test/default";

/** A bare repository that clones are made of, all removed when the test is over. */
export interface GitMedium {
  readonly folder: string;
  readonly remote: string;
  /** Makes a clone, which takes no process while the remote has the branch that it has at first. */
  clone(name: string): string;
}

/** Runs git in a folder as its user would. */
export function git(directory: string, ...args: string[]): string {
  needProgram("git");
  const user = ["-c", "user.name=Tester", "-c", "user.email=tester@example.com"];
  return execFileSync("git", ["-C", directory, ...user, ...args], { encoding: "utf8", stdio: "pipe" }).trim();
}

/** Gives the arguments of each git that this process starts while something runs, until the test is over. */
export async function gitCallsOf(run: () => Promise<unknown>): Promise<string[]> {
  const bin = mkdtempSync(join(tmpdir(), "git-"));
  const before = process.env.PATH ?? "";
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
  const script = `#!/bin/sh\necho " $* " >>'${bin}/log'\nPATH='${before}' exec git "$@"\n`;
  writeFileSync(join(bin, "git"), script, { mode: 0o755 });
  writeFileSync(join(bin, "log"), "");
  process.env.PATH = `${bin}:${before}`;
  try {
    await run();
  } finally {
    process.env.PATH = before;
  }
  return readFileSync(join(bin, "log"), "utf8").trim().split("\n");
}

let template = "";

// Made once: each medium has a copy of its own, which takes no process.
function templateRemote(): string {
  if (template !== "") return template;
  const folder = mkdtempSync(join(tmpdir(), "agentform-git-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const remote = join(folder, "remote.git");
  git(folder, "init", "-q", "--bare", "-b", "main", remote);
  // After each push git would start a process that finds nothing to do.
  git(remote, "config", "receive.autogc", "false");
  const first = join(folder, "first");
  execFileSync("git", ["clone", "-q", remote, first], { stdio: "pipe" });
  git(first, "checkout", "-q", "-b", "main");
  git(first, "commit", "-q", "--allow-empty", "-m", "first");
  git(first, "push", "-q", "origin", "main");
  execFileSync("git", ["clone", "-q", remote, join(folder, "clone")], { stdio: "pipe" });
  return (template = remote);
}

/** Makes a bare remote with one commit on its branch. */
export function makeGitMedium(): GitMedium {
  const folder = mkdtempSync(join(tmpdir(), "agentform-git-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const remote = join(folder, "remote.git");
  cpSync(templateRemote(), remote, { recursive: true });
  return {
    folder,
    remote,
    clone(name) {
      const [from, directory] = [templateRemote(), join(folder, name)];
      if (branchesOf(remote) !== branchesOf(from)) {
        execFileSync("git", ["clone", "-q", remote, directory]);
        return directory;
      }
      cpSync(join(dirname(from), "clone"), directory, { recursive: true });
      const config = join(directory, ".git", "config");
      writeFileSync(config, readFileSync(config, "utf8").replace(from, remote));
      return directory;
    },
  };
}

// What a clone takes of a remote.
function branchesOf(remote: string): string {
  const files = ["refs/heads", "refs/tags"].flatMap((folder) =>
    readdirSync(join(remote, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(remote, join(entry.parentPath, entry.name))),
  );
  if (existsSync(join(remote, "packed-refs"))) files.push("packed-refs");
  return JSON.stringify(files.toSorted().map((file) => [file, readFileSync(join(remote, file), "utf8")]));
}

/** Opens a store in a clone; progress is pushed at once and nothing is waited for long unless told otherwise. */
export function openGitStore(directory: string, options: Partial<GitStoreOptions> = {}): LockStore {
  const journalName = ".agentform/default.journal";
  return createGitStore({
    directory,
    remote: "origin",
    ref,
    journalFile: join(directory, journalName),
    journalName,
    pushInterval: 60_000,
    patience: 0,
    timeout: 600_000,
    ...options,
  });
}

/** Brings all refs of agentform into a clone, as the documentation tells to. */
export function fetchState(directory: string): void {
  git(directory, "fetch", "-q", "origin", "refs/agentform/*:refs/agentform/*");
}
