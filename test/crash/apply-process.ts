import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { join, resolve } from "node:path";
import { Duplex } from "node:stream";
import { inject } from "vitest";
import { needFile } from "../harness/need.js";

/** How a process of the installed command line ended; no code if it was killed. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** An apply in a process of its own. */
export interface ApplyProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  /** What it has said on standard error until now. */
  readonly stderr: () => string;
}

/** How an apply is started. */
export interface Start {
  /** The command; `apply` unless given. */
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** A file beside this one that is loaded into the process first. */
  readonly preload?: string;
  /** With `kill-at.mjs`: copies what there is at each of its moments, instead of a death, and names the copy. */
  readonly keep?: () => Promise<string>;
}

/** Starts `apply` of a workspace whose service is reached at an address that its lock knows by another name. */
export function startApply(
  directory: string,
  { command = ["apply", "--service-moved"], args = ["--yes"], env = {}, preload, keep }: Start = {},
): ApplyProcess {
  const cli = join(inject("installed"), "node_modules/agentform/dist/cli.js");
  // What is preloaded knows a file by its descriptor.
  if (preload !== undefined) needFile("/proc/self/fd");
  const before = preload === undefined ? [] : ["--import", resolve("test/crash", preload)];
  const { PATH, HOME } = process.env;
  const child = spawn(
    process.execPath,
    // What a cache writes would be further moments to die at, and other ones in each run.
    [...before, cli, ...command, "--no-cache", "-C", directory, ...args],
    {
      env: {
        PATH,
        HOME,
        AGENT_API_KEY: "key",
        PROVIDER_KEY: "key",
        ...env,
        ...(keep && { KILL_KEEPS: "1" }),
      },
      stdio: ["pipe", "pipe", "pipe", keep ? "pipe" : "ignore"],
    },
  ) as ChildProcessWithoutNullStreams;
  if (keep) answerMoments(child, keep);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.on("error", () => undefined);
  const ended = new Promise<Ended>((done) => {
    child.once("close", (code) => done({ code, stdout, stderr }));
  });
  return { child, ended, stderr: () => stderr };
}

function answerMoments(child: ChildProcessWithoutNullStreams, keep: () => Promise<string>): void {
  const line = child.stdio[3];
  if (!(line instanceof Duplex)) throw new Error("a process has no fourth stream");
  const answer = async () => {
    try {
      line.write(await keep());
    } catch (thrown) {
      child.kill("SIGKILL");
      throw thrown;
    }
  };
  line.on("data", () => void answer());
}

/** Which calls of the machine fail below a folder, and from which on. */
export interface Failing {
  readonly call: string;
  readonly code: string;
  readonly at: number;
  /** Whether all calls after it fail as well. */
  readonly isLasting?: boolean;
}

/** Runs a command whose calls fail; gives how it ended, and how many such calls it made. */
export async function runFailing(
  directory: string,
  { call, code, at, isLasting = false }: Failing,
  start: Start = {},
): Promise<Ended & { readonly calls: number }> {
  const env = {
    FAIL_CALL: call,
    FAIL_AT: String(at),
    FAIL_CODE: code,
    FAIL_BELOW: directory,
    ...(isLasting && { FAIL_ON: "1" }),
  };
  const ended = await startApply(directory, { ...start, preload: "fail-at.mjs", env }).ended;
  return { ...ended, calls: Number(/^calls: (\d+)$/m.exec(ended.stderr)?.[1]) };
}
