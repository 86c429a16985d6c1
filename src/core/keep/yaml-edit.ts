import { isAlias, isCollection, isMap, isSeq, type Schema } from "yaml";
import { equal, isObject, type Json } from "../../json/json.js";
import { valueAt } from "../../json/path.js";
import { withEdit, type ValueEdit } from "./value-edit.js";
import { inFlow, isLikeJson, linesOf, shapesOf } from "./yaml-form.js";
import { remarkAbove, removal } from "./yaml-removal.js";
import {
  columnOf,
  endOf,
  endOfEntry,
  endOfLine,
  isBlockScalar,
  joined,
  markOf,
  spliced,
  spotAt,
  startOfEntry,
  treeOf,
  type Splice,
  type YamlSpot,
} from "./yaml-spot.js";

/** Finds the lines of YAML that one edit replaces; undefined if no text there says exactly what is wanted. */
export function yamlSplice(text: string, given: ValueEdit, schema: Schema): Splice | undefined {
  const tree = treeOf(text);
  if (!tree) return undefined;
  const edit = given.type === "add" ? withWayTo(tree.value, given) : given;
  const wanted = withEdit(tree.value, edit);
  const spot = spotAt(tree, edit.type === "add" ? edit.path.slice(0, -1) : edit.path);
  if (!spot) return undefined;
  for (const splices of splicesOf(spot, edit, schema)) {
    const splice = joined(text, splices);
    const read = treeOf(spliced(text, [splice]));
    if (read && equal(read.value, wanted)) return splice;
  }
  return undefined;
}

/** Makes such an edit. */
export function editedYaml(text: string, edit: ValueEdit, schema: Schema): string | undefined {
  const splice = yamlSplice(text, edit, schema);
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

function* splicesOf(spot: YamlSpot, edit: ValueEdit, schema: Schema): Generator<Splice[]> {
  const { node } = spot;
  switch (edit.type) {
    case "set":
      return yield* settings(spot, edit.value, schema);
    case "remove": {
      const around = spotAt(spot.tree, edit.path.slice(0, -1));
      if (!around || spot.parent?.items.length !== 1) return yield* removal(spot);
      return yield* settings(around, isMap(spot.parent) ? {} : [], schema);
    }
    case "add": {
      const member = { [String(edit.path.at(-1))]: edit.value };
      if (!isMap(node) || node.items.length === 0) return yield* settings(spot, member, schema);
      return yield* additions(spot, edit.isFirst ? 0 : node.items.length, [member], schema);
    }
    case "insert": {
      if (!isSeq(node) || node.items.length === 0) return yield* settings(spot, [...edit.items], schema);
      const items = edit.items.map((item) => [item]);
      return yield* additions(spot, edit.index, items, schema);
    }
  }
}

// What is in the place of a value that is there.
function* settings(spot: YamlSpot, value: Json, schema: Schema): Generator<Splice[]> {
  const { tree, node, parent, index, isInFlow } = spot;
  const { text } = tree;
  const end = node && endOf(tree, node);
  const start = node?.range?.[0];
  const isThere = start !== undefined && end !== undefined && end > start;
  const mark = parent && markOf(parent, index, isMap(parent) ? "map-value-ind" : "seq-item-ind");
  const from = isThere ? start : mark === undefined ? undefined : mark + 1;
  if (from === undefined) return;
  const to = isThere ? end : from;
  const gap = mark === undefined ? "" : text.slice(mark + 1, from);
  const isBlock = isCollection(node) && !isAlias(node) && node.flow !== true;
  const isBare = gap.trim() === "" && mark !== undefined;
  const isNested = typeof value === "object" && value !== null;
  const wasInline = isCollection(node) && node.flow === true && node.items.length > 0;
  const isInLines = isNested ? isBare && !wasInline && Object.keys(value).length > 0 : true;
  const entry = parent && startOfEntry(parent, index);
  // A comment on the line stays on it, also behind the mark of a block, whose last line may end with blanks.
  const isText = isBlockScalar(node);
  const header = isText ? (/^[|>][\d+-]*/.exec(text.slice(from))?.[0].length ?? 0) : to - from;
  const headEnd = endOfLine(text, from + header);
  const last = Math.max(headEnd, isText ? endOfLine(text, to) : to);
  if (parent && entry !== undefined && !isInFlow && isInLines) {
    // The value of a block begins on a line of its own, and another one beside its key.
    const isMoved = isBare && (isBlock || isNested || !isThere);
    for (const shape of shapesOf(spot, columnOf(tree, entry), value)) {
      const entries = isMap(parent) ? { k: value } : [value];
      const [first = "", ...lines] = linesOf(entries, schema, shape);
      const head = first.slice(isMap(parent) ? 2 : 1).trim();
      const behind = isBlock && head === "" ? to : headEnd;
      yield [
        isMoved ? [mark + 1, from + header, head === "" ? "" : ` ${head}`] : [from, from + header, head],
        [behind, Math.max(behind, last), lines.map((line) => `${tree.lineEnd}${line}`).join("")],
      ];
    }
  }
  const isJson = isLikeJson(spot) || (isCollection(node) && isLikeJson({ parent: node, isInFlow: true }));
  const form = inFlow([value], schema, isJson);
  if (isText)
    yield [
      [from, from + header, form],
      [headEnd, last, ""],
    ];
  else yield isBlock && isBare ? [[mark + 1, to, ` ${form}`]] : [[from, to, isThere ? form : ` ${form}`]];
}

// Behind the entry before them; those of a list may be the first ones.
function* additions(
  { node, tree, isInFlow }: YamlSpot,
  at: number,
  entries: readonly Json[],
  schema: Schema,
): Generator<Splice[]> {
  if (!isMap(node) && !isSeq(node)) return;
  const start = startOfEntry(node, 0);
  const end = at > 0 ? endOfEntry(tree, node, at - 1) : undefined;
  if (start === undefined || (at > 0 && end === undefined)) return;
  const { text, lineEnd } = tree;
  const column = columnOf(tree, start);
  const indent = " ".repeat(column);
  const isOnLine = text.slice(start - column, start).trim() === "";
  const first = isOnLine ? start - column - remarkAbove(tree, node, 0) : start;
  const isJson = isLikeJson({ parent: node, isInFlow: isInFlow || node.flow === true });
  const inOneLine = entries.map((entry) => inFlow(entry, schema, isJson));
  if (!node.flow && !isInFlow) {
    const inLines = entries.map((entry) => linesOf(entry, schema, { indent }).join(lineEnd));
    const next = end === undefined ? first : endOfLine(text, end);
    for (const forms of [inLines, isMap(node) ? inOneLine : inOneLine.map((form) => `- ${form}`)]) {
      const fresh = forms.join(`${lineEnd}${indent}`);
      if (end !== undefined) yield [[next, next, `${lineEnd}${indent}${fresh}`]];
      else yield [[next, next, isOnLine ? `${indent}${fresh}${lineEnd}` : `${fresh}${lineEnd}${indent}`]];
    }
    return;
  }
  // What is behind an entry on its line stays there: a comma, and a comment.
  const behind = /^[ \t]*(,?)[ \t]*(#[^\r\n]*)?(?=\r?\n)/.exec(end === undefined ? "" : text.slice(end));
  const line = isOnLine || behind?.[2] ? `${lineEnd}${indent}` : " ";
  const fresh = inOneLine.join(`,${line}`);
  if (end === undefined) {
    yield [[first, first, isOnLine ? `${indent}${fresh},${lineEnd}` : `${fresh},${line}`]];
  } else if (behind && line !== " ") {
    const [all, comma = ""] = behind;
    const next = end + all.length;
    yield [
      [end, end, comma === "" ? "," : ""],
      [next, next, `${line}${fresh}${comma}`],
    ];
  } else yield [[end, end, `,${line}${fresh}`]];
}
