/**
 * Preloaded into a process of the command line: kills it just after its Nth change of a file below a folder.
 * `KILL_AT=N KILL_BELOW=DIR`; with N = 0 it only counts, and prints the count on standard error when the process
 * ends. A sync is no change: what is there is the same. With `KILL_LOSES=all|data` the machine loses its power just
 * before its Nth sync, and what was not synced is gone; until the next sync there is nothing else to lose. With
 * `KILL_KEEPS=1` it lives: at each such moment it says so on descriptor 3, waits for the name of a copy of the folder,
 * and goes on; what a power cut loses is lost in the copy.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { watchUnsynced } from "./power-cut.mjs";

const { KILL_AT = "0", KILL_BELOW = "/", KILL_LOSES, KILL_KEEPS } = process.env;
const at = Number(KILL_AT);
let changes = 0;

const losePower = KILL_LOSES === undefined ? () => undefined : watchUnsynced(KILL_BELOW, KILL_LOSES);
let isDying = false;

const die = () => {
  isDying = true;
  if (KILL_KEEPS !== undefined) {
    fs.writeSync(3, ".");
    const name = Buffer.alloc(4096);
    losePower(name.toString("utf8", 0, fs.readSync(3, name)));
    isDying = false;
    return;
  }
  losePower(KILL_BELOW);
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

const changing = [
  "writeSync",
  "writeFileSync",
  "renameSync",
  "linkSync",
  "unlinkSync",
  "rmSync",
  "ftruncateSync",
];

const isNext = (file) => !isDying && isBelow(file) && (++changes === at || KILL_KEEPS !== undefined);

if (KILL_LOSES === undefined) {
  for (const name of changing) {
    const original = fs[name];
    fs[name] = (file, ...rest) => {
      const counts = isNext(file);
      try {
        return original(file, ...rest);
      } finally {
        if (counts) die();
      }
    };
  }
} else {
  for (const name of ["fsyncSync", "fdatasync"]) {
    const original = fs[name];
    fs[name] = (fd, ...rest) => {
      if (isNext(fd)) die();
      return original(fd, ...rest);
    };
  }
}
syncBuiltinESMExports();
process.once("exit", () => fs.writeFileSync(2, `changes: ${changes}\n`));
