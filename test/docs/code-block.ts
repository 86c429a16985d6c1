/** A fenced block of a Markdown text. */
export interface CodeBlock {
  readonly language: string;
  readonly text: string;
  /** The line of its first fence, from 1. */
  readonly line: number;
}

/** Finds the fenced blocks of a Markdown text, in order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { language: string; line: number; lines: string[] } | undefined;
  for (const [index, line] of markdown.split("\n").entries()) {
    const fence = /^```(\w*)$/.exec(line);
    if (fence && !open) open = { language: fence[1] ?? "", line: index + 1, lines: [] };
    else if (fence && open) {
      blocks.push({ language: open.language, line: open.line, text: open.lines.join("\n") });
      open = undefined;
    } else open?.lines.push(line);
  }
  return blocks;
}

/** One command of a console block, and what the block shows after it. */
export interface Step {
  readonly command: string;
  readonly shown: readonly string[];
}

/** Reads the commands of a console block, each after `$ `. */
export function stepsOf({ text }: CodeBlock): Step[] {
  const steps: { command: string; shown: string[] }[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("$ ")) steps.push({ command: line.slice(2), shown: [] });
    else steps.at(-1)?.shown.push(line);
  }
  return steps;
}
