import type { Code } from "../core/finding/diagnostic.js";
import { isExpression, parseText, type Expression } from "../core/expression/expression.js";
import type { Range } from "../core/position/range.js";

/** A change that a hint proposes. */
export interface Fix {
  readonly title: string;
  readonly range: Range;
  readonly newText: string;
}

/** What a diagnostic says about a range of a text. */
export interface HintedRange {
  readonly code: Code;
  readonly message: string;
  readonly hint: string;
  readonly range: Range;
}

/** Gives the changes that the hint of a diagnostic proposes. */
export function fixesOf(text: string, { code, message, hint, range }: HintedRange): Fix[] {
  const written = text.slice(range.start, range.end);
  const fixes: Fix[] = [];
  const replace = (title: string, newText: string) => fixes.push({ title, range, newText });
  const meant = /did you mean `([^`]+)`\?/.exec(hint)?.[1];
  if (meant !== undefined && isAbout(written, code, message)) {
    const corrected = correct(code, written, meant);
    if (corrected !== undefined) replace(`Change to ${corrected}`, corrected);
  }
  const form = /write `(\$\{[^`]+\})`/.exec(hint)?.[1];
  const literal = /(?:is sent as the text|is taken as a text) `([^`]+)`/.exec(message)?.[1];
  if (
    code === "reference-literal" &&
    form !== undefined &&
    literal !== undefined &&
    written.includes(literal)
  ) {
    // What is in quotes stays there, and what is not needs them in brackets or braces.
    const inQuotes = /^["']/.test(written);
    replace(
      `Write ${form}`,
      inQuotes ? written.replace(literal, () => form) : JSON.stringify(written.replace(literal, () => form)),
    );
  }
  const quoted = /^write `"(\$\{[^`]+\})"`/.exec(hint)?.[1];
  const unquoted = quoted === undefined ? -1 : nearestTo(range.start, text, quoted);
  if (quoted !== undefined && unquoted !== -1) {
    const at = { start: unquoted, end: unquoted + quoted.length };
    fixes.push({ title: "Put it in quotes", range: at, newText: `"${quoted}"` });
  }
  const isLiteral = hint.includes("for a literal `${`, write `$${`") && written.startsWith("${");
  if (isLiteral && isAbout(written, code, message)) {
    const at = { start: range.start, end: range.start };
    fixes.push({ title: "Send the text itself: write $${", range: at, newText: "$" });
  }
  return fixes;
}

// The text may have changed since the diagnostic was found, so that a different one is at its range.
function isAbout(written: string, code: Code, message: string): boolean {
  const quoted = Array.from(message.matchAll(/`([^`]+)`/g), ([, each = ""]) => each);
  if (written.startsWith("${")) {
    const isNamed = (each: string) => written.includes(each) || isPathTo(written, each);
    return code === "reference-operation" ? quoted.every(isNamed) : quoted.some(isNamed);
  }
  const bare = withoutQuotes(written);
  if (bare === "") return false;
  return quoted.some(
    (each) => each === bare || (each.endsWith(bare) && /\W$/.test(each.slice(0, -bare.length))),
  );
}

// A message names a file from the workspace's folder, an expression from its own.
function isPathTo(written: string, file: string): boolean {
  const name = file.slice(file.lastIndexOf("/") + 1);
  return (
    /^\$\{(?:file|template):/.test(written) && (written.includes(`/${name}`) || written.includes(`:${name}`))
  );
}

// The parser notices the mistake somewhere inside the expression.
function nearestTo(offset: number, text: string, wanted: string): number {
  const from = text.lastIndexOf("\n", offset - 1) + 1;
  const line = text.slice(from).split("\n", 1)[0] ?? "";
  const at = line.indexOf(wanted);
  return at === -1 || /["']/.test(line[at - 1] ?? "") ? -1 : from + at;
}

/** Gives a misspelt text with what was meant in its place. */
function correct(code: Code, written: string, meant: string): string | undefined {
  const [part] = parseText(written);
  if (part !== undefined && typeof part === "object") {
    if (part.source !== written) return undefined;
    if (isExpression(part)) return `\${${correctExpression(code, part, meant)}}`;
    return code === "expression-scheme" ? written.replace(part.scheme, () => meant) : undefined;
  }
  const quote = /^["']/.exec(written)?.[0] ?? "";
  // A patch has the name of what it patches, its address has the kind, too.
  const isName = code === "patch-without-target" && !written.includes(":");
  return `${quote}${isName ? meant.slice(meant.indexOf(":") + 1) : meant}${quote}`;
}

function withoutQuotes(written: string): string {
  return written.replace(/^(["'])(.*)\1$/s, "$2");
}

function correctExpression(code: Code, { scheme, locator }: Expression, meant: string): string {
  const slash = locator.indexOf("/");
  if (code === "reference-operation") return `${scheme}:${locator.slice(0, slash + 1)}${meant}`;
  const isReference = meant.startsWith(`${scheme}:`);
  if (!isReference) return `${scheme}:${meant}`;
  return scheme === "toolset" && slash !== -1 ? meant + locator.slice(slash) : meant;
}
