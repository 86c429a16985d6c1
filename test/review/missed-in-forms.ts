import { kinds } from "../../src/core/kind/kinds.js";
import type { Plan } from "../../src/core/plan/plan.js";
import { renderPlanHtml } from "../../src/render/html/plan-html.js";
import { renderPlanMarkdown } from "../../src/render/markdown/plan-markdown.js";
import { renderPlanText } from "../../src/render/plan/plan-text.js";
import type { Sight } from "./danger.js";
import { harmlessEdits } from "./harmless-mass.js";
import { thingsOfPage } from "./page-order.js";
import { missedAmong, thingsOf } from "./review-order.js";
import { markdownScreen, missed, seenFirst, terminalScreen, type Screen } from "./shown-place.js";

/** Why something is missed, by the form of the plan in which it is. */
export type Misses = Readonly<Record<string, readonly string[]>>;

const nouns = Object.values(kinds).map(({ noun }) => noun[1]);

/** What only the first lines of a plan say that has nothing but harmless edits. */
const calmHeadline = /none weakens or widens\b.*\b(?:every edit is shared|the same edit in each)/;

const markdownOf = (plan: Plan): Screen => markdownScreen(renderPlanMarkdown(plan));
const textOf = (plan: Plan): Screen => terminalScreen(renderPlanText(plan, { color: false }));

/** Says for each form of a plan why a reader misses its danger. */
export function dangerMissed(plan: Plan, sight: Sight): Misses {
  const onPage = thingsOfPage(renderPlanHtml(plan));
  const [markdown, terminal] = [markdownOf(plan), textOf(plan)];
  return {
    review: missedAmong(thingsOf(plan), sight),
    markdown: missed(markdown, sight),
    text: missed(terminal, sight),
    page: onPage ? missedAmong(onPage, sight) : ["the page has no order of a review"],
    headline: [markdown, terminal].flatMap(({ text }) => {
      const [headline = ""] = calmHeadline.exec(text) ?? [];
      return headline === "" ? [] : [`it is that of a harmless plan: ${headline}`];
    }),
  };
}

/** Says for each form of a harmless plan what of its numbers is not seen at once, and what stands out. */
export function numbersMissed(plan: Plan): Misses {
  const onPage = thingsOfPage(renderPlanHtml(plan));
  return {
    markdown: notAtOnce(markdownOf(plan), plan),
    text: notAtOnce(textOf(plan), plan),
    page: onPage
      ? onPage.filter(({ sort }) => !sort.startsWith("note")).map(({ of }) => `only here: ${of.join(", ")}`)
      : ["the page has no order of a review"],
  };
}

function notAtOnce(screen: Screen, { summary }: Plan): string[] {
  const seen = seenFirst(screen);
  const wanted = [
    new RegExp(`\\b${summary.update} to update\\b`),
    new RegExp(`\\b${summary.replace} to replace\\b`),
    new RegExp(`\\b${harmlessEdits.length} distinct edits\\b`),
    new RegExp(`The same edit in \\d+ of \\d+ (?:${nouns.join("|")})`),
    calmHeadline,
  ];
  return [
    ...wanted.filter((words) => !words.test(seen)).map((words) => `it does not say ${words}`),
    ...(/only here/i.test(seen) ? ["something is only here"] : []),
  ];
}
