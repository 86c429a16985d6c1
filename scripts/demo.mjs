/**
 * Shows agentform at work: builds it, then plans and applies a copy of examples/support-desk against the
 * emulator, and plans once more. Fails if a command fails, or if the second plan still has changes.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const commands = [
  ["plan", "--emulator"],
  ["apply", "--emulator", "--yes"],
  // With this option, the exit code is 2 if there are changes left.
  ["plan", "--emulator", "--detailed-exitcode"],
];

const folder = mkdtempSync(join(tmpdir(), "agentform-demo-"));
try {
  cpSync(join(home, "examples/support-desk"), folder, {
    recursive: true,
    filter: (file) => !file.startsWith(join(home, "examples/support-desk/.agentform")),
  });
  process.exitCode = isDone("scripts/build.mjs", []) && commands.every(runShown) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function runShown(command) {
  console.log(`\n$ agentform ${command.join(" ")}\n`);
  return isDone("dist/cli.js", command);
}

function isDone(script, args) {
  const { status } = spawnSync(process.execPath, [join(home, script), ...args], {
    cwd: folder,
    stdio: "inherit",
  });
  if (status !== 0) console.error(`\nThe demo failed: ${script} ended with ${status ?? "a signal"}.`);
  return status === 0;
}
