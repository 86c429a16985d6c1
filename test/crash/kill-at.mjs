/**
 * Preloaded into a process of the command line: kills it just before, or just after, its Nth change of a file
 * below a folder. `KILL_AT=N KILL_WHEN=before|after KILL_BELOW=DIR`; with N = 0 it only counts, and prints the
 * count on standard error when the process ends. With `KILL_LOSES=all|data` the machine loses its power as
 * well, and what was not synced is gone.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { watchUnsynced } from "./power-cut.mjs";

const { KILL_AT = "0", KILL_WHEN = "before", KILL_BELOW = "/", KILL_LOSES } = process.env;
const at = Number(KILL_AT);
let changes = 0;

const losePower = KILL_LOSES === undefined ? () => undefined : watchUnsynced(KILL_BELOW, KILL_LOSES);
let isDying = false;

const die = () => {
  isDying = true;
  losePower();
  process.kill(process.pid, "SIGKILL");
};

const isBelow = (file) => {
  if (typeof file === "string") return file.startsWith(KILL_BELOW);
  try {
    return fs.readlinkSync(`/proc/self/fd/${file}`).startsWith(KILL_BELOW);
  } catch {
    return false;
  }
};

for (const name of [
  "writeSync",
  "writeFileSync",
  "fsyncSync",
  "renameSync",
  "linkSync",
  "unlinkSync",
  "rmSync",
  "ftruncateSync",
]) {
  const original = fs[name];
  fs[name] = (file, ...rest) => {
    const counts = !isDying && isBelow(file) && ++changes === at;
    if (counts && KILL_WHEN === "before") die();
    try {
      return original(file, ...rest);
    } finally {
      if (counts) die();
    }
  };
}
const { fdatasync } = fs;
fs.fdatasync = (fd, done) => {
  const counts = isBelow(fd) && ++changes === at;
  if (counts && KILL_WHEN === "before") die();
  fdatasync(fd, (fault) => {
    if (counts) die();
    done(fault);
  });
};
syncBuiltinESMExports();
process.once("exit", () => fs.writeFileSync(2, `changes: ${changes}\n`));
