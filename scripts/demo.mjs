/**
 * Shows agentform at work: builds it, then plans and applies a copy of an example against the emulator, in each of its
 * environments, and plans once more. Fails if a command fails, or if the second plan still has changes.
 *
 *   npm run demo             examples/support-desk
 *   npm run demo -- fleet    examples/fleet
 *   npm run demo -- --full   a service that can be asked, see demo-full.mjs
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { demoFull } from "./demo-full.mjs";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const environments = {
  "support-desk": [[]],
  fleet: [
    ["-e", "staging"],
    ["-e", "production"],
  ],
};
const [name = "support-desk"] = process.argv.slice(2);
if (name === "--full") process.exit(isDone("scripts/build.mjs", [], home) && (await demoFull()) ? 0 : 1);
if (!Object.hasOwn(environments, name)) {
  console.error(`There is no demo of ${name}; there is one of ${Object.keys(environments).join(" and ")}.`);
  process.exit(64);
}
const commands = environments[name].flatMap((environment) => [
  ["plan", "--emulator", ...environment],
  ["apply", "--emulator", "--yes", ...environment],
  // With this option, the exit code is 2 if there are changes left.
  ["plan", "--emulator", "--detailed-exitcode", ...environment],
]);

const source = join(home, "examples", name);
const folder = mkdtempSync(join(tmpdir(), "agentform-demo-"));
try {
  cpSync(source, folder, {
    recursive: true,
    filter: (file) => !file.startsWith(join(source, ".agentform")),
  });
  process.exitCode = isDone("scripts/build.mjs", []) && commands.every(runShown) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function runShown(command) {
  console.log(`\n$ agentform ${command.join(" ")}\n`);
  return isDone("dist/cli.js", command);
}

function isDone(script, args, cwd = folder) {
  const { status } = spawnSync(process.execPath, [join(home, script), ...args], {
    cwd,
    stdio: "inherit",
  });
  if (status !== 0) console.error(`\nThe demo failed: ${script} ended with ${status ?? "a signal"}.`);
  return status === 0;
}
