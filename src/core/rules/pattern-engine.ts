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

// What it takes to compile a pattern, in looks at a value: one with classes of letters takes longest for its length.
const unitsPerCharacter = 300;
const unitsPerStep = 20;
const unitsOfRefusal = 1_000_000;

/** Makes patterns that take time in proportion to the text, and count it, as well as what it took to make them. */
export function patternEngine(work: Work) {
  let cost = 0;
  const make = (pattern: string) => {
    const compiled = compiledAt((units) => (cost += units), pattern);
    const perCharacter = 1 + Math.ceil(compiled.programSize() / 16);
    return {
      test(text: string): boolean {
        work.spend(1 + ((text.length * perCharacter) >> 2));
        return compiled.test(text);
      },
      toString: () => pattern,
    };
  };
  return { make: Object.assign(make, { code: "pattern" }), cost: () => cost };
}

function compiledAt(pay: (units: number) => void, pattern: string): RE2JS {
  pay(unitsOfRefusal);
  const compiled = compile(pattern);
  pay(pattern.length * unitsPerCharacter + compiled.programSize() * unitsPerStep - unitsOfRefusal);
  return compiled;
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
