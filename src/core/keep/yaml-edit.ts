import { isAlias, isCollection, isMap, isSeq } from "yaml";
import { equal, isObject, type Json } from "../../json/json.js";
import { valueAt } from "../../json/path.js";
import { withEdit, type ValueEdit } from "./value-edit.js";
import { commentOf, indented, inDoubleQuotes, isLikeJson, lineEndOf, scalarForms } from "./yaml-scalar.js";
import { remarkAbove, removals } from "./yaml-removal.js";
import {
  columnOf,
  endOf,
  endOfEntry,
  joined,
  markOf,
  spliced,
  spotAt,
  startOfEntry,
  treeOf,
  type Splice,
  type YamlSpot,
  type YamlTree,
} from "./yaml-spot.js";

/** How new values are written. */
export interface YamlStyle {
  /** Renders a value as YAML, a line end at its end; undefined if it belongs into one line. */
  lines(value: Json): string | undefined;
  /** Whether a text in brackets is without quotes; in quotes, if not set, is all but the plainest. */
  isPlain?(text: string): boolean;
}

/**
 * Finds the part of a YAML document's text that one edit replaces, which is nothing but lines of the value: undefined if
 * there is no such text that says exactly what is wanted.
 */
export function yamlSplice(text: string, given: ValueEdit, style: YamlStyle): Splice | undefined {
  const tree = treeOf(text);
  if (!tree) return undefined;
  const edit = given.type === "add" ? withWayTo(tree.value, given) : given;
  const wanted = withEdit(tree.value, edit);
  const isOfEntry = edit.type === "remove" || edit.type === "add";
  const spot = spotAt(tree, isOfEntry ? edit.path.slice(0, -1) : edit.path);
  if (!spot) return undefined;
  for (const splices of splicesOf(spot, edit, style)) {
    const splice = joined(text, splices);
    const read = treeOf(spliced(text, [splice]));
    if (read && equal(read.value, wanted)) return splice;
  }
  return undefined;
}

/** Makes such an edit. */
export function editedYaml(text: string, edit: ValueEdit, style: YamlStyle): string | undefined {
  const splice = yamlSplice(text, edit, style);
  return splice && spliced(text, [splice]);
}

// What is there already, such as a null that answers a default, is set; mappings on the way are added with the member.
function withWayTo(root: Json, { path, value, isFirst }: Extract<ValueEdit, { type: "add" }>): ValueEdit {
  const missing = path.findIndex((_, at) => {
    const around = valueAt(root, path.slice(0, at)) ?? null;
    return !isObject(around) && !Array.isArray(around);
  });
  const isMissing = missing > 0;
  const depth = isMissing ? missing : path.length;
  const inside = path.slice(depth).reduceRight<Json>((inner, step) => ({ [step]: inner }), value);
  const isThere = valueAt(root, path.slice(0, depth)) !== undefined;
  const edit = { path: path.slice(0, depth), value: inside };
  return isThere
    ? { type: "set", ...edit }
    : { type: "add", ...edit, isFirst: isFirst === true && !isMissing };
}

function* splicesOf(spot: YamlSpot, edit: ValueEdit, style: YamlStyle): Generator<Splice[]> {
  switch (edit.type) {
    case "set":
      return yield* settings(spot, edit.value, style);
    case "remove": {
      const { node } = spot;
      if (isCollection(node) && node.items.length === 1)
        return yield* settings(spot, isMap(node) ? {} : [], style);
      return yield* removals(spot, edit.path.at(-1) ?? "");
    }
    case "add": {
      const member = [String(edit.path.at(-1)), edit.value] as const;
      if (!isMap(spot.node) || spot.node.items.length === 0) {
        return yield* settings(spot, Object.fromEntries([member]), style);
      }
      return yield* additions(spot, edit.isFirst ? 0 : spot.node.items.length, [member], style);
    }
    case "insert": {
      if (!isSeq(spot.node) || spot.node.items.length === 0) {
        return yield* settings(spot, [...edit.items], style);
      }
      return yield* additions(spot, edit.index, edit.items, style);
    }
  }
}

// What is in the place of a value that is there.
function* settings(spot: YamlSpot, value: Json, style: YamlStyle): Generator<Splice[]> {
  const { tree, node, parent, index, isInFlow } = spot;
  const end = node && endOf(tree, node);
  const start = node?.range?.[0];
  const isThere = start !== undefined && end !== undefined && end > start;
  const mark = parent && markOf(parent, index, isMap(parent) ? "map-value-ind" : "seq-item-ind");
  const from = isThere ? start : mark === undefined ? undefined : mark + 1;
  if (from === undefined) return;
  const to = isThere ? end : from;
  const gap = mark === undefined ? "" : tree.text.slice(mark + 1, from);
  const isBlock = isCollection(node) && !isAlias(node) && node.flow !== true;
  const isBare = gap.trim() === "" && mark !== undefined;
  // The value of a block begins on a line of its own, and another one beside its key.
  const inline = (form: string): Splice[] =>
    isBlock && isBare ? [[mark + 1, to, ` ${form}`]] : [[from, to, isThere ? form : ` ${form}`]];
  if (typeof value !== "object" || value === null) {
    for (const form of scalarForms(value, spot)) {
      const [head = "", ...lines] = form.split(/(?=\r?\n)/);
      const behind = endOfLine(tree.text, to);
      // A comment on the line stays on it: it is behind the text, or behind the mark of a block.
      if (lines.length === 0) yield inline(form + commentOf(spot));
      else yield [...inline(head), [behind, behind, lines.join("")]];
    }
    return;
  }
  const isEmpty = Object.keys(value).length === 0;
  const wasInline = isCollection(node) && node.flow === true && node.items.length > 0;
  if (!isInFlow && !isEmpty && !wasInline && isBare && parent) {
    const entry = startOfEntry(parent, index);
    const lines = style.lines(value);
    if (entry !== undefined && lines !== undefined)
      yield [[mark + 1, to, blockAfter(spot, lines, columnOf(tree, entry))]];
  }
  const isJson = isLikeJson(spot) || isLikeJson({ isInFlow: true, ...asParent(node) });
  yield inline(flowText(value, textWriter(isJson, style)));
}

function asParent(node: unknown): Pick<YamlSpot, "parent"> {
  return isMap(node) || isSeq(node) ? { parent: node } : {};
}

// A mapping after its key, and a list after a key or in an item.
function blockAfter({ tree, parent }: YamlSpot, rendered: string, column: number): string {
  const lineEnd = lineEndOf(tree.text);
  const indent = " ".repeat(column + 2);
  const lines = linesOf(rendered, indent);
  if (isSeq(parent)) return ` ${lines.join(lineEnd).trimStart()}`;
  return `${lineEnd}${lines.join(lineEnd)}`;
}

function linesOf(rendered: string, indent: string): string[] {
  return indented(rendered.replace(/\n$/, "").split("\n"), indent);
}

type Entries = readonly Json[] | readonly (readonly [string, Json])[];

// Behind the entry before them; those of a list may be the first ones.
function* additions(spot: YamlSpot, at: number, entries: Entries, style: YamlStyle): Generator<Splice[]> {
  const { node, tree } = spot;
  if (!isMap(node) && !isSeq(node)) return;
  const start = startOfEntry(node, 0);
  const end = at > 0 ? endOfEntry(tree, node, at - 1) : undefined;
  if (start === undefined || (at > 0 && end === undefined)) return;
  const column = columnOf(tree, start);
  const isOnLine = tree.text.slice(start - column, start).trim() === "";
  const first = isOnLine ? start - column - remarkAbove(tree, node, 0) : start;
  const isInFlow = node.flow === true || spot.isInFlow;
  const write = textWriter(isInFlow && isLikeJson({ parent: node, isInFlow }), style);
  const texts = entries.map((entry) => flowEntry(entry, isMap(node), write));
  if (isInFlow) return yield* additionsInFlow(texts, { tree, column, isOnLine, first, end });
  const lineEnd = lineEndOf(tree.text);
  const indent = " ".repeat(column);
  const rendered = isMap(node)
    ? style.lines(Object.fromEntries(entries as readonly [string, Json][]))
    : style.lines([...entries] as Json[]);
  const inLines = texts.map((text) => (isMap(node) ? text : `- ${text}`)).join("\n");
  const lines = linesOf(rendered ?? inLines, indent).join(lineEnd);
  const next = end === undefined ? first : endOfLine(tree.text, end);
  if (end !== undefined) yield [[next, next, `${lineEnd}${lines}`]];
  else if (isOnLine) yield [[next, next, `${lines}${lineEnd}`]];
  else yield [[next, next, `${lines.trimStart()}${lineEnd}${indent}`]];
}

interface FlowPlace {
  readonly tree: YamlTree;
  /** The column of the first entry, and whether it begins its line. */
  readonly column: number;
  readonly isOnLine: boolean;
  /** Where new ones are put before all others. */
  readonly first: number;
  /** Where the one before them ends. */
  readonly end: number | undefined;
}

function* additionsInFlow(
  texts: readonly string[],
  { tree: { text }, column, isOnLine, first, end }: FlowPlace,
): Generator<Splice[]> {
  // What is behind an entry on its line stays there: a comma, and a comment.
  const behind = /^[ \t]*(,?)[ \t]*(#[^\r\n]*)?(?=\r?\n)/.exec(end === undefined ? "" : text.slice(end));
  const indent = " ".repeat(column);
  const line = isOnLine || behind?.[2] ? `${lineEndOf(text)}${indent}` : " ";
  const fresh = texts.join(`,${line}`);
  if (end === undefined) {
    yield [[first, first, isOnLine ? `${indent}${fresh},${lineEndOf(text)}` : `${fresh},${line}`]];
  } else if (behind && line !== " ") {
    const [all, comma = ""] = behind;
    const next = end + all.length;
    yield [
      [end, end, comma === "" ? "," : ""],
      [next, next, `${line}${fresh}${comma}`],
    ];
  } else yield [[end, end, `,${line}${fresh}`]];
}

type WriteText = (text: string) => string;

function flowEntry(entry: Entries[number], isMember: boolean, write: WriteText): string {
  if (!isMember) return flowText(entry as Json, write);
  const [key, value] = entry as readonly [string, Json];
  return `${write(key)}: ${flowText(value, write)}`;
}

/** Writes a value in one line. */
export function flowText(value: Json, write: WriteText): string {
  if (typeof value === "string") return write(value);
  if (Array.isArray(value)) return `[${value.map((item) => flowText(item, write)).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map((member) => flowEntry(member, true, write))
    .join(", ")}}`;
}

function textWriter(isJson: boolean, { isPlain = isPlainest }: YamlStyle): WriteText {
  return (text) => (!isJson && isPlain(text) ? text : inDoubleQuotes(text));
}

// In brackets, most marks mean something.
function isPlainest(text: string): boolean {
  return /^[A-Za-z_](?:[\w ./-]*\w)?$/.test(text) && !/^(?:true|false|null)$/i.test(text);
}

function endOfLine(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  if (at === -1) return text.length;
  return text[at - 1] === "\r" ? at - 1 : at;
}
