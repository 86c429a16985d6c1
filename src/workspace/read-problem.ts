import type { Code } from "../core/finding/diagnostic.js";

/** Why a file gives no text. */
export interface ReadProblem {
  readonly code: Code;
  readonly message: string;
  readonly hint?: string;
}
