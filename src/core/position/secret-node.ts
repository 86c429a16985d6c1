import { isAlias, isMap, isNode, isScalar, isSeq, visit, type Document, type Pair } from "yaml";
import { resolveAlias } from "../document/alias.js";
import { isExpression, parseText } from "../expression/expression.js";
import type { Range } from "./range.js";
import { beginsWithExpression } from "./secret-line.js";
import { isFieldName, secretNames } from "./secret-name.js";

/** The secrets that the syntax tree of a document shows. */
export interface FoundSecrets {
  readonly ranges: Range[];
  /** Whether these are all: the document has no errors, and no secret may be a tag, an anchor or an alias. */
  readonly isCertain: boolean;
}

/**
 * Finds the values of secret fields in a document, and the keys in them: what was meant as a text may be read as a
 * mapping. Names of fields stay, and so do the keys under which a group of secrets has its members.
 */
export function secretsInNodes(document: Document, text: string, names = secretNames): FoundSecrets {
  const ranges: Range[] = [];
  const seen = { group: new Set<unknown>(), value: new Set<unknown>() };
  const parameters = new Set<string>();
  let isCertain = document.errors.length === 0;
  const mask = (start: number, end: number): void => {
    if (start < end && !isHarmless(text.slice(start, end)) && !isCutOff(text, start, end)) {
      ranges.push({ start, end });
    }
  };
  const collect = (node: unknown, as: keyof typeof seen, isAliased = false): void => {
    if (seen.value.has(node) || seen[as].has(node)) return;
    seen[as].add(node);
    if (isAlias(node)) {
      if (node.range) mask(node.range[0], node.range[1]);
      const target = resolveAlias(node, document);
      if (target === undefined) isCertain = false;
      return collect(target, as, true);
    }
    // What was meant as a value may be read as a tag or an anchor of an empty one.
    if (isNode(node) && (node.tag !== undefined || node.anchor !== undefined)) {
      isCertain = false;
      if (node.range && !isAliased) mask(propertiesBefore(text, node.range[0]), node.range[0]);
    }
    if (isScalar(node) && node.range) {
      for (const name of parametersIn(String(node.value))) parameters.add(name);
      mask(node.range[0], node.range[1]);
    } else if (isMap(node)) {
      for (const pair of node.items) {
        if (!isNamed(pair, as === "group")) collect(pair.key, "value");
        collect(pair.value, "value");
      }
    } else if (isSeq(node)) for (const item of node.items) collect(item, "value");
  };
  visit(document, {
    Pair(_, { key, value }) {
      const named = isAlias(key) ? resolveAlias(key, document) : key;
      if (!isScalar(named) || !names.has(String(named.value))) return;
      collect(value, names.isGroup(String(named.value)) ? "group" : "value");
    },
  });
  for (const node of parameterNodes(document, parameters)) collect(node, "value");
  return { ranges: ranges.toSorted((a, b) => a.start - b.start), isCertain };
}

// A key without a colon, as in `{text}`, is no name.
function isNamed({ key, value }: Pair, isInGroup: boolean): boolean {
  return value !== null && isScalar(key) && (isInGroup || isFieldName(String(key.value)));
}

function parametersIn(text: string): string[] {
  return parseText(text).flatMap((part) =>
    isExpression(part) && part.scheme === "each" ? [part.locator] : [],
  );
}

// The value of a secret may be a parameter of `for_each`, or its key.
function parameterNodes(document: Document, names: ReadonlySet<string>): unknown[] {
  if (names.size === 0) return [];
  const itemsOf = (node: unknown): readonly Pair[] => {
    const target = isAlias(node) ? resolveAlias(node, document) : node;
    return isMap(target) ? target.items : [];
  };
  const isNamed = ({ key }: Pair, has: (name: string) => boolean) => isScalar(key) && has(String(key.value));
  const forEach = itemsOf(document.contents).filter((pair) => isNamed(pair, (name) => name === "for_each"));
  return forEach.flatMap(({ value }) =>
    itemsOf(value).flatMap(({ key, value: entry }) => [
      ...(names.has("key") ? [key] : []),
      ...itemsOf(entry).flatMap((pair) => (isNamed(pair, (name) => names.has(name)) ? [pair.value] : [])),
    ]),
  );
}

/** Gives the offset of the tag and the anchor that are before a node. */
function propertiesBefore(text: string, offset: number): number {
  let from = offset;
  for (;;) {
    let at = from;
    while (/\s/.test(text.charAt(at - 1))) at--;
    const end = at;
    while (/[^\s,[\]{}]/.test(text.charAt(at - 1))) at--;
    if (at === end || !/[!&]/.test(text.charAt(at))) return from;
    from = at;
  }
}

function isHarmless(source: string): boolean {
  const parts = parseText(source.replace(/^(["'])(.*)\1$/s, "$2"));
  return parts.every((part) => part === "" || isExpression(part));
}

// In brackets, an expression without quotes is read as `$` and a mapping with one key.
function isCutOff(text: string, start: number, end: number): boolean {
  const isDollar = text.slice(start, end) === "$";
  const isInside = text.slice(start - 2, start) === "${" && text[end] === "}";
  return (isDollar || isInside) && beginsWithExpression(text, isDollar ? start : start - 2);
}
