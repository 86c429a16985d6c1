import { isAlias, isMap, isNode, isScalar, isSeq, visit, type Document, type Pair } from "yaml";
import { resolveAlias } from "../document/yaml-keys.js";
import { isExpression, parseText } from "../expression/expression.js";
import type { Range } from "./range.js";
import { beginsWithExpression } from "./secret-line.js";
import { isFieldName, secretNames, type SecretNames } from "./secret-name.js";
import { isScheme, isSecretText, mayBeSecret, type Telling } from "../schema/secret.js";

/** The secrets that the syntax tree of a document shows. */
export interface FoundSecrets {
  readonly ranges: Range[];
  /** Whether these are all: the document has no errors, and no secret may be a tag, an anchor or an alias. */
  readonly isCertain: boolean;
}

/** Finds the values of secret fields and the keys in them, for a secret text may be read as a mapping. */
export function secretsInNodes(document: Document, text: string, names: SecretNames): FoundSecrets {
  const found = new SecretNodes(document, text, names);
  visit(document, {
    Pair(_, { key, value }) {
      const named = isAlias(key) ? resolveAlias(key, document) : key;
      return isScalar(named) ? found.addMember(String(named.value), value) : undefined;
    },
  });
  found.addParameters();
  const { ranges, isCertain } = found;
  return { ranges: ranges.toSorted((a, b) => a.start - b.start), isCertain };
}

/** What may be a secret: the whole of a value, what a name tells of, or a value without such a name. */
type HiddenAs = "whole" | "group" | Telling | "unnamed";

class SecretNodes {
  readonly ranges: Range[] = [];
  isCertain: boolean;
  readonly #seen = new Map<HiddenAs, Set<unknown>>();
  readonly #parameters = new Map<string, "whole" | Telling>();

  constructor(
    private readonly document: Document,
    private readonly text: string,
    private readonly names: SecretNames,
  ) {
    this.isCertain = document.errors.length === 0;
  }

  /** Adds what is secret in the value of a name. */
  addMember(name: string, value: unknown): typeof visit.SKIP | undefined {
    if (this.names.isOpen(name)) {
      this.#addOpen(value, true);
      return visit.SKIP;
    }
    if (this.names.has(name)) this.#addWhole(value, this.names.isGroup(name) ? "group" : "whole");
    else this.#addNamed(name, value);
    return undefined;
  }

  /** Adds the parameters of `for_each` that the secrets which were added are made of. */
  addParameters(): void {
    for (const [name, sought] of this.#parameters) {
      for (const node of parameterNodes(this.document, name)) {
        if (sought === "whole") this.#addWhole(node, sought);
        else this.#addText(node, sought);
      }
    }
  }

  #addWhole(node: unknown, as: "whole" | "group", isAliased = false): void {
    if (this.#isSeen(node, "whole", as)) return;
    if (isAlias(node)) {
      if (node.range) this.#mask(node.range[0], node.range[1]);
      const target = resolveAlias(node, this.document);
      if (target === undefined) this.isCertain = false;
      return this.#addWhole(target, as, true);
    }
    // What was meant as a value may be read as a tag or an anchor of an empty one.
    if (isNode(node) && (node.tag !== undefined || node.anchor !== undefined)) {
      this.isCertain = false;
      if (node.range && !isAliased) this.#mask(propertiesBefore(this.text, node.range[0]), node.range[0]);
    }
    if (isScalar(node) && node.range) {
      for (const name of parametersIn(String(node.value))) this.#parameters.set(name, "whole");
      this.#mask(node.range[0], node.range[1]);
    } else if (isMap(node)) {
      for (const pair of node.items) {
        if (!isNamed(pair, as === "group")) this.#addWhole(pair.key, "whole");
        this.#addWhole(pair.value, "whole");
      }
    } else if (isSeq(node)) for (const item of node.items) this.#addWhole(item, "whole");
  }

  #addNamed(name: string, node: unknown): void {
    const telling = this.names.tellingOf(name);
    if (telling) this.#addText(node, telling);
  }

  // What may be a tag or an anchor may be anything.
  #addText(node: unknown, sought: Telling | "unnamed"): void {
    const target = isAlias(node) ? resolveAlias(node, this.document) : node;
    if (this.#isSeen(target, sought)) return;
    if (isSeq(target)) for (const item of target.items) this.#addText(item, sought);
    // Such as `client_secret: {current: …}`.
    if (isMap(target) && (sought === "always" || sought === "mostly"))
      for (const { value } of target.items) this.#addWithin(value);
    if (!isScalar(target)) return;
    const isOdd = target.tag !== undefined || target.anchor !== undefined;
    const source = typeof target.value === "string" ? target.value : "";
    const isSecret = sought === "unnamed" ? mayBeSecret(source) : isSecretText(source, sought);
    if (isOdd || isSecret) return this.#addWhole(node, "whole");
    if (sought === "unnamed") return;
    for (const name of parametersIn(source)) {
      this.#parameters.set(name, this.#parameters.get(name) ?? sought);
    }
  }

  #addWithin(node: unknown): void {
    if (isMap(node)) for (const { value } of node.items) this.#addWithin(value);
    else if (isSeq(node)) for (const item of node.items) this.#addWithin(item);
    else this.#addText(node, "perhaps");
  }

  // Variables have names of their own, and those of secrets in documents.
  #addOpen(node: unknown, areNames: boolean): void {
    if (isSeq(node)) return node.items.forEach((item) => this.#addOpen(item, false));
    if (!isMap(node)) return this.#addText(node, "unnamed");
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : "";
      if (!areNames) this.#addOpen(key, false);
      if (secretNames.has(name)) this.#addWhole(value, "whole");
      else this.#addNamed(name, value);
      this.#addOpen(value, false);
    }
  }

  #isSeen(node: unknown, ...as: HiddenAs[]): boolean {
    if (as.some((each) => this.#seen.get(each)?.has(node))) return true;
    const last = as.at(-1) ?? "whole";
    this.#seen.set(last, (this.#seen.get(last) ?? new Set()).add(node));
    return false;
  }

  #mask(start: number, end: number): void {
    const { text } = this;
    if (start < end && !isHarmless(text.slice(start, end)) && !isCutOff(text, start, end)) {
      this.ranges.push({ start, end });
    }
  }
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
function parameterNodes(document: Document, parameter: string): unknown[] {
  const itemsOf = (node: unknown): readonly Pair[] => {
    const target = isAlias(node) ? resolveAlias(node, document) : node;
    return isMap(target) ? target.items : [];
  };
  const isNamed = ({ key }: Pair, name: string) => isScalar(key) && String(key.value) === name;
  const forEach = itemsOf(document.contents).filter((pair) => isNamed(pair, "for_each"));
  return forEach.flatMap(({ value }) =>
    itemsOf(value).flatMap(({ key, value: entry }) => [
      ...(parameter === "key" ? [key] : []),
      ...itemsOf(entry).flatMap((pair) => (isNamed(pair, parameter) ? [pair.value] : [])),
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

// What is nearly an expression has a name as well, unless that looks like a secret.
const likeExpression = /\$\{(?:[a-z_]{1,12}[:.])?([A-Za-z_]\w{0,60})\}/g;

function meantVariable(source: string, name: string): string {
  return mayBeSecret(name) ? source : "${env:NAME}";
}

function isHarmless(source: string): boolean {
  const unquoted = source.replace(/^(["'])(.*)\1$/s, "$2");
  const parts = parseText(unquoted.replaceAll(likeExpression, meantVariable));
  const isPlain = (part: (typeof parts)[number]) => typeof part === "string" && isScheme(part);
  return parts.every(
    (part) => part === "" || isExpression(part) || (parts.some(isExpression) && isPlain(part)),
  );
}

// In brackets, an expression without quotes is read as `$` and a mapping with one key.
function isCutOff(text: string, start: number, end: number): boolean {
  const isDollar = text.slice(start, end) === "$";
  const isInside = text.slice(start - 2, start) === "${" && text[end] === "}";
  return (isDollar || isInside) && beginsWithExpression(text, isDollar ? start : start - 2);
}
