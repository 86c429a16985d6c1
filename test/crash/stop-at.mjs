/**
 * Preloaded into a process of the command line: stops it at once, as SIGSTOP does from outside, when it has linked a
 * file to its place, such as the holder of a store. `STOP_AFTER=FILE`
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { linkSync } = fs;
fs.linkSync = (from, to) => {
  linkSync(from, to);
  if (to === process.env.STOP_AFTER) process.kill(process.pid, "SIGSTOP");
};
syncBuiltinESMExports();
