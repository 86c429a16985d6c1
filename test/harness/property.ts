import fc from "fast-check";
import { isWhole, runs } from "./tier.js";

// The same examples every time, so that a run tells something about the change and not about luck; a soak sets
// another seed.
const percent = runs("percent of the examples", 3, 100);

fc.configureGlobal({ seed: Number(process.env["AGENTFORM_SEED"] ?? 20_261_120), numRuns: percent });

/** Gives how many examples of a property are tried, of so many in a whole run. */
export function examples(all: number): number {
  return isWhole ? all : Math.ceil((all * percent) / 100);
}

const [firstSurrogate, surrogates] = [0xd800, 0x800];

/**
 * Any character of Unicode, as a `unit` of strings. It gives what fast-check's `binary` gives, which takes a second of
 * the processor and a hundred megabytes in each process, for a map of all characters.
 */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - surrogates }).map(
  (index) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogates),
  (character) => {
    const code = typeof character === "string" ? character.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== character)
      throw new TypeError("not a character");
    return code < firstSurrogate ? code : code - surrogates;
  },
);

export { fc };
