import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { onTestFinished } from "vitest";
import { validatorsForEsbuild } from "../../scripts/validators.mjs";
import { ref } from "./git-medium.js";

/**
 * Lets a process take the store of a clone and flush lines, a group at a time, then kills it. Nothing is pushed
 * in the background meanwhile.
 */
export async function dieHolding(directory: string, lines: string[][]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "agentform-runner-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, "runner.mjs");
  const entryPoints = [join(import.meta.dirname, "git-runner.ts")];
  const plugins = [validatorsForEsbuild()];
  await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", plugins });
  const journalName = ".agentform/default.journal";
  const journalFile = join(directory, journalName);
  const options = { directory, remote: "origin", ref, journalFile, journalName, pushInterval: 60_000, lines };
  const child = spawn(process.execPath, [outfile, JSON.stringify(options)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exit = once(child, "exit");
  await Promise.race([
    once(child, "message"),
    exit.then(() => {
      throw new Error("the runner ended by itself");
    }),
  ]);
  child.kill("SIGKILL");
  await exit;
}
