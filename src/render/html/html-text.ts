import { withoutBracketCommand } from "../words/log-text.js";
import { safeJson } from "../words/terminal-text.js";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text for HTML, inside elements and quoted attributes; no line of it is a command to a CI. */
export function escapeHtml(text: string): string {
  const escaped = text.replace(/[&<>"']/g, (char) => entities[char] ?? char);
  return withoutBracketCommand(escaped, "&#35;").replaceAll("::", "&#58;:");
}

/** Renders a value as JSON that can stand inside a `script` element, the value being the same. */
export function scriptJson(value: unknown): string {
  return safeJson(JSON.stringify(value)).replaceAll("<", "\\u003c");
}
