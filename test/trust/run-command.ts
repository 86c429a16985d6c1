import { join } from "node:path";
import { expect, inject } from "vitest";
import { main } from "../../src/cli/main.js";
import { isWhole } from "../harness/tier.js";
import { runCli, type CliResult } from "../package/run-cli.js";

/** Where and with which secrets a command is run. */
interface Place {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** What the installed command line was asked already. */
const asked = new Set<string>();

/**
 * Runs a command line of which only the result matters, from the sources in this process. In a whole run the installed
 * one does it in a process of its own where a test file gives this command these variables for the first time: what
 * differs between the others is what the command reads, while a variable may be read by a library as well.
 */
export async function runCommand(args: readonly string[], { cwd, env = {} }: Place): Promise<CliResult> {
  if (isWhole && isNew(args, env)) return await runCli(args, { cwd, env });
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

function isNew(args: readonly string[], env: NodeJS.ProcessEnv): boolean {
  const [command, more = ""] = args;
  const words = command === "lock" ? [command, more] : [command];
  const key = JSON.stringify([expect.getState().testPath, words, Object.keys(env).toSorted()]);
  if (asked.has(key)) return false;
  asked.add(key);
  return true;
}
