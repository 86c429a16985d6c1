import { safeJson } from "./terminal-text.js";

/** Renders a value as indented JSON that is safe to print, a line end at the end. */
export function jsonText(value: object): string {
  return `${safeJson(JSON.stringify(value, null, 2))}\n`;
}

/** Renders a value as one line of JSON that is safe to print, with its line end. */
export function jsonLine(value: object): string {
  return `${safeJson(JSON.stringify(value))}\n`;
}
