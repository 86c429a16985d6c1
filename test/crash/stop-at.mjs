/**
 * Preloaded into a process of the command line: stops it at once, as SIGSTOP does from outside, when it has linked a
 * file to its place, such as the holder of a store, the first time. `STOP_AFTER=FILE`, or how its path begins.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { linkSync } = fs;
let isStopped = false;
fs.linkSync = (from, to) => {
  linkSync(from, to);
  if (isStopped || !to.startsWith(process.env.STOP_AFTER)) return;
  isStopped = true;
  process.kill(process.pid, "SIGSTOP");
};
syncBuiltinESMExports();
