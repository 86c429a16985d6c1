import fc from "fast-check";
import { isWhole, runs } from "./tier.js";

// The same examples every time, so that a run tells something about the change and not about luck; a soak sets
// another seed.
const percent = runs("percent of the examples", 5, 100);

fc.configureGlobal({ seed: Number(process.env["AGENTFORM_SEED"] ?? 20_261_120), numRuns: percent });

/** Gives how many examples of a property are tried, of so many in a whole run. */
export function examples(all: number): number {
  return isWhole ? all : Math.ceil((all * percent) / 100);
}

export { fc };
