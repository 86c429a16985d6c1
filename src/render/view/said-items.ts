import type { Plan, PlanDiagnostic } from "../../generated/plan.js";
import type { Review } from "../../core/review/review.js";
import { inCode } from "../../core/finding/quotation.js";
import { countText } from "../words/count-text.js";
import { deedText } from "./plan-review.js";
import { sameWarnings } from "../words/same-warnings.js";
import type { Item, SaidItem } from "./plan-section.js";

/** Gives the item of a text alone. */
export function said(text: string): SaidItem {
  return { sort: "said", text };
}

/** Gives the items of the diagnostics of some severity, equal ones as one. */
export function diagnosticItems(
  { diagnostics }: Plan,
  isWanted: (severity: PlanDiagnostic["severity"]) => boolean,
): SaidItem[] {
  return sameWarnings(diagnostics.filter(({ severity }) => isWanted(severity))).map(
    ({ diagnostic: { message, severity, code, hint }, places }) => ({
      sort: "said",
      text: message,
      diagnostic: { severity, code, ...(hint !== undefined && { hint }), places },
    }),
  );
}

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
