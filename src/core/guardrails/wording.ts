import { readable } from "../expression/expression.js";
import { canonical, type Json } from "../../json/json.js";

const shownNames = 5;
const shownLength = 80;

/** Quotes a value in backticks, shortened to 80 characters; everything but a text appears as JSON. */
export function quote(value: Json): string {
  return quoteUpTo(shownLength, value);
}

/** Quotes a value as `quote` does, shortened to a number of characters. */
export function quoteUpTo(length: number, value: Json): string {
  const text = typeof value === "string" && value !== "" ? readable(value) : canonical(value);
  return `\`${shorten(text, length)}\``;
}

/** Lists at most five of some names, and says how many more there are. */
export function few(names: readonly string[]): string {
  const more = names.length - shownNames;
  if (more > 0) return `${names.slice(0, shownNames).join(", ")} and ${more} more`;
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join("");
}

/** Says what a value was and what it is now. */
export function turn(before: Json | undefined, after: Json | undefined, length = shownLength): string {
  if (before === undefined) return `is now ${quoteUpTo(length, after ?? null)}, and was not set before`;
  if (after === undefined) return `is gone, and was ${quoteUpTo(length, before)}`;
  return `changes from ${quoteUpTo(length, before)} to ${quoteUpTo(length, after)}`;
}

// By code points, so that no character is cut in two.
function shorten(text: string, length: number): string {
  const start = Array.from(text.slice(0, 2 * length + 2));
  return start.length > length ? `${start.slice(0, length - 1).join("")}…` : start.join("");
}
