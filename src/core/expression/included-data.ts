import type { Sentence } from "../finding/said.js";
import { parseData } from "../document/document.js";
import type { Code, Finding } from "../finding/diagnostic.js";
import { measure, type Extent } from "../../json/extent.js";
import type { Json } from "../../json/json.js";
import { resourceLimit } from "./expansion-limit.js";
import { escapeStrings } from "./substituted.js";

/** Reads the files that documents include; the implementation stays inside the workspace. */
export interface Includes {
  /** Gives a file's text, or why it cannot be read; `path` is relative to the folder of `from`. */
  read(from: string, path: string): Included;
}

/** A file's text, or why it cannot be read. */
export type Included = FileRead<{ readonly file: string; readonly text: string }>;

/** What was read of a file, or why it cannot be read. */
export type FileRead<Value> = ({ readonly ok: true } & Value) | ReadProblem;

/** Why a file cannot be read as text. */
export interface ReadProblem {
  readonly ok: false;
  readonly code: Code;
  readonly message: Sentence;
  readonly hint?: Sentence;
}

/** Makes the problem of a file that cannot be read. */
export function unread(code: Code, message: Sentence, hint?: Sentence): ReadProblem {
  return { ok: false, code, message, ...(hint !== undefined && { hint }) };
}

/** The content of an included data file, and its cost. */
export interface IncludedValue extends Extent {
  readonly value: Json;
  /** The same content, escaped, so that it contains no expressions. */
  readonly escaped: Json;
  readonly findings: readonly Finding[];
}

/** The content of included data files, each parsed once for all documents that include it. */
export type IncludedData = Map<string, IncludedValue>;

/** Parses an included data file. */
export function parseIncluded(file: string, text: string): IncludedValue {
  const { value, findings } = parseData(file, text);
  const extent = measure(value);
  // A value that is too large to be included even once is not copied.
  return { value, findings, escaped: extent.size > resourceLimit ? null : escapeStrings(value), ...extent };
}
