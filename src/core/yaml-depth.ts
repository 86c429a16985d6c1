import { Lexer } from "yaml";
import { depthLimit } from "./inspection.js";

/**
 * Gives the offset where collections in a YAML text are nested too deep to be composed, or undefined.
 * Composing is recursive and can exhaust the stack, so this is asked before, of the lexer, which is not.
 */
export function offsetTooDeep(text: string): number | undefined {
  return looksDeep(text) ? lexedTooDeep(text) : undefined;
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
      if (text.startsWith("---", index + 1) && isBlank(text.charCodeAt(index + 4))) opened = 0;
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
function isBlank(char: number): boolean {
  return char === 32 || char === 9 || char === 10 || char === 13 || Number.isNaN(char);
}

function lexedTooDeep(text: string): number | undefined {
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
    if (token === "[" || token === "{") flow++;
    else if (token === "]" || token === "}") flow = Math.max(0, flow - 1);
    else if (opensBlock && flow === 0 && token.trim() !== "") {
      const column = offset - lineStart;
      while ((columns.at(-1) ?? -1) > column) columns.pop();
      if (columns.at(-1) !== column) columns.push(column);
      opensBlock = token === "-" || token === "?" || token === ":";
    } else if (token === ":" && flow === 0) opensBlock = true;
    // What follows a colon counts as a level even where it is a scalar, which is one more than there are.
    if (flow > depthLimit || columns.length > depthLimit + 1) return offset;
    offset += token.length;
    const newline = token.lastIndexOf("\n");
    if (newline !== -1) {
      lineStart = offset - (token.length - newline - 1);
      opensBlock = true;
    }
  }
  return undefined;
}
