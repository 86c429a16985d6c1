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
const wordOrAnchor = /&\S+|[\w-]{3,40}/g;
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
  /** How many brackets are open; infinite where a quote is. */
  depth: number;
  /** Whether the value ends with a bracket that closes it, or with an expression. */
  isClosed: boolean;
}

/**
 * Finds what may be a secret in a text that is not valid YAML, line by line: everything from the name of a secret
 * field to the end of its line, and the lines that may belong to its value. Comments are read as what they comment
 * out. Too much is masked rather than too little.
 */
export function secretsInLines(text: string, names: SecretNames): Range[] {
  const first = new SecretLines(text, names, word);
  // An alias in a secret makes a secret of what has its anchor, which is before it.
  return first.hasAlias ? new SecretLines(text, names, wordOrAnchor).ranges : first.ranges;
}

/** Finds the same in the lines that are only a comment. */
export function secretsInComments(text: string, names: SecretNames): Range[] {
  return new SecretLines(text, names, word, /^\s*#/).ranges;
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
  hasAlias = false;
  readonly #isSecret = once((name: string) => this.secrets.isLikely(name));
  readonly #isField = once((name: string) => this.secrets.has(name));
  #region: Region | undefined;

  constructor(
    text: string,
    private readonly secrets: SecretNames,
    private readonly words: RegExp,
    only?: RegExp,
  ) {
    let start = 0;
    for (const line of text.split("\n")) {
      if (only === undefined || only.test(line)) {
        this.#read(
          line.replace(/^\s*#+/, (mark) => " ".repeat(mark.length)),
          start,
        );
      } else this.#region = undefined;
      start += line.length + 1;
    }
  }

  #read(line: string, start: number): void {
    const region = this.#region;
    if (marker.test(line)) return;
    const indent = line.length - line.trimStart().length;
    if (region && this.#isInside(line, indent, region)) {
      this.#mask(line, indent, start);
      this.#follow(line, region);
      if (this.#namesIn(line).some(({ 0: name }) => this.#isSecret(name))) region.isClosed = false;
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

  #follow(rest: string, region: Region): void {
    const plain = rest.replaceAll(expression, "");
    for (const [bracket] of plain.matchAll(/[{}[\]]/g)) {
      region.depth = "{[".includes(bracket) ? region.depth + 1 : Math.max(0, region.depth - 1);
    }
    if (hasOpenQuote(plain)) region.depth = Infinity;
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
      this.#region = { indent, depth: 0, isClosed: this.#isOneLine(name, line.slice(end)) };
      this.#follow(line.slice(end), this.#region);
      return;
    }
  }

  // The values of variables, and of what may be the key of a table as well.
  #maskRandom(line: string, start: number): void {
    const [, name = ""] = keyAtStart.exec(line) ?? [];
    const { hasOpen } = this.secrets;
    if (!hasOpen && this.secrets.tellingOf(name) === undefined) return;
    const plain = line.replaceAll(expression, (source) => " ".repeat(source.length));
    for (const { 0: text, index } of plain.matchAll(/[^\s"'{}[\],]{5,4000}/g)) {
      if ((hasOpen ? mayBeSecret : looksRandom)(text))
        this.ranges.push({ start: start + index, end: start + index + text.length });
    }
  }

  // What a name that is no field tells of is in its line.
  #isOneLine(name: string, rest: string): boolean {
    const isField = name.startsWith("&") || this.#isField(name);
    return endsClosed.test(rest.slice(-nearby)) || (!isField && /[:=]\s*[^\s|>]/.test(rest.slice(0, nearby)));
  }

  // An expression is no secret, and the name of a scheme is like that of a field.
  #namesIn(line: string): RegExpExecArray[] {
    const plain = line.replaceAll(expression, (source) => " ".repeat(source.length));
    return [...plain.matchAll(this.words)];
  }

  // Between two expressions everything from the first unknown character to the last is masked.
  #mask(line: string, from: number, start: number): void {
    const gaps: Range[] = [];
    let at = from;
    for (const { 0: source, index } of line.matchAll(expression)) {
      if (index < from) continue;
      const before = line
        .slice(at, index)
        .replace(/^["'”]?\s*[:=]/, "")
        .trim();
      if (!isScheme(before)) gaps.push({ start: at, end: index });
      at = index + source.length;
    }
    gaps.push({ start: at, end: line.length });
    for (const gap of gaps) {
      const first = this.#firstUnknown(line, gap);
      const last = gap.start + line.slice(gap.start, gap.end).trimEnd().length;
      if (first >= last) continue;
      this.ranges.push({ start: start + first, end: start + last });
      if (/\*\S/.test(line.slice(first, last))) this.hasAlias = true;
    }
  }

  /** Gives the offset after the punctuation and the names of secrets at the beginning of a part of a line. */
  #firstUnknown(line: string, { start, end }: Range): number {
    let at = start;
    while (at < end) {
      punctuation.lastIndex = at;
      if (punctuation.test(line)) at = punctuation.lastIndex;
      const [name = ""] = /^[\w-]{5,25}(?=["'”]?\s*[:=])/.exec(line.slice(at, at + nearby)) ?? [];
      if (name === "" || !this.#isField(name)) break;
      at += name.length;
    }
    return Math.min(at, end);
  }
}

function isKey(line: string, start: number, end: number): boolean {
  const isNamed = /^["'”]?\s*[:=]/.test(line.slice(end, end + nearby));
  return isNamed || /(?:^[\s?-]*|[{,[]\s*)["'“]?$/.test(line.slice(Math.max(0, start - nearby), start));
}

// An apostrophe counts as well, because only valid YAML says which one is a quote.
function hasOpenQuote(plain: string): boolean {
  return plain.replaceAll(/[^"']/g, "").length % 2 === 1;
}
