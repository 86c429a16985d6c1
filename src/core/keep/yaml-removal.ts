import type { YAMLMap, YAMLSeq } from "yaml";
import {
  columnOf,
  endOfEntry,
  markOf,
  startOfEntry,
  type Splice,
  type YamlSpot,
  type YamlTree,
} from "./yaml-spot.js";

/** Gives the way to take an entry out of a collection that has others. */
export function* removal({ parent: node, index, tree, isInFlow }: YamlSpot): Generator<Splice[]> {
  if (!node) return;
  const start = startOfEntry(node, index);
  const end = endOfEntry(tree, node, index);
  if (start === undefined || end === undefined) return;
  const { text } = tree;
  const next = index + 1 < node.items.length ? startOfEntry(node, index + 1) : undefined;
  const line = start - columnOf(tree, start);
  const behind = /^[ \t]*,?[ \t]*(?:#[^\n]*)?\r?(?:\n|$)/.exec(text.slice(end))?.[0];
  const isOnLine = text.slice(line, start).trim() === "" && behind !== undefined;
  const own: Splice = isOnLine
    ? [line - remarkAbove(tree, node, index), end + behind.length, ""]
    : [start, next ?? end, ""];
  const comma = markOf(node, index, "comma");
  // A comma at the end is none that JSON has.
  if (next === undefined && comma !== undefined)
    yield isOnLine || text.slice(comma, start).includes("#")
      ? [[comma, comma + 1, ""], own]
      : [[comma, end, ""]];
  else if (isInFlow && !isOnLine && behind !== undefined)
    yield [[text.slice(0, start).trimEnd().length, end + behind.trimEnd().length, ""]];
  else yield [own];
}

/** Gives the length of the comment above an entry; above the first it is about all, unless others have one, too. */
export function remarkAbove(tree: YamlTree, node: YAMLMap | YAMLSeq, index: number): number {
  const lengthOf = (at: number): number => {
    const start = startOfEntry(node, at) ?? 0;
    const column = columnOf(tree, start);
    const above = tree.text.slice(0, start - column);
    // How far a tab indents, nobody can say.
    const indent = `(?: {${column}}|[ \\t]*\\t[ \\t]*)`;
    return new RegExp(`(?:^${indent}#[^\\n]*\\n)+$(?![^])`, "m").exec(above)?.[0].length ?? 0;
  };
  if (index === 0 && !node.items.some((_, at) => at > 0 && lengthOf(at) > 0)) return 0;
  return lengthOf(index);
}
