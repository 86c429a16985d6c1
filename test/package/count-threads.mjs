import { writeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

// Loaded before everything else in every thread of a process; a thread's own standard error comes too late.
if (!isMainThread) writeSync(2, "a thread began\n");
