import { schemes } from "../expression/expression.js";
import { once } from "../../json/once.js";
import { isScheme, keysIn, looksRandom, mayBeSecret } from "../schema/secret.js";
import { joinRanges, type Range } from "./range.js";
import type { SecretNames } from "./secret-name.js";

const expression = new RegExp(
  `\\$\\{(?:env:[A-Za-z_]\\w*(?:@[\\w.-]+)?|(?!env:)(?:${schemes.join("|")}):[\\w./@-]+)\\}`,
  "g",
);
const word = /[\w-]{3,40}/g;
// Where one begins, not within a word such as `R&D`.
const wordOrAnchor = /(?<!\w)&\S+|[\w-]{3,40}/g;
const punctuation = /(?:[\s{}[\],:"'|>]|-(?=\s|$))+/y;
// An empty line, the marker of a document, or that of a merge.
const marker = /^(?:\s*|---|\.\.\.|(?:<{7}|={7}|>{7}|\|{7})(?:\s.*)?)$/;
const keyAtStart = /^\s*(?:[-?]\s+){0,100}["'“”]?([\w.-]{1,60})["'“”]?\s*[:=]/;
const endsClosed = /[}\]]["']?\s*(?:#.*)?$/;
const secretInAddress =
  /(?<=:\/\/)[^\s/?#"'${}]+(?=@)|(?<=[?&;][\w-]{0,20}(?:key|token|secret|passw|pwd|sig|auth|credential)[\w-]{0,20}=)[^\s&;#"'${}]+/gi;
// How far is looked beside a word.
const nearby = 200;

/** The lines after the name of a secret that belong to its value. */
interface Region {
  /** The column of the line that has the name, after its dashes. */
  readonly indent: number;
  /** Whether its line ends with a bracket that closes the value or with an expression, or no field has its name. */
  readonly isClosed: boolean;
  /** How many brackets are open; infinite where a quote is. */
  depth: number;
}

/** Masks in broken YAML from a secret's name or an anchor to the next known field: rather too much, comments too. */
export function secretsInLines(text: string, names: SecretNames): Range[] {
  return new SecretLines(text, names, wordOrAnchor).ranges;
}

/** Finds the same in comments alone. */
export function secretsInComments(text: string, names: SecretNames): Range[] {
  return new SecretLines(text, names, word, /^(?:.*?\s)??#+/s).ranges;
}

/** Finds the keys of known providers, what is before the `@` of URLs, and the keys and tokens in their queries. */
export function secretsAnywhere(text: string): Range[] {
  const inAddresses = [...text.matchAll(secretInAddress)].map(({ 0: found, index }) => {
    return { start: index, end: index + found.length };
  });
  return joinRanges([...inAddresses, ...keysIn(text)]);
}

/** Whether an expression begins at an offset of a text that need not be valid YAML. */
export function beginsWithExpression(text: string, offset: number): boolean {
  return text.slice(offset, offset + 1000).search(expression) === 0;
}

class SecretLines {
  readonly ranges: Range[] = [];
  readonly #isSecret = once((name: string) => this.secrets.isLikely(name));
  readonly #isField = once((name: string) => this.secrets.has(name));
  #region: Region | undefined;

  constructor(
    text: string,
    private readonly secrets: SecretNames,
    private readonly words: RegExp,
    comment?: RegExp,
  ) {
    let start = 0;
    for (const line of text.split("\n")) {
      const isRead = comment === undefined || comment.test(line);
      if (isRead) this.#read(line.replace(comment ?? /^\s*#+/, blank), start);
      else this.#region = undefined;
      start += line.length + 1;
    }
  }

  #read(line: string, start: number): void {
    if (marker.test(line)) return;
    const indent = line.length - line.trimStart().length;
    if (this.#region && this.#isInside(line, indent, this.#region)) {
      const [key = "", name = ""] = keyAtStart.exec(line) ?? [];
      this.#mask(line, this.#isField(name) ? key.length : indent, start);
      this.#region.depth = depthAfter(line, this.#region.depth);
      // The value of a secret in it may be below it.
      if (this.#namesIn(line).some(({ 0: each }) => this.#isSecret(each)))
        this.#region = { ...this.#region, indent: Math.min(indent, this.#region.indent), isClosed: false };
      return;
    }
    this.#region = undefined;
    this.#search(line, start);
  }

  // A value that is not indented as it should be still belongs to the secret, so only a field that is known ends it.
  #isInside(line: string, indent: number, { indent: outer, depth, isClosed }: Region): boolean {
    if (depth > 0 || indent > outer) return true;
    if (isClosed) return false;
    const name = keyAtStart.exec(line)?.[1];
    return name === undefined || !this.secrets.isOrdinary(name);
  }

  #search(line: string, start: number): void {
    let isMasked = false;
    this.#maskRandom(line, start);
    for (const { 0: name, index } of this.#namesIn(line)) {
      const isAnchor = name.startsWith("&");
      if (!isAnchor && !this.#isSecret(name)) continue;
      const end = index + name.length;
      // A word such as `token` is in many texts.
      if (!isAnchor && !this.#isField(name) && !isKey(line, index, end)) continue;
      if (!isMasked) this.#mask(line, end, start);
      isMasked = true;
      if (!isAnchor && !isKey(line, index, end)) continue;
      const indent = /^[\s?-]*/.exec(line)?.[0].length ?? 0;
      const rest = line.slice(end);
      // What a name that is no field tells of is in its line.
      const isOneLine = !isAnchor && !this.#isField(name) && /[:=]\s*[^\s|>]/.test(rest.slice(0, nearby));
      const isClosed = isOneLine || endsClosed.test(rest.slice(-nearby));
      this.#region = { indent, depth: depthAfter(rest, 0), isClosed };
      return;
    }
  }

  #namesIn(line: string): RegExpExecArray[] {
    return [...withoutExpressions(line).matchAll(this.words)];
  }

  // The values of variables, and of what may be the key of a table as well.
  #maskRandom(line: string, start: number): void {
    const [, name = ""] = keyAtStart.exec(line) ?? [];
    const { hasOpen } = this.secrets;
    if (!hasOpen && this.secrets.tellingOf(name) === undefined) return;
    for (const { 0: text, index } of withoutExpressions(line).matchAll(/[^\s"'{}[\],]{5,4000}/g)) {
      if ((hasOpen ? mayBeSecret : looksRandom)(text))
        this.ranges.push({ start: start + index, end: start + index + text.length });
    }
  }

  #mask(line: string, from: number, start: number): void {
    punctuation.lastIndex = from;
    const first = punctuation.test(line) ? punctuation.lastIndex : from;
    const last = line.trimEnd().length;
    if (first < last && !this.#isHarmless(line.slice(first)))
      this.ranges.push({ start: start + first, end: start + last });
  }

  // Nothing but expressions, each perhaps with how it is given before it, and names of secrets.
  #isHarmless(rest: string): boolean {
    const parts = rest.split(expression).map((part) => {
      const unnamed = part.replaceAll(word, (name) => (this.#isField(name) ? "" : name));
      return unnamed.replaceAll(/[\s{}[\],:"'|>-]+/g, " ").trim();
    });
    return parts.every((part, at) => part === "" || (at < parts.length - 1 && isScheme(part)));
  }
}

// An expression is no secret, and the name of a scheme is like that of a field.
function withoutExpressions(line: string): string {
  return line.replaceAll(expression, blank);
}

function blank(part: string): string {
  return " ".repeat(part.length);
}

// An apostrophe counts as well, because only valid YAML says which one is a quote.
function depthAfter(part: string, before: number): number {
  const plain = withoutExpressions(part);
  if (plain.replaceAll(/[^"']/g, "").length % 2 === 1) return Infinity;
  let depth = before;
  for (const [bracket] of plain.matchAll(/[{}[\]]/g)) {
    depth = "{[".includes(bracket) ? depth + 1 : Math.max(0, depth - 1);
  }
  return depth;
}

function isKey(line: string, start: number, end: number): boolean {
  const isNamed = /^["'”]?\s*[:=]/.test(line.slice(end, end + nearby));
  return isNamed || /(?:^[\s?-]*|[{,[]\s*)["'“]?$/.test(line.slice(Math.max(0, start - nearby), start));
}
