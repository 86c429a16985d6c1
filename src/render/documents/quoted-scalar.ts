import { deadText } from "../words/log-text.js";
import { safeDifference, safeLine } from "../words/terminal-text.js";

/** Whether a text can be written as it is: nothing in it is hidden, lost, or obeyed by a terminal or a CI. */
export function isPlainText(text: string): boolean {
  // As a key, it would merge mappings in YAML 1.1.
  if (text === "<<") return false;
  // In a block of several lines, the library loses blanks where only blanks are.
  if (text.includes("\n") && /^\s|[ \t]\n*$/.test(text)) return false;
  return deadText(text) === text && text.split("\n").every((line) => safeDifference(line) === line);
}

/**
 * Renders a text as a YAML scalar in double quotes, what is hidden or obeyed escaped. Each of its lines is on a line
 * of its own with this indent, unless there is none.
 */
export function quotedScalar(text: string, indent: string | undefined): string {
  const lines = text.split(/(?<=\n)/).map((line) => Array.from(line, escapeCharacter).join(""));
  // A line that is continued loses the blanks at its start.
  const joined =
    indent === undefined
      ? lines.join("")
      : lines.map((line, index) => (index > 0 ? line.replace(/^[ \t]/, "\\$&") : line)).join(`\\\n${indent}`);
  // The escapes of a dead text are those of YAML.
  return deadText(`"${joined}"`);
}

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", '"': '\\"', "\\": "\\\\" };

function escapeCharacter(char: string): string {
  const known = named[char];
  if (known !== undefined || char === "\t" || safeLine(char) === char) return known ?? char;
  const code = (char.codePointAt(0) ?? 0).toString(16);
  if (code.length <= 2) return `\\x${code.padStart(2, "0")}`;
  return code.length <= 4 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`;
}
