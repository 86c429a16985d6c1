import { reviewOf } from "../../core/review/review.js";
import type { Plan } from "../../generated/plan.js";
import { actionWords } from "../words/action-words.js";
import { paletteOf } from "../words/palette.js";
import { asSentence } from "../words/review-words.js";
import { safeLine } from "../words/terminal-text.js";
import { graveParts, headLines, renderCommand, renderMeaning, summaryText } from "../view/plan-head.js";
import { actionCounts, editCount } from "../view/plan-review.js";
import { notJudgedText } from "../view/said-items.js";
import { sectionsOf } from "../view/plan-view.js";
import type { Item, PlanSection } from "../view/plan-section.js";
import { alikeTexts, isCut, type ItemStyle, itemText, noteColumn } from "./item-text.js";

/** How a plan is rendered. */
export interface PlanTextOptions {
  readonly color: boolean;
  /** Whether a person sees it on a screen, below its warnings, which are not told again. */
  readonly isScreen?: boolean;
  /** Whether it is all that a reader gets: with its errors, and all of a new object's long texts. */
  readonly isAlone?: boolean;
  /** The folder of its workspace, where it is one of several that share a digest. */
  readonly folder?: string;
}

/** Renders a plan in the order of a review, a line end at the end; the same plan and options give the same bytes. */
export function renderPlanText(
  plan: Plan,
  { color, isScreen = false, isAlone = false, folder }: PlanTextOptions,
): string {
  const style: ItemStyle = { palette: paletteOf(color), isBounded: !isAlone };
  const counts = countsLines(plan).join("\n");
  const blocks = sectionsOf(plan)
    // A screen has the errors and warnings above the plan, and a file the errors.
    .filter(({ name }) => (name !== "errors" || isAlone) && (name !== "warnings" || !isScreen))
    .flatMap((section) => [...sectionBlocks(section, style), ...cutHint(section, style, plan, folder)]);
  const digest = folder === undefined ? `Digest: ${safeLine(plan.digest)}\n` : "";
  return [
    [...headLines(plan), counts].join("\n"),
    ...blocks,
    ...(blocks.length > 0 || digest !== "" ? [`${blocks.length > 0 ? `${counts}\n` : ""}${digest}`] : []),
  ].join("\n\n");
}

// Names a new object that is not shown to its end.
function cutHint(
  { name, items }: PlanSection,
  style: ItemStyle,
  plan: Plan,
  folder: string | undefined,
): string[] {
  const own = name === "created" ? items : [];
  const edits = own.flatMap((item) => (item.sort === "kin" ? item.first : item.sort === "edit" ? item : []));
  const cut = edits.find((item) => isCut(item, style));
  return cut ? [`\`${safeLine(renderCommand(cut.action.address, plan, folder))}\` ${renderMeaning}`] : [];
}

// What must be known first is first.
function countsLines(plan: Plan): string[] {
  const grave = graveParts(plan).join(", ");
  return [
    ...(grave === "" ? [] : [safeLine(asSentence(grave))]),
    [summaryText(plan), ...editCount(reviewOf(plan)).map(asSentence)].join(" "),
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
    case "created":
      return [`${title}: ${meaning}\n${items.map(textOf).join("\n\n")}`];
    case "groups":
      return items.map(textOf);
    case "notJudged":
      return [`${title}: ${safeLine(notJudgedText(items))}. ${asSentence(meaning)}`];
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
