import type { Action } from "../../generated/plan.js";
import { actionChanges } from "../change/action-changes.js";
import { consequences, resolution } from "../change/action-sentences.js";
import { countText } from "../words/count-text.js";
import { headOf } from "../words/cut-text.js";
import { changeRoom, renderChangeDiff } from "./change-diff.js";
import { code, fence, htmlCode, prose } from "./markdown-text.js";
import type { RankedAction } from "./plan-risk.js";

const shownFields = 3;
const shownReasons = 2;
const longestField = 80;
const longestReason = 200;
const mostLines = 200;

/** The first two lines of a table of actions. */
export const tableHead = "| action | resource | what changes | why |\n|---|---|---|---|";

/** Renders the row of one action. */
export function renderRow({ action, effects }: RankedAction): string {
  const sort = effects.length > 0 ? `**${action.action}**, ${effects.join(", ")}` : action.action;
  return `| ${[sort, code(action.address), fieldsText(action), whyText(action)].join(" | ")} |`;
}

function fieldsText({ action, changes }: Action): string {
  if (action === "create") return countText(changes.length, "field");
  const paths = [...new Set(changes.map(({ path }) => path))];
  const shown = paths.slice(0, shownFields).map((path) => code(shortened(path, longestField)));
  const left = paths.length - shown.length;
  return shown.join(", ") + (left > 0 ? ` and ${left} more` : "");
}

function whyText({ action, reasons, leaves = 0 }: Action): string {
  const shown = reasons.slice(0, shownReasons).map((reason) => prose(shortened(reason, longestReason)));
  const left = reasons.length - shown.length;
  const own = action === "create" ? "new" : action === "update" ? "edited" : "";
  return [
    ...(shown.length > 0 ? shown : [own].filter((text) => text !== "")),
    ...(left > 0 ? [countText(left, "more reason")] : []),
    ...(leaves > 0 ? [`leaves ${countText(leaves, "object")} behind`] : []),
  ].join("; ");
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${headOf(text, most)}…` : text;
}

/** Renders one action folded away: why, what follows from it, and its differences. */
export function renderDetails({ action, effects }: RankedAction, environment: string | null): string {
  const sort = effects.length > 0 ? `${action.action}, ${effects.join(", ")}` : action.action;
  const file = action.file === undefined ? "" : ` in ${htmlCode(action.file)}`;
  const sentences = sentencesOf(action, environment).map((sentence) => `- ${sentence}`);
  const lines = differenceLines(action);
  return [
    `<details><summary>${sort} ${htmlCode(action.address)}${file}</summary>`,
    ...(sentences.length > 0 ? [sentences.join("\n")] : []),
    ...(lines.length > 0 ? [fence(lines, "diff")] : []),
    "</details>",
  ].join("\n\n");
}

function sentencesOf(action: Action, environment: string | null): string[] {
  // A command, or a value, which is to be copied as it is.
  const ways = resolution(action, environment).map((way) => {
    const [before = "", after] = way.split(/: (.*)/s, 2);
    return after === undefined ? prose(before) : `${prose(`${before}:`)} ${code(after)}`;
  });
  return [
    ...action.reasons.map((reason) => prose(`because ${reason}`)),
    ...ways,
    ...consequences(action).map(prose),
  ];
}

function differenceLines(action: Action): string[] {
  const { changes, left } = actionChanges(action, changeRoom);
  const rendered = changes.map((change) => renderChangeDiff(change, action.action === "create"));
  // After the lines of a text, a line of its own could be taken for one of them.
  const lines = [
    ...rendered.filter((each) => !isBlock(each)),
    ...rendered.filter((each) => isBlock(each)),
  ].flat();
  const shown = lines.slice(0, mostLines);
  const leftLines = lines.length - mostLines;
  return [
    ...shown,
    ...(leftLines > 0 ? [`@@ ${countText(leftLines, "more line")} of this difference @@`] : []),
    ...(left > 0 ? [`@@ ${countText(left, "more change")} @@`] : []),
  ];
}

function isBlock([first = "", ...more]: readonly string[]): boolean {
  return first.startsWith("@@") && more.length > 0;
}
