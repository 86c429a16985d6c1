import { readFileSync } from "node:fs";
import { readExplanations, type WrittenExplanation } from "../../scripts/texts.mjs";

const written = readExplanations(readFileSync("docs/reference/diagnostics.md", "utf8"));

/** The texts of files, or the lines that matter of them, by path; a file with an empty text is removed. */
export type Lines = Readonly<Record<string, string>>;

/** A workspace that has a diagnostic or a note, and the same without it, both as differences from the sample. */
export interface Example {
  readonly wrong: Lines;
  readonly right: Lines;
  /** The workspace that was applied before, if the state matters. */
  readonly applied?: Lines;
  /** The command that shows it, without `agentform`, if it is said. */
  readonly run?: string;
  /** The command that is right, if it is not the same. */
  readonly rightRun?: string;
}

/** The workspace of the examples. */
export const sampleWorkspace: Lines = Object.fromEntries(
  Object.entries(filesIn(written.workspace)).map(([file, text]) => [file, `${text.trimEnd()}\n`]),
);

/** Every code that is explained, with its example if it has one. */
export const explained = [...written.diagnostics, ...written.notes].map((each) => ({
  ...each,
  example: each.parts.length > 0 ? exampleOf(each) : undefined,
}));

function exampleOf({ parts, marks }: WrittenExplanation): Example {
  const part = (label: string) => parts.find((each) => each.label === label)?.lines;
  const filesOf = (label: string) => filesIn(part(label) ?? []);
  const given = filesOf("Given");
  const [wrongLabel, rightLabel] = part("Right")
    ? ["Wrong", "Right"]
    : ["After, which gives the note", "Before"];
  const wrong = { ...given, ...filesOf(wrongLabel) };
  const right = { ...given, ...filesOf(rightLabel) };
  const applied = appliedIn(marks, given) ?? (rightLabel === "Before" ? right : undefined);
  const before = part("Applied before") ? filesOf("Applied before") : applied;
  const run = commandOf(part(wrongLabel)) ?? /<!-- run: agentform (.*?) -->/.exec(marks)?.[1];
  const rightRun = commandOf(part(rightLabel));
  return {
    wrong,
    right,
    ...(before && { applied: before }),
    ...(run !== undefined && { run }),
    ...(rightRun !== undefined && { rightRun }),
  };
}

function appliedIn(marks: string, given: Lines): Lines | undefined {
  if (marks.includes("<!-- applied: what is given -->")) return given;
  return marks.includes("<!-- applied: the workspace of the examples -->") ? {} : undefined;
}

function commandOf(lines: readonly string[] = []): string | undefined {
  return /^\$ agentform (.*)$/.exec(lines[0] ?? "")?.[1];
}

function filesIn(lines: readonly string[]): Lines {
  const files: Record<string, string[]> = {};
  let file: string[] = [];
  for (const line of lines) {
    const [, path] =
      /^# ([\w./-]+\.(?:yaml|md|json|lock|txt))(?: \(there is no such file\))?$/.exec(line) ?? [];
    if (path === undefined) file.push(line);
    else files[path] = file = [];
  }
  return Object.fromEntries(Object.entries(files).map(([path, texts]) => [path, texts.join("\n")]));
}
