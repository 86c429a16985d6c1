import type { ApplyEvent } from "../../core/apply/apply-event.js";
import type { Slowdown } from "../../core/observation/service.js";

/** Shows the progress of an apply on standard error; an ended action always gives a line. */
export interface Progress {
  event(event: ApplyEvent): void;
  pace(slowdown: Slowdown): void;
  /** Writes whole lines to standard error, above the progress display. */
  print(text: string): void;
  /** Removes the progress display. */
  end(): void;
}
