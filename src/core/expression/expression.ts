import { kindNames } from "../kind/kinds.js";

/** The schemes of expressions: the kinds, and the sources of other values. */
export const schemes = [...kindNames, "var", "each", "file", "template", "env"] as const;
export type Scheme = (typeof schemes)[number];

/** One `${scheme:locator}` in a text. */
export interface Expression {
  readonly scheme: Scheme;
  readonly locator: string;
  /** Its text in the document. */
  readonly source: string;
  /** Where it begins in the text, in UTF-16 code units. */
  readonly offset: number;
}

/** A text that looks like an expression but is not a valid one. */
export interface ExpressionProblem {
  readonly problem: "unclosed" | "unknown-scheme" | "empty";
  readonly scheme: string;
  readonly source: string;
  readonly offset: number;
}

/** The parts of a text: literal strings, expressions and mistakes. */
export type ParsedPart = string | Expression | ExpressionProblem;

// A colon followed by one of - = ? + is a default value of a shell, so the whole stays literal.
const opening = /\$\$\{|\$\{([a-z][a-z0-9_]*):(?![-=?+])/g;

/** Whether a part is an expression. */
export function isExpression(part: ParsedPart): part is Expression {
  return typeof part === "object" && "locator" in part;
}

/** Splits a text into literal strings and expressions; `$${` gives a literal `${`. */
export function parseText(text: string): ParsedPart[] {
  if (!text.includes("${")) return [text];
  const parts: ParsedPart[] = [];
  let literal = "";
  let from = 0;
  opening.lastIndex = 0;
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    literal += text.slice(from, match.index);
    if (match[1] === undefined) {
      literal += "${";
      from = opening.lastIndex;
      continue;
    }
    if (literal !== "") parts.push(literal);
    literal = "";
    const part = parseExpression(text, match.index, match[1], opening.lastIndex);
    parts.push(part);
    from = match.index + part.source.length;
    opening.lastIndex = from;
  }
  literal += text.slice(from);
  if (literal !== "" || parts.length === 0) parts.push(literal);
  return parts;
}

function parseExpression(
  text: string,
  offset: number,
  scheme: string,
  locatorFrom: number,
): Expression | ExpressionProblem {
  const end = closingBrace(text, locatorFrom);
  if (end === -1) {
    const line = text.slice(offset).split("\n", 1)[0] ?? "";
    return { problem: "unclosed", scheme, source: line, offset };
  }
  const source = text.slice(offset, end + 1);
  const locator = text.slice(locatorFrom, end).trim();
  const known = schemes.find((name) => name === scheme);
  if (!known) return { problem: "unknown-scheme", scheme, source, offset };
  if (locator === "") return { problem: "empty", scheme, source, offset };
  return { scheme: known, locator, source, offset };
}

// Braces inside a locator must balance, for operations such as `GET /tickets/{id}`; an expression ends on its line.
function closingBrace(text: string, from: number): number {
  let open = 1;
  for (let index = from; index < text.length; index++) {
    const char = text[index];
    if (char === "\n") return -1;
    if (char === "{") open++;
    if (char === "}" && --open === 0) return index;
  }
  return -1;
}

// With a name of one of its contexts, or alone; after another `$` or in a prompt it may be the service's `{{ }}`.
const ofActions =
  /(?<!\$)\$\{\{\s*(?:(secrets)|vars|env|inputs|github|matrix|needs|steps|parameters|variables)\.(?:[\w.-]*\.)?([\w-]+)\s*\}\}/g;

/** Replaces each expression of GitHub Actions in a text, which nothing here resolves, by the one that is meant. */
export function withoutActions(text: string): string {
  if (!text.includes("${{")) return text;
  return text.replaceAll(ofActions, (_, secret: string | undefined, name: string) =>
    secret === undefined ? `\${var:${name}}` : `\${env:${name}}`,
  );
}

/** Escapes a literal text so that parsing it gives the same text without expressions. */
export function escapeLiteral(text: string): string {
  // In a replacement text, `$$` means one dollar sign.
  return text.includes("${") ? text.replaceAll("${", () => "$${") : text;
}

/** Gives a symbolic text with its literals unescaped: what is sent, but for its expressions. */
export function unescaped(text: string): string {
  return text.includes("$${") ? text.replaceAll("$${", "${") : text;
}

const unlikeExpression = new RegExp(String.raw`\$\$\{(?!(?:${schemes.join("|")}):)`, "g");

/** Gives a symbolic text as a reader sees it: literals unescaped, but for those that would read as expressions. */
export function readable(text: string): string {
  return text.includes("$${") ? text.replaceAll(unlikeExpression, "${") : text;
}

/** Splits the locator of a tool set reference at its first slash. */
export function splitToolLocator(locator: string): { readonly key: string; readonly operation?: string } {
  const slash = locator.indexOf("/");
  if (slash === -1) return { key: locator };
  return { key: locator.slice(0, slash), operation: locator.slice(slash + 1) };
}

/** Parses the locator of `${env:NAME}` or `${env:NAME@REVISION}`; undefined if it is malformed. */
export function parseEnvironmentLocator(
  locator: string,
): { readonly name: string; readonly revision?: string } | undefined {
  const match = /^([A-Za-z_][A-Za-z0-9_]*)(?:@([A-Za-z0-9._-]+))?$/.exec(locator);
  if (!match?.[1]) return undefined;
  return { name: match[1], ...(match[2] !== undefined && { revision: match[2] }) };
}
