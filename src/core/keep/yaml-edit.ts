import { isAlias, isCollection, isMap, isScalar, isSeq } from "yaml";
import { equal, isObject, type Json } from "../../json/json.js";
import { valueAt } from "../../json/path.js";
import { withEdit, type ValueEdit } from "./value-edit.js";
import { inDoubleQuotes, isLikeJson, lineEndOf, scalarForms } from "./yaml-scalar.js";
import {
  columnOf,
  endOf,
  endOfEntry,
  markOf,
  spotAt,
  startOfEntry,
  treeOf,
  type YamlSpot,
  type YamlTree,
} from "./yaml-spot.js";

/** Renders a value as YAML, a line end at its end. */
export type RenderValue = (value: Json) => string;

/**
 * Makes one edit in the text of a YAML document, and touches nothing but the lines of the value: undefined if there is
 * no such text that says exactly what is wanted.
 */
export function editedYaml(text: string, edit: ValueEdit, render: RenderValue): string | undefined {
  const tree = treeOf(text);
  if (!tree) return undefined;
  // A null that answers a default is there already.
  if (edit.type === "add" && valueAt(tree.value, edit.path) !== undefined) {
    return editedYaml(text, { ...edit, type: "set" }, render);
  }
  const wanted = withEdit(tree.value, edit);
  for (const candidate of candidatesOf(tree, edit, render)) {
    const read = candidate === undefined ? undefined : treeOf(candidate);
    if (read && equal(read.value, wanted)) return candidate;
  }
  return undefined;
}

/** A part of a text, and what takes its place. */
type Splice = readonly [from: number, to: number, text: string];

function* candidatesOf(tree: YamlTree, edit: ValueEdit, render: RenderValue): Generator<string | undefined> {
  const { path } = edit;
  const isOfEntry = edit.type === "remove" || edit.type === "add";
  const spot = spotAt(tree, isOfEntry ? path.slice(0, -1) : path);
  if (!spot) return;
  const spliced = (...splices: readonly Splice[]): string => {
    let { text } = tree;
    for (const [from, to, fresh] of splices.toSorted(([one], [other]) => other - one)) {
      text = text.slice(0, from) + fresh + text.slice(to);
    }
    return text;
  };
  for (const splices of splicesOf(spot, edit, render)) yield spliced(...splices);
}

function* splicesOf(spot: YamlSpot, edit: ValueEdit, render: RenderValue): Generator<Splice[]> {
  switch (edit.type) {
    case "set":
      return yield* settings(spot, edit.value, render);
    case "remove":
      return yield* removals(spot, edit.path.at(-1) ?? "", render);
    case "add": {
      const member = [String(edit.path.at(-1)), edit.value] as const;
      if (!isMap(spot.node) || spot.node.items.length === 0) {
        return yield* settings(spot, Object.fromEntries([member]), render);
      }
      return yield* additions(spot, spot.node.items.length, [member], render);
    }
    case "insert": {
      if (!isSeq(spot.node) || spot.node.items.length === 0) {
        return yield* settings(spot, [...edit.items], render);
      }
      return yield* additions(spot, edit.index, edit.items, render);
    }
  }
}

// What is in the place of a value that is there.
function* settings(spot: YamlSpot, value: Json, render: RenderValue): Generator<Splice[]> {
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
    for (const form of scalarForms(value, spot)) yield inline(form);
    return;
  }
  const isEmpty = Object.keys(value).length === 0;
  const wasInline = isCollection(node) && node.flow === true && node.items.length > 0;
  if (!isInFlow && !isEmpty && !wasInline && isBare && parent) {
    const entry = startOfEntry(parent, index);
    if (entry !== undefined) yield [[mark + 1, to, blockAfter(spot, value, columnOf(tree, entry), render)]];
  }
  yield inline(flowText(value, isLikeJson(spot) || isLikeJson({ isInFlow: true, ...asParent(node) })));
}

function asParent(node: unknown): Pick<YamlSpot, "parent"> {
  return isMap(node) || isSeq(node) ? { parent: node } : {};
}

// A mapping after its key, and a list after a key or in an item.
function blockAfter({ tree, parent }: YamlSpot, value: Json, column: number, render: RenderValue): string {
  const lineEnd = lineEndOf(tree.text);
  const indent = " ".repeat(column + 2);
  const lines = linesOf(render(value), indent);
  if (isSeq(parent)) return ` ${lines.join(lineEnd).trimStart()}`;
  return `${lineEnd}${lines.join(lineEnd)}`;
}

function linesOf(rendered: string, indent: string): string[] {
  return rendered
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => (line === "" ? "" : `${indent}${line}`));
}

type Entries = readonly Json[] | readonly (readonly [string, Json])[];

// Behind the entry before them; those of a list may be the first ones.
function* additions(spot: YamlSpot, at: number, entries: Entries, render: RenderValue): Generator<Splice[]> {
  const { node, tree } = spot;
  if (!isMap(node) && !isSeq(node)) return;
  const start = startOfEntry(node, 0);
  const end = at > 0 ? endOfEntry(tree, node, at - 1) : undefined;
  if (start === undefined || (at > 0 && end === undefined)) return;
  if (node.flow || spot.isInFlow) {
    const isJson = isLikeJson({ parent: node, isInFlow: true });
    const texts = entries.map((entry) => flowEntry(entry, isMap(node), isJson));
    const apart = separatorIn(tree, node, start);
    const text = texts.join(apart);
    yield end === undefined ? [[start, start, `${text}${apart}`]] : [[end, end, `${apart}${text}`]];
    return;
  }
  const lineEnd = lineEndOf(tree.text);
  const indent = " ".repeat(columnOf(tree, start));
  const rendered = isMap(node)
    ? render(Object.fromEntries(entries as readonly [string, Json][]))
    : render([...entries] as Json[]);
  const lines = linesOf(rendered, indent).join(lineEnd);
  if (end === undefined) {
    const line = start - columnOf(tree, start);
    return yield tree.text.slice(line, start).trim() === ""
      ? [[line, line, `${lines}${lineEnd}`]]
      : [[start, start, `${lines.trimStart()}${lineEnd}${indent}`]];
  }
  const next = endOfLine(tree.text, end);
  const isClosed = end > 0 && tree.text[end - 1] === "\n";
  yield isClosed ? [[end, end, `${lines}${lineEnd}`]] : [[next, next, `${lineEnd}${lines}`]];
}

// What stands on lines of its own stays so.
function separatorIn({ text }: YamlTree, node: Parameters<typeof startOfEntry>[0], start: number): string {
  const before = text.slice(node.range?.[0] ?? start, start);
  return before.includes("\n") ? `,${lineEndOf(text)}${/[^\n]*$/.exec(before)?.[0] ?? ""}` : ", ";
}

function flowEntry(entry: Entries[number], isMember: boolean, isJson: boolean): string {
  if (!isMember) return flowText(entry as Json, isJson);
  const [key, value] = entry as readonly [string, Json];
  return `${isJson ? inDoubleQuotes(key) : plainText(key)}: ${flowText(value, isJson)}`;
}

function flowText(value: Json, isJson: boolean): string {
  if (typeof value === "string") return isJson ? inDoubleQuotes(value) : plainText(value);
  if (Array.isArray(value)) return `[${value.map((item) => flowText(item, isJson)).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map((member) => flowEntry(member, true, isJson))
    .join(", ")}}`;
}

// In brackets, most marks mean something.
function plainText(text: string): string {
  return /^[A-Za-z_](?:[\w ./-]*\w)?$/.test(text) && !/^(?:true|false|null)$/i.test(text)
    ? text
    : inDoubleQuotes(text);
}

function* removals(spot: YamlSpot, step: string | number, render: RenderValue): Generator<Splice[]> {
  const { node, tree } = spot;
  if (!isMap(node) && !isSeq(node)) return;
  const index = isMap(node)
    ? node.items.findIndex(({ key }) => isScalar(key) && String(key.value) === String(step))
    : Number(step);
  const count = node.items.length;
  if (index < 0 || index >= count) return;
  if (count === 1) return yield* settings(spot, isMap(node) ? {} : [], render);
  const start = startOfEntry(node, index);
  const end = endOfEntry(tree, node, index);
  const next = index + 1 < count ? startOfEntry(node, index + 1) : undefined;
  const before = index > 0 ? endOfEntry(tree, node, index - 1) : undefined;
  if (start === undefined || end === undefined) return;
  if (!node.flow && !spot.isInFlow) {
    const line = start - columnOf(tree, start);
    const isOnLine = tree.text.slice(line, start).trim() === "";
    if (isOnLine) yield [[line, afterLine(tree.text, end), ""]];
    // The first one after the dash of an item that is around it.
    else if (next !== undefined) yield [[start, next, ""]];
    return;
  }
  yield* removalsInFlow({ tree, start, end, next, before, comma: markOf(node, index, "comma") });
}

interface FlowEntry {
  readonly tree: YamlTree;
  readonly start: number;
  readonly end: number;
  /** Where the next one begins, and where the one before ends. */
  readonly next: number | undefined;
  readonly before: number | undefined;
  readonly comma: number | undefined;
}

function* removalsInFlow({ tree, start, end, next, before, comma }: FlowEntry): Generator<Splice[]> {
  const { text } = tree;
  const line = start - columnOf(tree, start);
  const behind = /^[ \t]*,?[ \t]*(?:#[^\n]*)?\r?\n/.exec(text.slice(end))?.[0];
  const isOnLine = text.slice(line, start).trim() === "" && behind !== undefined;
  if (isOnLine && next !== undefined) return yield [[line, end + behind.length, ""]];
  if (next !== undefined) return yield [[start, next, ""]];
  if (before === undefined || comma === undefined) return;
  const own: Splice = isOnLine ? [line, end + behind.length, ""] : [start, end, ""];
  // A comma at the end is none that JSON has.
  if (text.slice(before, start).includes("#")) yield [[comma, comma + 1, ""], own];
  else yield isOnLine ? [[comma, comma + 1, ""], own] : [[before, end, ""]];
}

function endOfLine(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  if (at === -1) return text.length;
  return text[at - 1] === "\r" ? at - 1 : at;
}

function afterLine(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === "\n") return offset;
  const at = text.indexOf("\n", offset);
  return at === -1 ? text.length : at + 1;
}
