import type { Example, Lines } from "../../core/explain/explanation.js";
import type { ExplainedCode } from "../../core/explain/explanations.js";

/** One part of an example: what its lines are, and the lines. */
export interface ExamplePart {
  readonly label: string;
  readonly lines: readonly string[];
}

/** Gives the parts of the example of a code in the order in which they are read; none if it has none. */
export function exampleParts({ example, effect }: ExplainedCode): ExamplePart[] {
  if (!example) return [];
  const { applied, wrong, right, run, rightRun = run } = example;
  const given = sharedBy(wrong, right);
  // A note is no mistake: what was applied is compared with an edit of it.
  const isEdit = effect !== undefined && applied !== undefined && isSame(applied, right);
  const parts = isEdit
    ? [
        part("Before", right, given),
        part("After, which gives the note", { ...goneIn(right, wrong), ...wrong }, given),
      ]
    : [
        part("Wrong", wrong, given, commandOf(run, example)),
        part("Right", right, given, commandOf(rightRun, example)),
      ];
  const before = applied && !isEdit && !isSame(applied, given) ? [part("Applied before", applied, {})] : [];
  return [...before, part("Given", given, {}), ...parts].filter(({ lines }) => lines.length > 0);
}

function part(label: string, lines: Lines, without: Lines, command: readonly string[] = []): ExamplePart {
  const files = Object.entries(lines).filter(([file]) => !Object.hasOwn(without, file));
  const shown = files.flatMap(([file, text]) => [
    text === "" ? `# ${file} (there is no such file)` : `# ${file}`,
    ...(text === "" ? [] : text.split("\n")),
  ]);
  return { label, lines: [...command, ...shown] };
}

function commandOf(run: string | undefined, { wrong, right, rightRun }: Example): string[] {
  // Where only the files differ, the command says nothing.
  return run === undefined || (rightRun === undefined && !isSame(wrong, right)) ? [] : [`$ agentform ${run}`];
}

function sharedBy(wrong: Lines, right: Lines): Lines {
  return Object.fromEntries(Object.entries(wrong).filter(([file, text]) => right[file] === text));
}

function goneIn(before: Lines, after: Lines): Lines {
  const gone = Object.keys(before).filter((file) => !Object.hasOwn(after, file));
  return Object.fromEntries(gone.map((file) => [file, ""]));
}

function isSame(one: Lines, other: Lines): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}
