import { emojiSelectors, invisible } from "../../core/finding/invisible.js";
import { withoutBracketCommand } from "./log-text.js";

// After what may be an emoji, or before what makes a digit one, a selector is part of it.
const emoji =
  "\\xa9\\xae\\u203c\\u2049\\u2122\\u2139\\u2190-\\u27bf\\u2900-\\u2bff\\u3030\\u303d\\u3297\\u3299\\u{1f000}-\\u{1faff}";
const unsafe = new RegExp(`[${invisible}]|(?<![${emoji}])[${emojiSelectors}](?!\\u20e3)`, "gu");

// Most texts, of which nothing has to be looked for.
const usual = /^[\x20-\x7e]*$/;

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Makes a text safe for one line of a terminal: what cannot be seen is shown as `\n`, `\x1b` or `\u{202e}`. */
export function safeLine(text: string): string {
  return usual.test(text) ? text : text.replace(unsafe, escapeCharacter);
}

/** Makes a text safe for several lines: as `safeLine`, line ends kept, a tab as one space. */
export function safeText(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(unsafe, (char) => (char === "\n" ? char : char === "\t" ? " " : escapeCharacter(char)));
}

/** Makes one line of a difference safe: as `safeLine`, tabs kept. */
export function safeDifference(line: string): string {
  return line.replace(unsafe, (char) => (char === "\t" ? char : escapeCharacter(char)));
}

/** Makes rendered JSON safe to print: what cannot be seen, and commands, are escaped inside its strings, the value being the same. */
export function safeJson(json: string): string {
  return withoutBracketCommand(json, "\\u0023").replace(unsafe, (char) => {
    if (char === "\n") return char;
    return Array.from({ length: char.length }, (_, index) => {
      return `\\u${char.charCodeAt(index).toString(16).padStart(4, "0")}`;
    }).join("");
  });
}

/** Gives the escape of one character, such as `\t`, `\x1b` or `\u{a0}`. */
export function escapeCharacter(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return named[char] ?? (code < 0x80 ? `\\x${hex.padStart(2, "0")}` : `\\u{${hex}}`);
}
