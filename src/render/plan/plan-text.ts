import { reviewOf } from "../../core/plan/review.js";
import type { Plan } from "../../generated/plan.js";
import { wholeWidth } from "../change/shown-change.js";
import { actionWords } from "../words/action-words.js";
import { paletteOf } from "../words/palette.js";
import { wholeRoom } from "../words/value-excerpt.js";
import { asSentence } from "../words/review-words.js";
import { safeLine } from "../words/terminal-text.js";
import { headLines, summaryText } from "../view/plan-head.js";
import { actionCounts, editCount } from "../view/plan-review.js";
import { notJudgedText, sectionsOf } from "../view/plan-view.js";
import type { Item, PlanSection } from "../view/plan-section.js";
import { renderCommand, renderMeaning } from "../view/render-hint.js";
import { verdictTexts } from "../view/verdict.js";
import { alikeTexts, isCut, type ItemStyle, itemText, noteColumn } from "./item-text.js";

/** How a plan is rendered. */
export interface PlanTextOptions {
  readonly color: boolean;
  /** About how many columns a shown value may take, 100 without it. */
  readonly width?: number;
  /** Whether a person sees it on a screen, below its warnings: new objects in short, and no warnings again. */
  readonly isScreen?: boolean;
}

const noteLines = 6;
const openNotes = 8;

/** Renders a plan in the order of a review, a line end at the end; the same plan and options give the same bytes. */
export function renderPlanText(
  plan: Plan,
  { color, width: columns = 100, isScreen = false }: PlanTextOptions,
): string {
  const width = Math.max(40, columns);
  // What is beside a field is short; what is below it may be cut.
  const room = { width: isScreen ? width : wholeWidth, short: width };
  const style: ItemStyle = { palette: paletteOf(color), width, room, isWhole: !isScreen };
  const layout = { width, values: { width, compact: true, whole: 5 }, isOneLine: true };
  const whole = { width, values: wholeRoom(width) };
  const counts = countsLines(plan).join("\n");
  const blocks = sectionsOf(plan, { change: room, layout, whole, lines: noteLines, open: openNotes })
    // A screen has the errors and warnings above the plan, and a file the errors.
    .filter(({ name }) => name !== "errors" && (name !== "warnings" || !isScreen))
    .flatMap((section) => [...sectionBlocks(section, style), ...cutHint(section, style, plan)]);
  return [
    [...headLines(plan), counts].join("\n"),
    ...blocks,
    `${counts}\nDigest: ${safeLine(plan.digest)}\n`,
  ].join("\n\n");
}

// Names a new object that is not shown to its end.
function cutHint({ name, items }: PlanSection, style: ItemStyle, plan: Plan): string[] {
  const cut = name === "onlyHere" ? items.find((item) => isCut(item, style)) : undefined;
  if (cut?.sort !== "edit") return [];
  return [`\`${safeLine(renderCommand(cut.action.address, plan))}\` ${renderMeaning}`];
}

// What must be known first is first.
function countsLines(plan: Plan): string[] {
  const review = reviewOf(plan);
  const verdict = verdictTexts(review).join("; ");
  return [
    ...(verdict === "" ? [] : [safeLine(asSentence(verdict))]),
    [summaryText(plan), ...editCount(review).map((count) => `${count}.`)].join(" "),
  ];
}

function sectionBlocks({ name, title, meaning = "", items }: PlanSection, style: ItemStyle): string[] {
  const textOf = (item: Item): string => itemText(item, style);
  switch (name) {
    case "held":
      return [actionWords.unknown, actionWords.blocked].flatMap((word) => {
        const own = items.filter((item) => item.sort === "edit" && item.action.action === word.action);
        return own.length > 0 ? [`${word.title}\n${own.map(textOf).join("\n\n")}`] : [];
      });
    case "onlyHere":
      return [`${title}: ${meaning}\n${items.map(textOf).join("\n\n")}`];
    case "groups":
      return items.map(textOf);
    case "notJudged":
      return [`${title}: ${meaning}\n  ${safeLine(notJudgedText(items))}`];
    case "consequences": {
      const counts = actionCounts(items.flatMap((item) => (item.sort === "alike" ? item.actions : [])));
      const head = `${title}: ${counts}\n  ${style.palette.dim(asSentence(meaning))}`;
      return [[head, ...alikeTexts(items, style.palette)].join("\n")];
    }
    default: {
      const aligned = { ...style, column: noteColumn(items) };
      const lines = items.map((item) => itemText(item, aligned));
      return [[title, ...(meaning === "" ? [] : [`  ${asSentence(meaning)}`]), ...lines].join("\n")];
    }
  }
}
