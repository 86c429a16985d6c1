import { error, type Finding, type Place } from "../finding/diagnostic.js";
import type { Path } from "../../json/path.js";
import { escapeLiteral, type Expression } from "./expression.js";
import { isObject, type Json } from "../../json/json.js";
import { quote } from "../finding/quotation.js";

/** A reference or a secret that stays in a body until the apply. */
export interface Use {
  readonly expression: Expression;
  /** Where the value stands in the substituted value. */
  readonly path: Path;
  readonly place: Place;
}

/** A value with files and variables resolved, references and secrets symbolic. */
export interface Substituted {
  readonly value: Json;
  readonly uses: Use[];
  readonly findings: Finding[];
  /** Paths whose content came from an included file, which no message may quote. */
  readonly included: Path[];
  /** The files that were included. */
  readonly files: Set<string>;
  /** Paths where something could not be resolved; the expression's own text stands there. */
  readonly unresolved: Path[];
}

/** A value that is not there. */
export function nothingSubstituted(): Substituted {
  return { value: null, uses: [], findings: [], included: [], files: new Set(), unresolved: [] };
}

/** A piece of a text: a literal, or what stays symbolic. */
export type Piece = string | { readonly expression: Expression; readonly place: Place };

/** Notes that something could not be resolved, and gives the text that stands in its place. */
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

/**
 * Writes the pieces of a text as one symbolic text. Literals are joined before they are escaped: a `$` and a
 * `{` from two sources must not make an expression.
 */
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
      const message = `a \`$\` directly before ${quote(expression.source)} would make it literal`;
      const finding = error("expression-syntax", place, message, "put something between them");
      unresolved(expression, path, result, finding);
    }
    symbolic += `${escapeLiteral(literal)}\${${expression.scheme}:${expression.locator}}`;
    literal = "";
  }
  return symbolic + escapeLiteral(literal);
}

/** Escapes every string in a value that stands for itself. */
export function escapeStrings(value: Json): Json {
  if (typeof value === "string") return escapeLiteral(value);
  if (Array.isArray(value)) return value.map(escapeStrings);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, escapeStrings(member)]));
}
