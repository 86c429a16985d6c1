import { type Json, mapParts } from "./json.js";
import type { Path } from "./path.js";

/** Is handed a text and its path, which is only valid during the call. */
type TextVisit = (text: string, path: Path) => void;

/** Visits a value's texts in order, with one path for all: copying it for each takes longer than the visit. */
export function visitTexts(
  value: Json,
  at: Path,
  visit: TextVisit,
  isLeftOut: (name: string, path: Path) => boolean = () => false,
): void {
  const path = [...at];
  const enter = (each: Json): void => {
    if (typeof each === "string") return visit(each, path);
    if (typeof each !== "object" || each === null) return;
    if (Array.isArray(each)) {
      for (let index = 0; index < each.length; index++) {
        path.push(index);
        enter(each[index] as Json);
        path.pop();
      }
      return;
    }
    for (const name in each) {
      if (isLeftOut(name, path)) continue;
      path.push(name);
      enter(each[name] as Json);
      path.pop();
    }
  };
  enter(value);
}

/** Whether a text has one of the two halves of a character alone: an escape can write it, and UTF-8 cannot. */
export function hasHalfCharacter(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

/** Whether a value is a list of texts. */
export function areTexts(value: Json): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** Whether a value has a text, other than a key, that passes a test. */
export function hasText(value: Json, test: (text: string) => boolean): boolean {
  if (typeof value === "string") return test(value);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some((each) => hasText(each, test));
  for (const key in value) if (hasText(value[key] as Json, test)) return true;
  return false;
}

/** Whether a text is some pieces with any text between; no regular expression, whose work could explode. */
export function hasPieces(text: string, [first = "", ...rest]: readonly string[], least = 0): boolean {
  const last = rest.pop() ?? "";
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const piece of rest) {
    // The first place of each is as good as any: what follows has the most room then.
    const at = text.indexOf(piece, from + least);
    if (at === -1) return false;
    from = at + piece.length;
  }
  return text.length - last.length >= from + least && text.endsWith(last);
}

/** Gives a value with each of its texts, but for keys, replaced. */
export function mapTexts(value: Json, change: (text: string) => string): Json {
  return typeof value === "string" ? change(value) : mapParts(value, (each) => mapTexts(each, change));
}
