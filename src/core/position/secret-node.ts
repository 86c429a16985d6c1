import { isAlias, isMap, isNode, isScalar, isSeq, visit, type Document } from "yaml";
import { resolveAlias } from "../document/alias.js";
import { isExpression, parseText } from "../expression/expression.js";
import type { Range } from "./range.js";
import { beginsWithExpression } from "./secret-line.js";
import { isSecretName } from "./secret-name.js";

/** The secrets that the syntax tree of a document shows. */
export interface FoundSecrets {
  readonly ranges: Range[];
  /** Whether these are all: the document has no errors, and no secret may be a tag, an anchor or an alias. */
  readonly isCertain: boolean;
}

/** Finds the values of secret fields in a document. */
export function secretsInNodes(document: Document, text: string): FoundSecrets {
  const ranges: Range[] = [];
  const seen = new Set<unknown>();
  const parameters = new Set<string>();
  let isCertain = document.errors.length === 0;
  const collect = (node: unknown): void => {
    if (seen.has(node)) return;
    seen.add(node);
    if (isAlias(node)) {
      const target = resolveAlias(node, document);
      if (target === undefined) isCertain = false;
      return collect(target);
    }
    // What was meant as a value may be read as a tag or an anchor of an empty one.
    if (isNode(node) && (node.tag !== undefined || node.anchor !== undefined)) isCertain = false;
    if (isScalar(node) && node.range) {
      const [start, end] = node.range;
      for (const name of parametersIn(String(node.value))) parameters.add(name);
      if (start < end && !isHarmless(text.slice(start, end)) && !isCutOff(text, start, end)) {
        ranges.push({ start, end });
      }
    } else if (isMap(node)) for (const { value } of node.items) collect(value);
    else if (isSeq(node)) node.items.forEach(collect);
  };
  visit(document, {
    Pair(_, { key, value }) {
      if (isScalar(key) && isSecretName(String(key.value))) collect(value);
    },
  });
  for (const node of parameterNodes(document, parameters)) collect(node);
  return { ranges: ranges.toSorted((a, b) => a.start - b.start), isCertain };
}

function parametersIn(text: string): string[] {
  return parseText(text).flatMap((part) =>
    isExpression(part) && part.scheme === "each" ? [part.locator] : [],
  );
}

// The value of a secret may be a parameter of `for_each`.
function parameterNodes({ contents }: Document, names: ReadonlySet<string>): unknown[] {
  if (names.size === 0 || !isMap(contents)) return [];
  const keys = contents.get("for_each");
  if (!isMap(keys)) return [];
  return keys.items.flatMap(({ value: entry }) => {
    if (!isMap(entry)) return [];
    return entry.items.flatMap(({ key, value }) =>
      isScalar(key) && names.has(String(key.value)) ? [value] : [],
    );
  });
}

function isHarmless(source: string): boolean {
  const parts = parseText(source.replace(/^(["'])(.*)\1$/s, "$2"));
  return parts.every((part) => part === "" || isExpression(part));
}

// In brackets, an expression without quotes is read as `$` and a mapping.
function isCutOff(text: string, start: number, end: number): boolean {
  return text.slice(start, end) === "$" && beginsWithExpression(text, start);
}
