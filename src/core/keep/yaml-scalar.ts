import { isScalar, type Scalar } from "yaml";
import { invisible } from "../finding/invisible.js";
import type { Json } from "../../json/json.js";
import { linesOfWords } from "../../json/texts.js";
import { differingRuns } from "../review/differing-runs.js";
import { columnOf, startOfEntry, type YamlSpot } from "./yaml-spot.js";

const hidden = new RegExp(`[${invisible}]`, "u");
const hiddenInBlock = new RegExp(`[${invisible}]`, "gu");

/**
 * Gives the ways to write a value that is no collection in the place of what is there, the closest to its form first.
 * Not each of them means the value: what is plain may be read as something else.
 */
export function scalarForms(value: Exclude<Json, object> | null, spot: YamlSpot): string[] {
  if (typeof value !== "string") return [JSON.stringify(value)];
  const { node, isInFlow } = spot;
  const was = isScalar(node) ? node.type : undefined;
  const quoted = inDoubleQuotes(value);
  if (hidden.test(value.replaceAll("\n", ""))) return [quoted];
  const block = isInFlow ? [] : blockForms(value, spot);
  if (value.includes("\n")) return [...block, quoted];
  switch (was) {
    case "QUOTE_DOUBLE":
      return [quoted];
    case "QUOTE_SINGLE":
      return [`'${value.replaceAll("'", "''")}'`, quoted];
    case "BLOCK_LITERAL":
    case "BLOCK_FOLDED":
      return [...block, value, quoted];
    default:
      return isLikeJson(spot) ? [quoted] : [value, quoted];
  }
}

/** Writes a text in double quotes, what is hidden in it as escapes. */
export function inDoubleQuotes(text: string): string {
  return JSON.stringify(text).replaceAll(hiddenInBlock, (char) => {
    const code = (char.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
}

/** Whether the keys beside a value, or the texts, are in double quotes, as in JSON. */
export function isLikeJson({ parent, isInFlow }: Pick<YamlSpot, "parent" | "isInFlow">): boolean {
  if (!isInFlow || !parent) return false;
  const [first] = parent.items as unknown[];
  const sample = isScalar(first) ? first : (first as { key?: unknown } | undefined)?.key;
  return isScalar(sample) && sample.type === "QUOTE_DOUBLE";
}

function blockForms(value: string, spot: YamlSpot): string[] {
  const { node } = spot;
  const literal =
    isScalar(node) && node.type === "BLOCK_LITERAL" ? editedLiteral(value, node, spot) : undefined;
  const isFolded = isScalar(node) && node.type === "BLOCK_FOLDED";
  const folded = isFolded ? [rewoven(value, node, spot), refolded(value, node, spot)] : [];
  return [literal, ...folded, newLiteral(value, spot)].filter((form) => form !== undefined);
}

/** How a block begins and ends. */
interface BlockForm {
  /** What is after `|` or `>`: digits, and how its end is read; with the comment behind it. */
  readonly head: string;
  /** What separates lines. */
  readonly lineEnd: string;
  readonly lines: readonly string[];
  /** What is before its lines. */
  readonly indent: string;
}

function blockOf({ range }: Scalar, text: string): BlockForm {
  const source = text.slice(range?.[0], range?.[1]);
  const lineEnd = source.includes("\r\n") ? "\r\n" : "\n";
  const [head = "", ...lines] = source.split(lineEnd);
  if (lines.at(-1) === "") lines.pop();
  const indent = /^ */.exec(lines.find((line) => line.trim() !== "") ?? "")?.[0] ?? "";
  return { head, lineEnd, lines, indent };
}

// How the end of a block is read: without line ends, with one, or with all.
function endMark(value: string, was: string): string | undefined {
  const ends = /\n*$/.exec(value)?.[0].length ?? 0;
  if (ends === value.length) return undefined;
  if (ends === 0) return "-";
  return ends > 1 || was === "+" ? "+" : "";
}

function linesOf(value: string, mark: string): string[] {
  return (mark === "-" ? value : value.slice(0, -1)).split("\n");
}

/** Indents lines, but for empty ones. */
export function indented(lines: readonly string[], indent: string): string[] {
  return lines.map((line) => (line === "" ? "" : `${indent}${line}`));
}

// Only the lines that differ are written anew.
function editedLiteral(value: string, node: Scalar, { tree }: YamlSpot): string | undefined {
  const { head, lineEnd, lines, indent } = blockOf(node, tree.text);
  const was = /^\|\d?([+-])?|^\|([+-])?\d?/.exec(head);
  const mark = endMark(value, /[+-]/.exec(was?.[0] ?? "")?.[0] ?? "");
  if (mark === undefined || indent === "") return undefined;
  const wanted = linesOf(value, mark);
  const current = linesOf(String(node.value), endMark(String(node.value), "") === "-" ? "-" : "");
  const runs = differingRuns(current, wanted) ?? [{ before: [0, current.length], after: [0, wanted.length] }];
  const rest = mark === "+" ? [] : lines.slice(current.length);
  const written = lines.slice(0, current.length);
  for (const { before, after } of runs.toReversed()) {
    written.splice(before[0], before[1] - before[0], ...indented(wanted.slice(...after), indent));
  }
  const digit = /\d/.exec(was?.[0] ?? "")?.[0] ?? "";
  const behind = head.slice(was?.[0].length ?? 1);
  return [`|${digit}${mark}${behind}`, ...written, ...rest].join(lineEnd);
}

// The words that differ are written where those before them were; undefined if paragraphs come or go.
function rewoven(value: string, node: Scalar, { tree }: YamlSpot): string | undefined {
  const { head, lineEnd, lines, indent } = blockOf(node, tree.text);
  const end = lines.findLastIndex((line) => line.trim() !== "") + 1;
  const own = lines.slice(0, end).flatMap((line, at) => {
    const content = line.slice(indent.length);
    return (content === "" ? ["\n"] : content.split(" ")).map((word) => ({ word, at }));
  });
  const parts = value.trimEnd().split(/(\n)/);
  const wanted = parts.flatMap((part) => (part === "" ? [] : part.split(" ")));
  const words = own.map(({ word }) => word);
  const runs = differingRuns(words, wanted);
  const isSplit = runs?.some(({ before, after }) =>
    [...words.slice(...before), ...wanted.slice(...after)].includes("\n"),
  );
  if (!runs || isSplit) return undefined;
  for (const { before, after } of runs.toReversed()) {
    const at = own[before[0]]?.at ?? end - 1;
    const fresh = wanted.slice(...after).map((word) => ({ word, at }));
    own.splice(before[0], before[1] - before[0], ...fresh);
  }
  const woven = lines.slice(0, end).flatMap((_line, at) => {
    const left = own.filter((each) => each.at === at).map(({ word }) => word);
    return left.length === 0 ? [] : [left[0] === "\n" ? "" : `${indent}${left.join(" ")}`];
  });
  return [head, ...woven, ...lines.slice(end)].join(lineEnd);
}

// As wide as it was: what was filled up from the beginning stays as it is.
function refolded(value: string, node: Scalar, { tree }: YamlSpot): string | undefined {
  const { head, lineEnd, lines, indent } = blockOf(node, tree.text);
  const mark = endMark(value, "");
  const paragraphs = value.trimEnd().split(/\n/);
  if (mark === undefined || indent === "" || paragraphs.some((each) => /^\s|\s$/.test(each)))
    return undefined;
  const width = Math.max(40, ...lines.map((line) => line.length - indent.length));
  const body = value.trimEnd().replaceAll(/\n+/g, (ends) => `${ends}\n`);
  const folded = body
    .split("\n")
    .flatMap((line) => (line === "" ? [""] : linesOfWords(line.split(/(?<=\S) (?=\S)/), width)));
  const rest = mark === "+" ? [] : lines.slice(lines.findLastIndex((line) => line.trim() !== "") + 1);
  return [`>${mark}${head.replace(/^>[\d+-]*/, "")}`, ...indented(folded, indent), ...rest].join(lineEnd);
}

function newLiteral(value: string, spot: YamlSpot): string | undefined {
  const { tree, parent, index } = spot;
  const mark = endMark(value, "");
  const start = parent && startOfEntry(parent, index);
  if (mark === undefined || start === undefined || !value.includes("\n")) return undefined;
  const indent = " ".repeat(columnOf(tree, start) + 2);
  const lineEnd = lineEndOf(tree.text);
  const lines = indented(linesOf(value, mark), indent);
  // What begins with a space does not say by itself how far it is indented.
  const digit = /^\n* /.test(value) ? "2" : "";
  return [`|${digit}${mark}${commentOf(spot)}`, ...lines].join(lineEnd);
}

/** Gives the comment behind the mark of a block, with the space before it. */
export function commentOf({ node, tree }: YamlSpot): string {
  const isBlock = isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED");
  const head = isBlock ? tree.text.slice(node.range?.[0]).split(/\r?\n/, 1) : [];
  return /[ \t]+#.*$/.exec(head[0] ?? "")?.[0] ?? "";
}

/** Gives what ends the lines of a text. */
export function lineEndOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
