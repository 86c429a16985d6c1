import { inCode } from "../../core/finding/quotation.js";
import type { Review } from "../../core/review/review.js";
import { countText } from "../words/count-text.js";
import { deedText } from "./plan-review.js";
import type { Item, SaidItem } from "./plan-section.js";
import { said } from "./said-items.js";

/** Names the fields of edits that no guardrail note is about, and counts the resources that are new, or edited as a whole. */
export function notJudgedItems({ notJudged }: Review): SaidItem[] {
  const named = notJudged.flatMap((each): SaidItem[] =>
    "field" in each ? [{ ...said(countText(each.resources, "resource")), field: each.field }] : [],
  );
  const whole = notJudged.flatMap((each) => {
    if ("field" in each) return [];
    if (each.action === "create") return countText(each.resources, "new resource");
    return `${countText(each.resources, "resource")} ${deedText(each)}`;
  });
  return [...named, ...whole.map(said)];
}

const mostFields = 20;

/** Names what was edited and no guardrail note is about, with numbers, in one line. */
export function notJudgedText(items: readonly Item[]): string {
  const all = items.filter((item) => item.sort === "said");
  const fields = all.flatMap(({ field, text }) =>
    field === undefined ? [] : [`${inCode(field)} of ${text}`],
  );
  const left = fields.length - mostFields;
  return [
    ...fields.slice(0, mostFields),
    ...all.flatMap(({ field, text }) => (field === undefined ? [text] : [])),
    ...(left > 0 ? [countText(left, "more field")] : []),
  ].join(", ");
}
