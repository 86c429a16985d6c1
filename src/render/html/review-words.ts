import type { Review } from "../../core/plan/review.js";
import { countText } from "../words/count-text.js";

/** The parts of a review by name, as the page and its version without scripts head them. */
export const reviewTitles = {
  notes: "Guardrail notes",
  held: "Waits for a person",
  onlyHere: "Only here",
  groups: "The same edit in several resources",
  consequences: "Consequences",
  notJudged: "Not judged",
  warnings: "Warnings of the workspace",
  actions: "All actions",
} as const;

/** What some of the parts mean, in a sentence. */
export const reviewMeanings = {
  held: "The outcome of an earlier apply is unknown, or the action waits for one that is.",
  onlyHere: "Edits that no other resource has.",
  groups: "Each edit is shown once, as in the first of its resources.",
  consequences:
    "Not edited: these follow from what is above, such as from a new ID, or are sent or recorded again.",
  notJudged: "No guardrail rule looks at these edits; read them.",
} as const;

/** Says how many distinct edits a plan has, and how many resources only follow; an empty text where there are neither. */
export function countedEdits({ edits, onlyHere, groups, consequences }: Review): string {
  if (edits + consequences.length === 0) return "";
  const isSplit = onlyHere.length > 0 && groups.length > 0;
  const split = isSplit
    ? `: ${onlyHere.length} only here, ${groups.length} the same in several resources`
    : "";
  const follows =
    consequences.length > 0 ? `; ${countText(consequences.length, "resource")} only because of others` : "";
  return `${countText(edits, "distinct edit")}${split}${follows}.`;
}
