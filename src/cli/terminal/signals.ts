import { exitCode } from "../exit-code.js";
import type { Terminal } from "./terminal.js";

/** Watches for a person or a machine that wants the command to end. */
export interface Signals {
  /** Aborted at the first signal: start nothing new. */
  readonly drain: AbortSignal;
  stop(): void;
}

/** The first SIGINT or SIGTERM drains, the second ends the process at once; the journal has everything. */
export function watchSignals(terminal: Terminal): Signals {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(exitCode.interrupted);
    controller.abort();
    terminal.err("Interrupted: what is under way finishes, nothing new starts. Once more stops at once.\n");
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    drain: controller.signal,
    stop() {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}
