import { withoutBracketCommand } from "./log-text.js";

// What moves the cursor, reorders or hides text, or shows as nothing: C0, C1 and DEL, bidirectional controls,
// zero-width and filler characters, variation selectors beyond those of emoji, tags, lone surrogates. Spelt out,
// so that the same text looks the same whatever Unicode version runs.
const unsafe = new RegExp(
  "[\\0-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e" +
    "\\u2060-\\u206f\\u3164\\ud800-\\udfff\\ufe00-\\ufe0d\\ufeff\\uffa0\\ufff0-\\ufffb" +
    "\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]",
  "gu",
);

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Makes a text safe for one line of a terminal: what cannot be seen is shown as `\n`, `\x1b` or `\u{202e}`. */
export function safeLine(text: string): string {
  return text.replace(unsafe, escapeCharacter);
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
