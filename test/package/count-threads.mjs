import { subscribe } from "node:diagnostics_channel";
import { writeSync } from "node:fs";

// Loaded before everything else. Who begins a thread tells, for a thread may be ended before it has come to this.
subscribe("worker_threads", () => writeSync(2, "a thread began\n"));
