import { RE2JS, RE2JSException, RE2JSSyntaxException } from "re2js";
import type { Work } from "./work.js";

/** A pattern that cannot be used, and why. */
export class PatternProblem extends Error {
  constructor(
    readonly pattern: string,
    readonly reason: string,
  ) {
    super(reason);
  }
}

// A pattern that is compiled to more is slow for every character.
const largestProgram = 2000;
const tooLarge = "it repeats too much";

/** Makes patterns that take time in proportion to the text, and count it. */
export function patternEngine(work: Work) {
  const make = (pattern: string) => {
    const compiled = compile(pattern);
    const cost = 1 + Math.ceil(compiled.programSize() / 16);
    return {
      test(text: string): boolean {
        work.spend(1 + ((text.length * cost) >> 2));
        return compiled.test(text);
      },
      toString: () => pattern,
    };
  };
  return Object.assign(make, { code: "pattern" });
}

function compile(pattern: string): RE2JS {
  let compiled;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (thrown) {
    if (!(thrown instanceof RE2JSException)) throw thrown;
    const isSyntax = thrown instanceof RE2JSSyntaxException;
    throw new PatternProblem(pattern, isSyntax ? thrown.getDescription() : tooLarge);
  }
  if (compiled.programSize() > largestProgram) throw new PatternProblem(pattern, tooLarge);
  return compiled;
}
