import { isMap, isScalar, isSeq, type YAMLMap, type YAMLSeq } from "yaml";
import {
  columnOf,
  endOfEntry,
  markOf,
  startOfEntry,
  type Splice,
  type YamlSpot,
  type YamlTree,
} from "./yaml-spot.js";

/** Gives the ways to take an entry out of a collection that has others. */
export function* removals(spot: YamlSpot, step: string | number): Generator<Splice[]> {
  const { node, tree } = spot;
  if (!isMap(node) && !isSeq(node)) return;
  const index = isMap(node)
    ? node.items.findIndex(({ key }) => isScalar(key) && String(key.value) === String(step))
    : Number(step);
  const count = node.items.length;
  if (index < 0 || index >= count) return;
  const start = startOfEntry(node, index);
  const end = endOfEntry(tree, node, index);
  const next = index + 1 < count ? startOfEntry(node, index + 1) : undefined;
  const before = index > 0 ? endOfEntry(tree, node, index - 1) : undefined;
  if (start === undefined || end === undefined) return;
  if (!node.flow && !spot.isInFlow) {
    const line = start - columnOf(tree, start);
    const isOnLine = tree.text.slice(line, start).trim() === "";
    if (isOnLine) yield [[line - remarkAbove(tree, node, index), afterLine(tree.text, end), ""]];
    // The first one after the dash of an item that is around it.
    else if (next !== undefined) yield [[start, next, ""]];
    return;
  }
  const remark = remarkAbove(tree, node, index);
  yield* removalsInFlow({ tree, start, end, next, before, remark, comma: markOf(node, index, "comma") });
}

/**
 * Gives how long the comment on the lines above an entry is. That of the first one is about all of them, unless others
 * have one, too.
 */
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

interface FlowEntry {
  readonly tree: YamlTree;
  readonly start: number;
  readonly end: number;
  /** Where the next one begins, and where the one before ends. */
  readonly next: number | undefined;
  readonly before: number | undefined;
  /** How long the comment on the lines above it is. */
  readonly remark: number;
  readonly comma: number | undefined;
}

function* removalsInFlow({ tree, start, end, next, before, remark, comma }: FlowEntry): Generator<Splice[]> {
  const { text } = tree;
  const line = start - columnOf(tree, start);
  const behind = /^[ \t]*,?[ \t]*(?:#[^\n]*)?\r?\n/.exec(text.slice(end))?.[0];
  const isOnLine = text.slice(line, start).trim() === "" && behind !== undefined;
  if (isOnLine && next !== undefined) return yield [[line - remark, end + behind.length, ""]];
  if (next !== undefined && behind !== undefined) {
    const from = text.slice(0, start).trimEnd().length;
    return yield [[from, end + behind.trimEnd().length, ""]];
  }
  if (next !== undefined) return yield [[start, next, ""]];
  if (before === undefined || comma === undefined) return;
  const own: Splice = isOnLine ? [line - remark, end + behind.length, ""] : [start, end, ""];
  // A comma at the end is none that JSON has.
  if (text.slice(before, start).includes("#")) yield [[comma, comma + 1, ""], own];
  else yield isOnLine ? [[comma, comma + 1, ""], own] : [[before, end, ""]];
}

function afterLine(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  return at === -1 ? text.length : at + 1;
}
