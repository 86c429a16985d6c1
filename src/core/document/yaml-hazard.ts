import { Lexer } from "yaml";
import { depthLimit } from "../../json/json.js";

/** Why a YAML text cannot be composed, and from which offset, in UTF-16 code units. */
export interface YamlHazard {
  readonly problem: "too-deep" | "too-large";
  readonly offset: number;
}

/** Finds what would exhaust stack or memory in the composer, which recurses and takes about 1 KB for each value. */
export function yamlHazard(text: string): YamlHazard | undefined {
  // A text with fewer characters than that has fewer values.
  if (text.length <= fewestValues && !looksDeep(text)) return undefined;
  const excess = text.length > mostLines ? offsetAfterLines(text, mostLines) : -1;
  return excess === -1 ? lexedHazard(text) : { problem: "too-large", offset: excess };
}

// The maximum number of values: low for a short text, higher for a long one, and never more than fit into 1.5 GB.
const fewestValues = 250_000;
const mostValues = 1_500_000;
const charactersForOneMore = 16;

// A line of a text costs as much as a value, although it is only part of one.
const mostLines = 2_000_000;

// A key, its colon, a value and a comma; or an indicator and a value.
const tokensOfValue = 4;

/** Gives how many values a text can have and be no hazard for their number, whatever else it has. */
export function harmlessValues(text: string): number {
  const isLong = text.length > mostLines && offsetAfterLines(text, mostLines) !== -1;
  return isLong ? 0 : valueLimit(text) / tokensOfValue;
}

function offsetAfterLines(text: string, count: number): number {
  let offset = -1;
  for (let line = 0; line < count; line++) {
    offset = text.indexOf("\n", offset + 1);
    if (offset === -1) return -1;
  }
  return offset;
}

function valueLimit(text: string): number {
  return Math.min(mostValues, fewestValues + text.length / charactersForOneMore);
}

// An upper bound. Closing brackets do not count: only the lexer knows whether one is in a quote or a comment.
function looksDeep(text: string): boolean {
  let opened = 0;
  let column = 0;
  let colons = 0;
  let leading = true;
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (char === 10) {
      column = 0;
      colons = 0;
      leading = true;
      // A new document closes everything that is open.
      if (text.startsWith("---", index + 1) && isBlankOrEnd(text.charCodeAt(index + 4))) opened = 0;
      continue;
    }
    if ((char === 91 || char === 123) && ++opened > depthLimit) return true;
    if (char === 58 && ++colons > depthLimit) return true;
    if (!leading) continue;
    // Only space, tab, dash, question mark and colon can come before a nested block's content.
    leading = char === 32 || char === 9 || char === 45 || char === 63 || char === 58;
    if (++column > depthLimit) return true;
  }
  return false;
}

// The end of the text gives NaN.
function isBlankOrEnd(char: number): boolean {
  return char === 32 || char === 9 || char === 10 || char === 13 || Number.isNaN(char);
}

function lexedHazard(text: string): YamlHazard | undefined {
  const limit = valueLimit(text);
  let values = 0;
  const columns: number[] = [];
  let flow = 0;
  let offset = 0;
  let lineStart = 0;
  let opensBlock = true;
  for (const token of new Lexer().lex(text)) {
    if (token === "\u0002" || token === "\u0018" || token === "\u001f") continue;
    if (token === "---" || token === "...") {
      flow = 0;
      columns.length = 0;
    }
    // White space, comments and the end of a collection make no value; punctuation may make an empty one.
    const isBlank = token.trim() === "";
    if (!isBlank && token !== "]" && token !== "}" && ++values > limit)
      return { problem: "too-large", offset };
    if (token === "[" || token === "{") flow++;
    else if (token === "]" || token === "}") flow = Math.max(0, flow - 1);
    else if (opensBlock && flow === 0 && !isBlank) {
      const column = offset - lineStart;
      while ((columns.at(-1) ?? -1) > column) columns.pop();
      if (columns.at(-1) !== column) columns.push(column);
      opensBlock = token === "-" || token === "?" || token === ":";
    } else if (token === ":" && flow === 0) opensBlock = true;
    // A colon counts as a level even before a scalar, so the result may be one too high.
    if (flow > depthLimit || columns.length > depthLimit + 1) return { problem: "too-deep", offset };
    offset += token.length;
    const newline = token.lastIndexOf("\n");
    if (newline !== -1) {
      lineStart = offset - (token.length - newline - 1);
      opensBlock = true;
    }
  }
  return undefined;
}
