import { sampleWorkspace, type Lines } from "./example.js";

/** Makes the files of a workspace of the sample and of the lines in which an example differs from it. */
export function assemble(lines: Lines): Record<string, string> {
  const files: Record<string, string> = { ...sampleWorkspace };
  for (const [file, text] of Object.entries(lines)) {
    const sample = sampleWorkspace[file];
    if (text === "") delete files[file];
    else if (sample === undefined || isWhole(text)) files[file] = `${text}\n`;
    else files[file] = `${lay(sample.trimEnd().split("\n"), text.split("\n")).join("\n")}\n`;
  }
  return files;
}

// A part of a document has some of its keys, as they are indented there.
function isWhole(text: string): boolean {
  return !/^(metadata|operations|for_each|spec|lifecycle|servers|security|paths|components):/.test(text);
}

interface Block {
  readonly head: string;
  readonly rest: readonly string[];
}

function lay(below: readonly string[], above: readonly string[]): string[] {
  const given = blocksOf(above);
  const own = blocksOf(below);
  const keys = new Set(given.map(keyOf));
  const before = own.map((block) => {
    const over = given.filter((each) => keyOf(each) === keyOf(block));
    const [first] = over;
    if (first === undefined) return [block.head, ...block.rest];
    if (over.length === 1 && isMapping(block) && isMapping(first))
      return [block.head, ...lay(block.rest, first.rest)];
    return over.flatMap(({ head, rest }) => [head, ...rest]);
  });
  const known = new Set(own.map(keyOf));
  const added = given.filter((block) => keys.has(keyOf(block)) && !known.has(keyOf(block)));
  return [...before.flat(), ...added.flatMap(({ head, rest }) => [head, ...rest])];
}

function isMapping({ head, rest }: Block): boolean {
  return head.endsWith(":") && /^ +["'\w./-]+:/.test(rest[0] ?? "");
}

function keyOf({ head }: Block): string {
  return /^ *([^\s:]+):/.exec(head)?.[1] ?? head;
}

function blocksOf(lines: readonly string[]): Block[] {
  const indent = indentOf(lines[0] ?? "");
  const blocks: { head: string; rest: string[] }[] = [];
  for (const line of lines) {
    const last = blocks.at(-1);
    if (last === undefined || (line !== "" && indentOf(line) <= indent))
      blocks.push({ head: line, rest: [] });
    else last.rest.push(line);
  }
  return blocks;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
