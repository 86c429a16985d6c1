import type { Code } from "../finding/diagnostic.js";

/** The lines that matter of some files, by path; a file with an empty text is removed. */
export type Lines = Readonly<Record<string, string>>;

/** A workspace that has a diagnostic or a note, and the same without it, both as differences from the sample. */
export interface Example {
  readonly wrong: Lines;
  readonly right: Lines;
  /** The workspace that was applied before, if the state matters. */
  readonly applied?: Lines;
  /** The command that shows it, without `agentform`; `validate`, or `plan` if something was applied. */
  readonly run?: string;
  /** The command that is right, if it is not the same. */
  readonly rightRun?: string;
}

/** What a code means beside the one line of its table. */
export interface Explanation {
  /** When it comes and why, if the line does not say it all. */
  readonly about?: string;
  /** What to do. */
  readonly fix: string;
  readonly example?: Example;
}

/** What some codes of diagnostics mean. */
export type Explanations = Readonly<Partial<Record<Code, Explanation>>>;

/** An example in one file. */
export function inFile(
  file: string,
  wrong: string,
  right: string,
  more: Partial<Omit<Example, "right">> = {},
): Example {
  return { ...more, wrong: { ...more.wrong, [file]: wrong }, right: { ...more.wrong, [file]: right } };
}

/** An example in which a file of what was applied is edited; without the edit there is no note. */
export function edited(file: string, before: string, after: string): Example {
  return { wrong: { [file]: after }, right: { [file]: before }, applied: { [file]: before } };
}

/** An example in which only the command is wrong. */
export function byCommand(run: string, rightRun: string, files: Lines = {}, applied?: Lines): Example {
  return { wrong: files, right: files, run, rightRun, ...(applied && { applied }) };
}
