import { spawn, type ChildProcess } from "node:child_process";

/** Git could not answer: it is not installed, this is no repository, or there is no such commit. */
export class GitError extends Error {
  override readonly name = "GitError";
}

/** What a run of git is given beside its arguments. */
export interface GitInput {
  /** What it reads from its standard input; nothing unless given. */
  readonly stdin?: string;
  /** After how many milliseconds it is ended; a minute unless given. */
  readonly timeout?: number;
  /** Variables of its environment that win over this process's. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** How a run of git ended. */
export interface GitOutcome {
  /** The exit code; null where it was ended from outside. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly isTimedOut: boolean;
}

// No hook of the repository runs, and nothing is tidied up behind the user's back.
const settings = ["core.hooksPath=/dev/null", "gc.auto=0", "maintenance.auto=false"];

// Set where git itself started this process, and then they may mean another repository than the folder's.
const foreign = [
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_PREFIX",
  "GIT_COMMON_DIR",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_QUARANTINE_PATH",
  "GIT_NAMESPACE",
];

/** Runs git in a folder to its end, whatever that is; throws GitError only where git cannot be started. */
export async function startGit(
  directory: string,
  args: readonly string[],
  { stdin = "", timeout = 60_000, environment = {} }: GitInput = {},
): Promise<GitOutcome> {
  const given = settings.flatMap((setting) => ["-c", setting]);
  // A group of its own: an interrupt from the terminal is this process's to answer, and a time-out ends all of it.
  const child = spawn("git", ["-C", directory, ...given, ...args], {
    env: { ...surroundings(), ...environment },
    stdio: ["pipe", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  // Git may end before it has read everything; its exit code tells.
  child.stdin.on("error", () => undefined);
  child.stdin.end(stdin);
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    endGroup(child);
    // A helper of git's that left the group may keep these open for as long as it likes.
    child.stdout.destroy();
    child.stderr.destroy();
  }, timeout);
  try {
    const code = await ending(child);
    return { code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString(), isTimedOut };
  } finally {
    clearTimeout(timer);
  }
}

function ending(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", (thrown: NodeJS.ErrnoException) => {
      const message = thrown.code === "ENOENT" ? "git is not installed" : "git could not be started";
      reject(new GitError(message));
    });
    child.once("close", (code) => resolve(code));
  });
}

function surroundings(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !foreign.includes(name));
  return {
    ...Object.fromEntries(inherited),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GCM_INTERACTIVE: "never",
    GIT_OPTIONAL_LOCKS: "0",
  };
}

function endGroup(child: ChildProcess): void {
  try {
    if (child.pid === undefined || process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended by itself in the meantime.
  }
}
