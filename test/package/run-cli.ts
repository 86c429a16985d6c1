import { spawn } from "node:child_process";
import { join } from "node:path";
import { inject } from "vitest";

/** How a run of the command line ended. */
export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where and with what the command line is run. */
export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** After how many milliseconds it is killed, so that the code is null; never unless given. */
  readonly timeout?: number;
}

/** Runs the installed command line in a process of its own, without the secrets and settings of this one. */
export async function runCli(
  args: readonly string[],
  { cwd, env = {}, timeout }: RunOptions = {},
): Promise<CliResult> {
  const bin = join(inject("installed"), "node_modules/.bin/agentform");
  const { PATH, HOME } = process.env;
  const XDG_CACHE_HOME = join(inject("installed"), "cache");
  const child = spawn(bin, args, {
    cwd,
    env: { PATH, HOME, XDG_CACHE_HOME, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    ...(timeout !== undefined && { timeout, killSignal: "SIGKILL" as const }),
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return { code, stdout, stderr };
}
