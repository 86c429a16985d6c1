import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type CST,
  type Document,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { composeAll } from "../document/compose.js";
import { keyText } from "../document/yaml-keys.js";
import { valueOf } from "../document/yaml-value.js";
import type { Json } from "../../json/json.js";
import type { Path } from "../../json/path.js";

/** A text with one document, and its tree with the tokens between the values. */
export interface YamlTree {
  readonly text: string;
  readonly document: Document;
  readonly value: Json;
  /** What ends its lines. */
  readonly lineEnd: string;
}

/** A value of a tree, with what is around it. */
export interface YamlSpot {
  readonly tree: YamlTree;
  readonly node: Node | undefined;
  /** The mapping or list that has it; not set for the whole document. */
  readonly parent?: YAMLMap | YAMLSeq;
  /** Which entry of its parent it is. */
  readonly index: number;
  /** Whether it is in brackets or braces. */
  readonly isInFlow: boolean;
}

/** A part of a text, and what takes its place. */
export type Splice = readonly [from: number, to: number, text: string];

/** Gives a text with parts replaced. */
export function spliced(text: string, splices: readonly Splice[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const [from, to, fresh] of splices.toSorted(([one], [other]) => one - other)) {
    parts.push(text.slice(at, from), fresh);
    at = to;
  }
  return parts.join("") + text.slice(at);
}

/** Gives one splice that does the same as several. */
export function joined(text: string, splices: readonly Splice[]): Splice {
  const from = splices.reduce((least, [start]) => Math.min(least, start), Infinity);
  const to = splices.reduce((most, [, end]) => Math.max(most, end), 0);
  const moved = splices.map(([start, end, fresh]): Splice => [start - from, end - from, fresh]);
  return [from, to, spliced(text.slice(from, to), moved)];
}

/** Composes a text with one document without mistakes; undefined for any other. */
export function treeOf(text: string): YamlTree | undefined {
  const [document, more] = composeAll(text, { keepSourceTokens: true });
  if (!document || more || document.errors.length > 0) return undefined;
  const read = valueOf(document);
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  return read.ok ? { text, document, value: read.value as Json, lineEnd } : undefined;
}

/** Finds a value by its path; undefined if the way to it leads through an alias, or there is none. */
export function spotAt(tree: YamlTree, path: Path): YamlSpot | undefined {
  const root = tree.document.contents;
  let spot: YamlSpot = { tree, node: root ?? undefined, index: 0, isInFlow: false };
  for (const step of path) {
    const { node: parent, isInFlow } = spot;
    if (!isMap(parent) && !isSeq(parent)) return undefined;
    const index = isMap(parent)
      ? parent.items.findIndex(({ key }) => keyText(key) === String(step))
      : Number(step);
    const entry: unknown = parent.items[index];
    if (entry === undefined) return undefined;
    const node: unknown = isMap(parent) ? (entry as Pair).value : entry;
    spot = {
      tree,
      node: isNode(node) ? node : undefined,
      parent,
      index,
      isInFlow: isInFlow || parent.flow === true,
    };
  }
  return spot;
}

// The tokens before the key, or the item, of an entry of a collection.
function tokensOf(parent: YAMLMap | YAMLSeq, index: number): Partial<CST.CollectionItem> {
  if (isMap(parent)) return parent.items[index]?.srcToken ?? {};
  const token = parent.srcToken as CST.BlockSequence | CST.FlowCollection | undefined;
  const items: readonly CST.CollectionItem[] = token?.items ?? [];
  const entries = items.filter(({ start, value }) =>
    parent.flow ? value !== undefined : start.some(({ type }) => type === "seq-item-ind"),
  );
  return entries[index] ?? {};
}

/** Gives the offset of a mark, such as `:`, `-` or `,`, that belongs to an entry of a collection. */
export function markOf(
  parent: YAMLMap | YAMLSeq,
  index: number,
  mark: "map-value-ind" | "seq-item-ind" | "comma",
): number | undefined {
  const { start = [], sep = [] } = tokensOf(parent, index);
  return [...start, ...sep].find(({ type }) => type === mark)?.offset;
}

/** Gives where an entry of a collection begins: its key, its dash, or an item in brackets. */
export function startOfEntry(parent: YAMLMap | YAMLSeq, index: number): number | undefined {
  const entry: unknown = parent.items[index];
  if (isMap(parent)) {
    const { key } = entry as Pair;
    return isNode(key) ? key.range?.[0] : undefined;
  }
  if (!parent.flow) return markOf(parent, index, "seq-item-ind");
  return isNode(entry) ? entry.range?.[0] : undefined;
}

/** Gives where the text of an entry ends, without what follows on its line. */
export function endOfEntry(tree: YamlTree, parent: YAMLMap | YAMLSeq, index: number): number | undefined {
  const entry: unknown = parent.items[index];
  const value: unknown = isMap(parent) ? (entry as Pair).value : entry;
  const mark = markOf(parent, index, isMap(parent) ? "map-value-ind" : "seq-item-ind");
  const end = isNode(value) ? endOf(tree, value) : undefined;
  if (end === undefined && mark === undefined) return undefined;
  return Math.max(end ?? 0, mark === undefined ? 0 : mark + 1);
}

/** Gives where the text of a value ends. */
export function endOf(tree: YamlTree, node: Node): number | undefined {
  if (!node.range) return undefined;
  const [start, end] = node.range;
  if (isBlockScalar(node)) {
    const source = tree.text.slice(start, end);
    const isKept = /^[|>]\d?\+/.test(source);
    return start + (isKept ? source.replace(/\r?\n$/, "") : source.trimEnd()).length;
  }
  if (!isCollection(node) || node.flow || isAlias(node)) return end;
  const last = node.items.length - 1;
  return last < 0 ? end : endOfEntry(tree, node, last);
}

/** Gives the column of an offset, from 0; a mark of the byte order is before its line. */
export function columnOf({ text }: YamlTree, offset: number): number {
  return offset - (text.lastIndexOf("\n", offset - 1) + 1 || (text.startsWith("\u{feff}") ? 1 : 0));
}

/** Gives where the line with an offset ends. */
export function endOfLine(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  if (at === -1) return text.length;
  return text[at - 1] === "\r" ? at - 1 : at;
}

/** Whether a value is a text in lines below its mark. */
export function isBlockScalar(node: unknown): node is Scalar {
  return isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED");
}
