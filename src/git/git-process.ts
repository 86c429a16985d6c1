import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import type { GitCall } from "./git-call.js";

/** Git gave no answer: it is not installed, there is no repository, or there is no such commit. */
export class GitError extends Error {
  override readonly name = "GitError";
}

/** Git is not installed. */
export class GitMissingError extends GitError {
  constructor() {
    super("git is not installed");
  }
}

/** Git lacks objects of its history, as in a partial clone, or has only pointers of Git LFS; nothing is fetched. */
export class GitObjectsError extends GitError {
  constructor() {
    super(
      "this clone does not have all objects of its history, as after `git clone --filter` or with Git LFS",
    );
  }
}

/** The input of a run of git beside its arguments. */
export interface GitInput {
  /** Its standard input; empty unless given. */
  readonly stdin?: string;
  /** The most that it may answer, in bytes; what a text can have unless given. */
  readonly most?: number;
  /** The time-out in milliseconds; a minute unless given. */
  readonly timeout?: number;
  /** Environment variables that override those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** How a run of git ended. */
export interface GitOutcome {
  /** The exit code; null if a signal ended it. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly isTimedOut: boolean;
}

/** Says why git failed. */
export function failureOf({ stderr, isTimedOut }: GitOutcome): GitError {
  if (/lazy fetching disabled|promisor remote/.test(stderr)) return new GitObjectsError();
  const said = stderr.split("\n").find((line) => line !== "" && !line.startsWith("warning: "));
  return new GitError(isTimedOut ? "git did not end in time" : (said ?? "git failed"));
}

/** The largest answer or object that is read as a text, in bytes; the limit of V8 is 536 million characters. */
export const largestText = 500_000_000;

/** The most that is kept of what it says beside that: a hook of a remote may say anything. */
const mostSaid = 2 ** 24;

/** Runs git to its end, successful or not; throws GitError if it cannot be started, or says more than can be read. */
export async function spawnGit(
  { program, args, env }: GitCall,
  { stdin = "", most = largestText, timeout = 60_000, environment = {} }: GitInput = {},
): Promise<GitOutcome> {
  if (program === undefined) throw new GitMissingError();
  // A process group of its own: an interrupt from the terminal is for this process, and a time-out ends the group.
  const child = spawn(program, args, {
    env: { ...env, ...environment },
    stdio: ["pipe", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  let [bytes, said] = [0, 0];
  child.stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= most) return void stdout.push(chunk);
    stdout.length = 0;
    end();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.length;
    if (said <= mostSaid) stderr.push(chunk);
  });
  // Git may end before it has read everything; its exit code says how it went.
  child.stdin.on("error", () => undefined);
  child.stdin.end(stdin);
  const end = () => {
    endGroup(child);
    // A helper of git that left the group may keep these open for any length of time.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    end();
  }, timeout);
  try {
    const code = await ending(child);
    if (bytes > most) throw new GitError(`git answers with more than ${Math.floor(most / 1_000_000)} MB`);
    return { code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString(), isTimedOut };
  } finally {
    clearTimeout(timer);
  }
}

/** Does the same synchronously. */
export function spawnGitSync({ program, args, env }: GitCall): GitOutcome {
  if (program === undefined) throw new GitMissingError();
  const timeout = 60_000;
  const options = { env, input: "", timeout, maxBuffer: largestText, windowsHide: true };
  const { status, stdout, stderr, error } = spawnSync(program, args, options);
  const thrown: NodeJS.ErrnoException | undefined = error;
  const isTimedOut = thrown?.code === "ETIMEDOUT";
  if (thrown && !isTimedOut) throw failedStart(thrown);
  return { code: status, stdout, stderr: stderr.toString(), isTimedOut };
}

function ending(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", (thrown) => reject(failedStart(thrown)));
    child.once("close", (code) => resolve(code));
  });
}

function failedStart(thrown: NodeJS.ErrnoException): GitError {
  return thrown.code === "ENOENT" ? new GitMissingError() : new GitError("git could not be started");
}

function endGroup(child: ChildProcess): void {
  try {
    if (child.pid === undefined || process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}
