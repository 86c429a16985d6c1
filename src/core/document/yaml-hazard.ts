import { Lexer } from "yaml";
import { depthLimit } from "../../json/json.js";

/** Why a YAML text cannot be composed, and from where on, in UTF-16 code units. */
export interface YamlHazard {
  readonly problem: "too-deep" | "too-large";
  readonly offset: number;
}

/**
 * Finds what would exhaust the stack or the memory when a YAML text is composed, which is recursive and makes
 * about 1 KB of each value. This is asked before, of the lexer, which does neither.
 */
export function yamlHazard(text: string): YamlHazard | undefined {
  // What has fewer characters has fewer values.
  if (text.length <= fewestValues && !looksDeep(text)) return undefined;
  const excess = text.length > mostLines ? offsetAfterLines(text, mostLines) : -1;
  return excess === -1 ? lexedHazard(text) : { problem: "too-large", offset: excess };
}

// How many values a text may have: few of a short one, more of a long one, and no more than fit into 1.5 GB.
const fewestValues = 250_000;
const mostValues = 1_500_000;
const charactersForOneMore = 16;

// A line of a text costs as much as a value, though it is a part of one.
const mostLines = 2_000_000;

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

// A cheap bound that ordinary documents stay below: brackets opened, colons of one line, and columns of block
// indicators. Closing brackets do not count, for whether one is in a quote or a comment is the lexer's to say.
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
      // Whatever is open when a new document begins is closed.
      if (text.startsWith("---", index + 1) && isBlankOrEnd(text.charCodeAt(index + 4))) opened = 0;
      continue;
    }
    if ((char === 91 || char === 123) && ++opened > depthLimit) return true;
    if (char === 58 && ++colons > depthLimit) return true;
    if (!leading) continue;
    // Space, tab, dash, question mark and colon are all that can stand before a nested block's content.
    leading = char === 32 || char === 9 || char === 45 || char === 63 || char === 58;
    if (++column > depthLimit) return true;
  }
  return false;
}

// The end of the text is NaN.
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
    // What says nothing, a comment, and the end of a collection make no value; punctuation may make an empty one.
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
    // What follows a colon counts as a level even where it is a scalar, which is one more than there are.
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
