/** The built command line for the measurements: a copy, so that a rebuild does not change it meanwhile. */
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cleanEnvironment } from "./environment.mjs";
import { run } from "./measure.mjs";

/** Copies the build in `home` into `scratch`; gives the commands, and the environment to run them in. */
export function copyAgentform(home, scratch) {
  const copy = join(scratch, "agentform");
  mkdirSync(copy);
  cpSync(join(home, "dist"), join(copy, "dist"), { recursive: true });
  cpSync(join(home, "package.json"), join(copy, "package.json"));
  const cli = join(copy, "dist/cli.js");
  const env = { ...cleanEnvironment(), XDG_CACHE_HOME: join(scratch, "cache"), AGENT_API_KEY: "key" };
  const agentform = (...args) => ({ args: [process.execPath, cli, ...args], env });
  return {
    env,
    languageServer: () => agentform("language-server"),
    version: () => agentform("--version"),
    completion: (...more) => agentform("completion", ...more),
    plan: (directory, ...more) => agentform("plan", "--emulator", "-C", directory, ...more),
    lockList: (directory) => agentform("lock", "list", "--format", "json", "-C", directory),
    on: (directory, ...command) => agentform(...command, "-C", directory),
    validate: (directory, ...more) => agentform("validate", "-C", directory, ...more),
    apply: (directory, concurrency, ...more) =>
      agentform("apply", "--yes", "--concurrency", String(concurrency), "-C", directory, ...more),
  };
}

/** Applies a workspace to the emulator, untimed. */
export async function applyToEmulator({ apply }, directory) {
  const { args, env } = apply(directory, 16, "--emulator");
  await run(args, env);
}

/** Removes everything that an apply has left in a workspace. */
export function forgetApplied(directory) {
  for (const name of ["agentform.lock", "agentform.lock.journal", ".agentform"]) {
    rmSync(join(directory, name), { recursive: true, force: true });
  }
}
