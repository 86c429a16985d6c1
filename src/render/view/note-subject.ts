import type { ReviewNote } from "../../core/review/review.js";
import { kindOfText } from "../../core/kind/kinds.js";
import { asIs, type Quote } from "../change/shown-change.js";
import { countText } from "../words/count-text.js";

/** So many resources are named one by one. */
export const mostNamedWhole = 3;
const mostPatterns = 10;
const mostAlone = 3;

/** Says which resources a note is about: each of a few, or how many and by which patterns; `nameOf` gives a name as the form shows it. */
export function noteSubject(
  { addresses, patterns, file }: Pick<ReviewNote, "addresses" | "patterns" | "file">,
  nameOf: Quote = asIs,
): string {
  if (addresses.length <= mostNamedWhole) return addresses.map(nameOf).join(", ");
  const [first, ...others] = new Set(addresses.map((address) => kindOfText(address)));
  const count =
    first && others.length === 0
      ? countText(addresses.length, ...first.noun)
      : countText(addresses.length, "resource");
  const alone = patterns.filter((each) => each.count === 1);
  const shown = [
    ...patterns.filter((each) => each.count > 1).slice(0, mostPatterns),
    // One more takes no more room than saying that there is one.
    ...(alone.length > mostAlone + 1 ? alone.slice(0, mostAlone) : alone),
  ];
  const left = addresses.length - shown.reduce((sum, each) => sum + each.count, 0);
  const names = shown.map(({ pattern, count: own }) =>
    own > 1 && patterns.length > 1 ? `${nameOf(pattern)} (${own})` : nameOf(pattern),
  );
  return `${count}${file === undefined ? "" : ` of ${nameOf(file)}`}: ${names.join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}
