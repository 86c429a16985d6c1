import { exitCode } from "../exit-code.js";
import type { Terminal } from "./terminal.js";

/** Watches for a request to end the command, from a person or a machine. */
export interface Signals {
  /** Aborted at the first signal: nothing new is started. */
  readonly drain: AbortSignal;
  stop(): void;
}

/** The first SIGINT or SIGTERM lets requests in flight finish, the second ends the process at once; the journal has everything. */
export function watchSignals(terminal: Terminal): Signals {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(exitCode.interrupted);
    controller.abort();
    terminal.err(
      "Interrupted: requests in flight finish, nothing new starts. Interrupt again to stop at once.\n",
    );
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
