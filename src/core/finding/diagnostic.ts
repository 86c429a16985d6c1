import type { Code, warningCodes } from "../../generated/codes.js";
import type { Diagnostic } from "../../generated/diagnostics.js";
import type { JsonObject } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import { Said, textOf, type Fix, type Sentence } from "./said.js";

export type { Code, Diagnostic };
export type Severity = Diagnostic["severity"];

/** A place in the workspace, before its line and column are looked up. */
export interface Place {
  /** The file, relative to the workspace, with `/`. */
  readonly file: string;
  /** The index of the document in the file, from 0. */
  readonly document?: number;
  /** The path of the value inside the document. */
  readonly path?: Path;
  /** Whether the key is meant instead of its value. */
  readonly key?: boolean;
  /** The source text of an expression inside the scalar. */
  readonly expression?: string;
  /** A place given by its offset in the file's text, in UTF-16 code units; takes precedence over `path`. */
  readonly offset?: number;
  /** The key of `for_each` for which the value was made. */
  readonly each?: KeyPlace;
}

/** A key of a `for_each`, and where it is written. */
export interface KeyPlace {
  readonly key: string;
  /** How many keys there are. */
  readonly of: number;
  readonly place: Place;
}

/** The name of a rule of a team's own, which is the code of its findings. */
export type RuleName = string & { readonly [rule]: true };

declare const rule: unique symbol;

/** A problem found in core: a diagnostic whose place has no line and column yet. */
export interface Finding {
  readonly code: Code | RuleName;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
  /** What message and hint are about, as data. */
  readonly parts?: JsonObject;
  /** The changes that the hint proposes. */
  readonly fixes?: readonly Fix[];
  readonly address?: string;
  readonly place?: Place;
  /** The document that has the problem, if it shares the value at the place with others, or where it includes the file. */
  readonly document?: Place;
  /** Further places that belong to the problem. */
  readonly related?: readonly { readonly message: string; readonly place?: Place }[];
}

/** Makes a finding of severity error. */
export function error(code: Code, place: Place | undefined, message: Sentence, hint?: Sentence): Finding {
  return finding("error", code, place, message, hint);
}

/** Makes a finding of severity warning. */
export function warning(
  code: (typeof warningCodes)[number],
  place: Place | undefined,
  message: Sentence,
  hint?: Sentence,
): Finding {
  return finding("warning", code, place, message, hint);
}

/** Makes a finding of severity note. */
export function note(code: Code, place: Place | undefined, message: Sentence, hint?: Sentence): Finding {
  return finding("note", code, place, message, hint);
}

/** Makes a finding of a rule of a team's own, whose name is the code. */
export function ruleFinding(
  severity: Severity,
  name: string,
  place: Place | undefined,
  message: Sentence,
  hint: Sentence,
): Finding {
  return finding(severity, name as RuleName, place, message, hint);
}

// What is quoted may come from a file of state, where a name has any length.
const longestText = 10_000;

function bounded(sentence: Sentence): string {
  const text = textOf(sentence);
  if (text.length <= longestText) return text;
  // A cut must not split a surrogate pair.
  return `${text.slice(0, longestText).replace(/[\ud800-\udbff]$/, "")}…`;
}

function finding(
  severity: Severity,
  code: Code | RuleName,
  place: Place | undefined,
  message: Sentence,
  hint: Sentence | undefined,
): Finding {
  const said = [message, hint].filter((each) => each instanceof Said);
  const parts = Object.assign({}, ...said.map((each) => each.parts)) as JsonObject;
  const fixes = said.flatMap((each) => each.fixes);
  return {
    severity,
    code,
    message: bounded(message),
    ...(place && { place }),
    ...(hint !== undefined && { hint: bounded(hint) }),
    ...(Object.keys(parts).length > 0 && { parts }),
    ...(fixes.length > 0 && { fixes }),
  };
}

/** Gives a finding with a hint, and what that is about. */
export function withHint({ hint: _hint, ...found }: Finding, hint: Sentence): Finding {
  const {
    parts,
    fixes = [],
    ...rest
  } = finding(found.severity, found.code, found.place, found.message, hint);
  return {
    ...found,
    ...rest,
    parts: { ...found.parts, ...parts },
    fixes: [...(found.fixes ?? []), ...fixes],
  };
}

/** Gives diagnostics without their frames, as a plan has them. */
export function unframed(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.map(({ frame: _frame, ...rest }) => rest);
}

/** Whether any of the findings or diagnostics is an error. */
export function hasErrors(found: readonly { readonly severity: Severity }[]): boolean {
  return found.some(({ severity }) => severity === "error");
}
