import { Document, isScalar, visit, type Scalar, type Schema } from "yaml";
import type { Json } from "../../json/json.js";
import { isBlockScalar, type YamlSpot } from "./yaml-spot.js";

/** How lines of a value are written. */
export interface LineShape {
  /** What each line but the first one begins with. */
  readonly indent: string;
  /** How many columns the text in a member or an item is indented more than it. */
  readonly step?: number;
  /** The form of the text that it takes the place of, and its width if it is folded. */
  readonly type?: Scalar.Type;
  readonly width?: number;
}

/** Renders a collection with one entry in lines, the first one without the indent. */
export function linesOf(
  entry: unknown,
  schema: Schema,
  { indent, step = 2, type, width = 0 }: LineShape,
): string[] {
  const document = new Document(entry, { schema, aliasDuplicateObjects: false });
  const value = document.getIn([Array.isArray(entry) ? 0 : "k"], true);
  if (isScalar<unknown>(value) && typeof value.value === "string" && type) {
    const isInOneLine = type !== "BLOCK_LITERAL" && type !== "BLOCK_FOLDED";
    if (!isInOneLine || !value.value.includes("\n")) value.type = type;
  }
  const lines = document.toString({ lineWidth: width, indent: step }).replace(/\n$/, "").split("\n");
  return lines.map((line, index) => (line === "" || index === 0 ? line : `${indent}${line}`));
}

/** Renders what is in a collection in one line, without its brackets. */
export function inFlow(entry: unknown, schema: Schema, isJson: boolean): string {
  const document = new Document(entry, { schema, aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      if (isJson || String(node.value).includes("\n")) node.type = "QUOTE_DOUBLE";
    },
  });
  const options = { collectionStyle: "flow", flowCollectionPadding: false, lineWidth: 0 } as const;
  return document
    .toString({ ...options, doubleQuotedMinMultiLineLength: Infinity })
    .trimEnd()
    .slice(1, -1);
}

/** Gives the shapes in which a value may take the place of another one, the closest to its form first. */
export function shapesOf({ node, tree }: YamlSpot, column: number, value: Json): LineShape[] {
  const indent = " ".repeat(column);
  if (!isScalar(node) || !node.type || typeof value !== "string") return [{ indent }];
  const { type } = node;
  if (!isBlockScalar(node)) return [{ indent, type }, { indent }];
  const [, ...lines] = tree.text.slice(...(node.range ?? [])).split(/\r?\n/);
  const indents = lines.flatMap((line) => (line.trim() === "" ? [] : [/^ */.exec(line)?.[0].length ?? 0]));
  // A call does not take as many arguments as a text may have lines.
  const step = indents.reduce((least, each) => Math.min(least, each), Infinity) - column;
  const width = lines.reduce((most, line) => Math.max(most, line.length - column), lines.length > 2 ? 0 : 80);
  return [
    ...(step > 0 && step < 10 ? [{ indent, type, width, step }] : []),
    { indent, type, width },
    { indent },
  ];
}

/** Whether the keys beside a value, or the texts, are in double quotes, as in JSON. */
export function isLikeJson({ parent, isInFlow }: Pick<YamlSpot, "parent" | "isInFlow">): boolean {
  if (!isInFlow || !parent) return false;
  const [first] = parent.items as unknown[];
  const sample = isScalar(first) ? first : (first as { key?: unknown } | undefined)?.key;
  return isScalar(sample) && sample.type === "QUOTE_DOUBLE";
}
