import { mapTexts } from "../../json/texts.js";
import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { say } from "../finding/said.js";
import type { Path } from "../../json/path.js";
import { escapeLiteral, type Expression } from "./expression.js";
import type { Json } from "../../json/json.js";

/** A reference or a secret that stays in a body until the apply. */
export interface Use {
  readonly expression: Expression;
  /** The path of the value in the substituted value. */
  readonly path: Path;
  readonly place: Place;
}

/** The path of a value, and the data file whose content it is. */
export interface DataOrigin {
  readonly path: Path;
  readonly file: string;
  /** Where the value is in the file, if it is not all of it. */
  readonly at?: Path;
}

/** What a value holds, by paths in it. */
export interface Parts {
  readonly uses: Use[];
  /** Paths whose content came from an included file, which messages must not quote. */
  readonly included: Path[];
  /** The data files that values at some paths are from. */
  readonly origins: DataOrigin[];
  /** Paths where something could not be resolved; they keep the text of the expression. */
  readonly unresolved: Path[];
}

/** What a value without expressions holds. */
export function noParts(): Parts {
  return { uses: [], included: [], origins: [], unresolved: [] };
}

/** A value with files and variables resolved, references and secrets symbolic. */
export interface Substituted extends Parts {
  readonly value: Json;
  readonly findings: Finding[];
  /** The files that were included, each as often as it was. */
  readonly files: string[];
}

/** A missing value. */
export function nothingSubstituted(): Substituted {
  // Written out, for V8 takes more time and memory for what is spread, and each value of a document has one.
  return { value: null, uses: [], findings: [], included: [], origins: [], files: [], unresolved: [] };
}

/** A piece of a text: a literal, or something that stays symbolic. */
export type Piece = string | { readonly expression: Expression; readonly place: Place };

/** Notes that something could not be resolved, and gives the text to use instead. */
export function unresolved(
  part: { source: string },
  path: Path,
  result: Substituted,
  ...findings: Finding[]
): string {
  result.unresolved.push(path);
  result.findings.push(...findings);
  return part.source;
}

/** Joins pieces, literals before they are escaped: a `$` and a `{` from two sources must not make an expression. */
export function join(pieces: readonly Piece[], path: Path, result: Substituted): string {
  let symbolic = "";
  let literal = "";
  for (const piece of pieces) {
    if (typeof piece === "string") {
      literal += piece;
      continue;
    }
    const { expression, place } = piece;
    if (literal.endsWith("$")) {
      const message = say`a \`$\` directly before ${{ source: expression.source }} would make it literal`;
      const finding = error("expression-syntax", place, message, "put a different character between them");
      unresolved(expression, path, result, finding);
    }
    symbolic += `${escapeLiteral(literal)}\${${expression.scheme}:${expression.locator}}`;
    literal = "";
  }
  return symbolic + escapeLiteral(literal);
}

/** Escapes every string of a literal value. */
export function escapeStrings(value: Json): Json {
  return mapTexts(value, escapeLiteral);
}

/** Sorts what a mapping at a depth holds by its keys; the paths become relative to the value of the key. */
export function partsByKey(parts: Parts, depth: number): (key: string) => Parts {
  const nothing = noParts();
  const byKey = new Map<string, Parts>();
  const at = (key: string) => {
    const known = byKey.get(key) ?? noParts();
    byKey.set(key, known);
    return known;
  };
  for (const use of parts.uses) {
    at(String(use.path[depth])).uses.push({ ...use, path: use.path.slice(depth + 1) });
  }
  const around: DataOrigin[] = [];
  for (const origin of parts.origins) {
    const { path } = origin;
    if (path.length <= depth) around.push(origin);
    else at(String(path[depth])).origins.push({ ...origin, path: path.slice(depth + 1) });
  }
  // What is said of the mapping, or of what is around it, holds for every key.
  const common: { included: Path[]; unresolved: Path[] } = { included: [], unresolved: [] };
  for (const kind of ["included", "unresolved"] as const) {
    for (const path of parts[kind]) {
      if (path.length <= depth) common[kind] = [[]];
      else at(String(path[depth]))[kind].push(path.slice(depth + 1));
    }
  }
  return (key) => {
    const { uses, included, origins, unresolved: open } = byKey.get(key) ?? nothing;
    return {
      uses,
      origins: [...around.map((origin) => inside(origin, key)), ...origins],
      included: [...common.included, ...included],
      unresolved: [...common.unresolved, ...open],
    };
  };
}

function inside({ file, at = [] }: DataOrigin, key: string): DataOrigin {
  return { path: [], file, at: [...at, key] };
}
