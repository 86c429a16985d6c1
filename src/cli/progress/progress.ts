import type { ApplyEvent } from "../../core/apply/apply.js";
import type { Slowdown } from "../../core/apply/service.js";

/** Shows how an apply goes, on standard error; an end of an action is a line everywhere. */
export interface Progress {
  event(event: ApplyEvent): void;
  pace(slowdown: Slowdown): void;
  /** Writes whole lines to standard error, above what is drawn. */
  print(text: string): void;
  /** Takes away what is drawn. */
  end(): void;
}
