import { join } from "node:path";
import { inject } from "vitest";
import { main } from "../../src/cli/main.js";
import { isWhole } from "../harness/tier.js";
import { runCli, type CliResult } from "../package/run-cli.js";

/** Where and with which secrets a command is run. */
interface Place {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Runs a command line of which only the result matters: the installed one in a process of its own in a whole
 * run, and in a sample, which has little time for processes, the same from the sources in this process.
 */
export async function runCommand(args: readonly string[], { cwd, env = {} }: Place): Promise<CliResult> {
  if (isWhole) return await runCli(args, { cwd, env });
  const { PATH, HOME } = process.env;
  const XDG_CACHE_HOME = join(inject("installed"), "cache");
  let stdout = "";
  let stderr = "";
  const code = await main(args, {
    env: { PATH, HOME, XDG_CACHE_HOME, ...env },
    cwd,
    isTerminal: false,
    canAsk: false,
    showsProgress: false,
    out: (text) => (stdout += text),
    err: (text) => (stderr += text),
  });
  return { code, stdout, stderr };
}
