import { runProcess } from "./main.js";

// The build puts the page beside the command line.
await runProcess(new URL("diagnostics.html", import.meta.url));
