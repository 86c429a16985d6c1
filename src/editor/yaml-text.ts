import { parseDocuments } from "../core/document/document.js";
import { equal } from "../json/json.js";

/** Writes a text as YAML: in quotes where it would mean something else without them. */
export function plainOrQuoted(text: string): string {
  return isPlain(text) ? text : JSON.stringify(text);
}

function isPlain(text: string): boolean {
  if (!/^\w(?:[\w.:=/-]*[\w-])?$/.test(text)) return false;
  const [read] = parseDocuments("", `value: [${text}]`).value;
  return equal(read?.value, { value: [text] });
}
