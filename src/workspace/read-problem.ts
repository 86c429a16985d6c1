import type { Sentence } from "../core/finding/said.js";
import type { Code } from "../core/finding/diagnostic.js";

/** Why a file cannot be read as text. */
export interface ReadProblem {
  readonly code: Code;
  readonly message: Sentence;
  readonly hint?: Sentence;
}
