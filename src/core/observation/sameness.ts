import { equal, type Json } from "../../json/json.js";

/** Whether a value is nothing, or has nothing in it. */
export function isEmpty(value: Json): boolean {
  if (typeof value === "string") return value.trim() === "";
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}

// Services keep numbers with less precision, and texts without the white space at their ends.
const precision = 1e-6;
const masks = /^(?:[*•]{3,}|[<[(](?:redacted|masked|hidden|secret)[>\])])$/i;

/** Whether a service may have the second value where it was sent the first; neither has references. */
export function isSame(sent: Json, seen: Json): boolean {
  const isScalar = typeof sent !== "object" || sent === null;
  return (isScalar && isMask(seen)) || isSameUnmasked(sent, seen);
}

/** Whether a value is what services show in the place of what they do not. */
export function isMask(seen: Json): boolean {
  return typeof seen === "string" && masks.test(seen);
}

/** The text in the place of a secret in a mapping that is none of those that were sent: it differs from them. */
export const otherSecret = "(secret, not shown)";

/** Whether a value is in the place of another one, which is not known. */
export function isWithheld(value: Json): boolean {
  return isMask(value) || value === otherSecret;
}

/** The same without masks, which may be in the place of any text, number or switch. */
export function isSameUnmasked(sent: Json, seen: Json): boolean {
  if (isEmpty(sent) && isEmpty(seen)) return true;
  if (typeof sent === "number" && typeof seen === "number") {
    return Math.abs(sent - seen) <= precision * Math.max(1, Math.abs(sent));
  }
  if (typeof sent === "string" && typeof seen === "string") return normal(sent) === normal(seen);
  return equal(sent, seen);
}

/** Gives what texts have in common that are the same for a service. */
export function normal(text: string): string {
  return text.replaceAll("\r\n", "\n").trim().normalize("NFC");
}
