import { reviewOf } from "../../core/review/review.js";
import type { Plan } from "../../generated/plan.js";
import { cutText } from "../words/cut-text.js";
import { asSentence } from "../words/review-words.js";
import { commandOf, graveParts, headLines, summaryParts } from "../view/plan-head.js";
import { editCount } from "../view/plan-review.js";
import { code, prose } from "./markdown-text.js";

const longestTitle = 120;
const longestName = 40;
const longestFolder = 200;

/** Renders the title with the first things to know as far as they fit; one of several is named by its folder. */
export function renderTitle(plan: Plan, folder?: string): string[] {
  const { workspace, environment, partial } = plan;
  const given = [environment === null ? [] : [named(environment)], partial ? ["partial"] : []].flat();
  const where = named(workspace) + (given.length > 0 ? ` (${given.join(", ")})` : "");
  const grave = graveParts(plan);
  const parts = [...grave, ...summaryParts(plan), ...editCount(reviewOf(plan))].map(prose);
  let title =
    folder === undefined
      ? `### agentform ${commandOf(plan)} for ${where}`
      : `#### ${code(cutText(folder, longestFolder))}`;
  let fitting = 0;
  for (const part of parts) {
    const longer = `${title}${fitting === 0 ? ": " : fitting === grave.length ? " · " : ", "}${part}`;
    if (longer.length > longestTitle) break;
    [title, fitting] = [longer, fitting + 1];
  }
  const rest = [parts.slice(fitting, grave.length), parts.slice(Math.max(fitting, grave.length))];
  const sentences = rest.filter((each) => each.length > 0).map((each) => asSentence(each.join(", ")));
  return [title, ...(sentences.length > 0 ? [sentences.join(" ")] : [])];
}

function named(name: string): string {
  return prose(cutText(name, longestName));
}

/** Renders what the plan was compared with, and that it is partial. */
export function renderComparison(plan: Plan): string {
  const [, compared = "", ...partial] = headLines(plan);
  return [prose(compared), ...partial.map((line) => `**${prose(line)}**`)].join(" ");
}
