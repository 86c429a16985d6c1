import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { scanJson } from "../../json/json-scan.js";
import { stringEnd } from "../../json/json-text.js";
import { referencesInText } from "../expression/reference.js";

/** Gives the JSON object or array that a text is; undefined with references, or if parsing would lose something. */
export function embeddedJson(text: string): JsonObject | Json[] | undefined {
  if (!/^[ \t\n\r]*[{[]/.test(text) || referencesInText(text).length > 0) return undefined;
  if (scanJson(text) !== undefined || losesDigits(text)) return undefined;
  const value = JSON.parse(text) as Json;
  return isObject(value) || Array.isArray(value) ? value : undefined;
}

// A double has 15 digits for sure.
function losesDigits(text: string): boolean {
  for (let from = 0; from !== -1;) {
    const quote = text.indexOf('"', from);
    if (/\d[\d.]{15,}/.test(text.slice(from, quote === -1 ? text.length : quote))) return true;
    from = quote === -1 ? -1 : stringEnd(text, quote);
  }
  return false;
}
