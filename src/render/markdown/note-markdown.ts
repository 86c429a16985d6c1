import type { ReviewNote } from "../../core/plan/review.js";
import { changeOnLine } from "../change/change-line.js";
import { countText } from "../words/count-text.js";
import { pathWithOrigin } from "../view/group-title.js";
import type { NoteItem } from "../view/plan-section.js";
import { renderChangeDiff } from "./change-diff.js";
import { code, fence, prose } from "./markdown-text.js";
import type { ReviewItem } from "./review-item.js";

/** The most addresses that are beside a note. */
export const manyAddresses = 5;

/** Lays out a guardrail note with its change, and without; none is ever left out. */
export function noteItem({ note, change, lines: most, left }: NoteItem): ReviewItem {
  const short = () => noteText(note, "", []);
  if (!change) return { forms: [short], isKept: true };
  const beside = changeOnLine(change, code);
  if (beside !== undefined) {
    const text = ` · ${pathWithOrigin(change, code)}: ${beside}`;
    return { forms: [() => noteText(note, text, []), short], isKept: true };
  }
  const lines = renderChangeDiff(change, "few");
  const shown =
    left > 0
      ? [...lines.slice(0, most), `@@ ${countText(left, "more line")} of this difference, below @@`]
      : lines;
  return { forms: [() => noteText(note, "", shown), short], isKept: true };
}

function noteText(
  { effect, message, code: name, addresses }: ReviewNote,
  beside: string,
  below: readonly string[],
): string {
  const [first = ""] = addresses;
  const isMany = addresses.length > manyAddresses;
  const where = isMany
    ? `${addresses.length} resources, such as ${code(first)}`
    : addresses.map(code).join(", ");
  const lines = [
    `- **${effect}** ${where}: ${prose(message)} (${code(name)})${beside}`,
    ...(below.length > 0 ? ["", ...fence(below, "diff").split("\n")] : []),
  ];
  return lines.map((line, index) => (index === 0 || line === "" ? line : `  ${line}`)).join("\n");
}
