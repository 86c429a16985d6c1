import { codeBlocks, stepsOf, type CodeBlock, type Step } from "./code-block.js";

/** What a section of a document shows: files of a workspace, and commands in it, in their order. */
export interface Example {
  readonly heading: string;
  readonly parts: readonly (ExampleFile | ExampleStep)[];
}

/** A block after a line with nothing but a file's name in backticks. */
export interface ExampleFile {
  readonly file: string;
  readonly text: string;
}

/** A command, and what the block shows after it. */
export interface ExampleStep extends Step {
  readonly line: number;
}

/** Reads the examples of a document, one for each heading that has any. */
export function examplesOf(markdown: string): Example[] {
  const lines = markdown.split("\n");
  const examples = new Map<string, (ExampleFile | ExampleStep)[]>();
  for (const block of codeBlocks(markdown)) {
    const parts = partsOf(block, lines);
    if (parts.length === 0) continue;
    const heading = headingBefore(lines, block.line);
    examples.set(heading, [...(examples.get(heading) ?? []), ...parts]);
  }
  return [...examples].map(([heading, parts]) => ({ heading, parts }));
}

/** Gives what a block of a document shows: a file, or commands. */
export function partsOf(block: CodeBlock, lines: readonly string[]): (ExampleFile | ExampleStep)[] {
  if (block.language === "console") return stepsOf(block).map((step) => ({ ...step, line: block.line }));
  const before = lines.slice(0, block.line - 1).findLast((line) => line !== "") ?? "";
  const [, file] = /^`([^`]+)`$/.exec(before) ?? [];
  return file === undefined ? [] : [{ file, text: `${block.text}\n` }];
}

function headingBefore(lines: readonly string[], line: number): string {
  const heading = lines.slice(0, line).findLast((each) => /^#+ /.test(each)) ?? "";
  return heading.replace(/^#+ /, "");
}
