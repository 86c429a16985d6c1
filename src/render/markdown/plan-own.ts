import type { Action, Change } from "../../generated/plan.js";
import { actionChanges } from "../change/action-changes.js";
import { consequences, otherReasons, resolution } from "../change/action-sentences.js";
import type { OwnEdits } from "../change/own-edits.js";
import { notJudgedHere, sharedEdits } from "../plan/plan-review.js";
import { countText } from "../words/count-text.js";
import { headOf } from "../words/cut-text.js";
import { changeRoom, renderChangeDiff, type ValueDetail } from "./change-diff.js";
import { reviewMeanings, reviewTitles } from "../words/review-words.js";
import { code, fence, htmlCode, prose } from "./markdown-text.js";
import type { ReviewItem, ReviewSection } from "./review-item.js";

const shownFields = 5;
const longestField = 80;
const longestReason = 200;
const mostLines = { whole: 1000, some: 40, first: 12 } as const;

/** Lays out actions that wait for a person, with what to do; none is ever left out. */
export function heldSection(held: readonly Action[], environment: string | null): ReviewSection {
  return {
    title: `**${reviewTitles.held}**: ${reviewMeanings.held}.`,
    items: held.map((action) => ({
      forms: [
        () => heldBlock(action, environment),
        () => `${headOfAction(action)}${reasonText(action.reasons.slice(0, 1))}`,
      ],
      isKept: true,
    })),
    between: "\n\n",
    leftOut: (cut) => (cut > 0 ? [`the differences of ${cut} that wait`] : []),
  };
}

function heldBlock(action: Action, environment: string | null): string {
  // A command, or a value, which is to be copied as it is.
  const ways = resolution(action, environment).map((way) => {
    const [before = "", after] = way.split(/: (.*)/s, 2);
    return after === undefined ? prose(before) : `${prose(`${before}:`)} ${code(after)}`;
  });
  const lines = linesOf(action, action.changes, "head", mostLines.some);
  const points = [
    ...action.reasons.map((reason) => prose(`because ${reason}`)),
    ...ways,
    ...afterwards(action),
  ];
  return [
    headOfAction(action),
    ...(points.length > 0 ? [points.map((point) => `- ${point}`).join("\n")] : []),
    ...(lines.length > 0 ? [fence(lines, "diff")] : []),
  ].join("\n\n");
}

/**
 * Lays out the edits of one resource alone: those of existing objects unfolded, the values of new ones folded, but for
 * the first lines of those that notes name.
 */
export function ownSection(
  own: readonly OwnEdits[],
  noted: ReadonlySet<Change>,
  named: ReadonlySet<string>,
): ReviewSection {
  return {
    title: `**${reviewTitles.onlyHere}**: ${reviewMeanings.onlyHere}.`,
    items: own.map((edits) => ownItem(edits, noted, named)),
    between: "\n\n",
    yields: true,
    leftOut: (cut, left) => [
      ...(left > 0 ? [`${left} of ${countText(own.length, "resource")} with an edit of its own`] : []),
      ...(cut > 0 ? [`the whole differences of ${cut}${left > 0 ? " more" : ""}`] : []),
    ],
  };
}

function ownItem(own: OwnEdits, noted: ReadonlySet<Change>, named: ReadonlySet<string>): ReviewItem {
  const { action, changes } = own;
  const isKept = action.action === "replace" || action.action === "delete";
  const unnoted = changes.filter((change) => !noted.has(change));
  const short = () => shortOf(action, changes);
  if (action.action === "create") {
    const first = named.has(action.address)
      ? `${fence(linesOf(action, action.changes, "few", mostLines.first), "diff")}\n\n`
      : "";
    const create = (detail: ValueDetail, most: number) => () =>
      `${first === "" ? "" : `${headOfAction(action)}\n\n${first}`}${createDetails(action, detail, most)}`;
    return { forms: [create("whole", mostLines.whole), create("few", mostLines.some), short] };
  }
  const edit = (most: number) => () => {
    const lines = linesOf(action, unnoted, "head", most);
    return [
      `${headOfAction(action)}${sentence(own, noted)}`,
      ...(lines.length > 0 ? [fence(lines, "diff")] : []),
    ].join("\n\n");
  };
  if (unnoted.length === 0) return { forms: [edit(0)], isKept };
  return { forms: [edit(mostLines.whole), edit(mostLines.some), short], isKept };
}

function headOfAction({ action, address, file }: Action): string {
  return `**${action}** ${code(address)}${file === undefined ? "" : ` in ${code(file)}`}`;
}

function sentence({ action, changes, notJudged }: OwnEdits, noted: ReadonlySet<Change>): string {
  const above = changes
    .filter((change) => noted.has(change))
    .map(({ path }) => code(shortened(path, longestField)));
  const unnamed = above.length - shownFields;
  const shared = sharedEdits(action, changes);
  const parts = [
    ...notJudgedHere({ action, notJudged }).map((text) => prose(shortened(text, longestReason))),
    ...otherReasons(action).map((reason) => prose(`because ${shortened(reason, longestReason)}`)),
    ...afterwards(action),
    ...(above.length > 0
      ? [`${above.slice(0, shownFields).join(", ")}${unnamed > 0 ? ` and ${unnamed} more` : ""} in the notes`]
      : []),
    ...(shared > 0 ? [`${countText(shared, "shared edit")} below`] : []),
  ];
  return parts.length > 0 ? `: ${parts.join("; ")}` : "";
}

function afterwards(action: Action): string[] {
  return consequences({ ...action, leaves: 0 }).map(prose);
}

function reasonText(reasons: readonly string[]): string {
  return reasons.map((reason) => `: ${prose(`because ${shortened(reason, longestReason)}`)}`).join("");
}

function shortOf(action: Action, changes: readonly Change[]): string {
  const isNew = action.action === "create";
  const paths = isNew ? [] : [...new Set(changes.map(({ path }) => path))];
  const shown = paths.slice(0, shownFields).map((path) => code(shortened(path, longestField)));
  const left = paths.length - shown.length;
  const fields = isNew ? countText(changes.length, "field") : shown.join(", ");
  return `${headOfAction(action)}: ${fields}${left > 0 ? ` and ${left} more` : ""}`;
}

function createDetails(action: Action, detail: ValueDetail, most: number): string {
  const file = action.file === undefined ? "" : ` in ${htmlCode(action.file)}`;
  const lines = linesOf(action, action.changes, detail, most);
  const points = [...action.reasons.map((reason) => prose(`because ${reason}`)), ...afterwards(action)];
  return [
    `<details><summary>create ${htmlCode(action.address)}${file}</summary>`,
    ...(points.length > 0 ? [points.map((point) => `- ${point}`).join("\n")] : []),
    ...(lines.length > 0 ? [fence(lines, "diff")] : []),
    "</details>",
  ].join("\n\n");
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${headOf(text, most)}…` : text;
}

/** Lays out changes of an action as the lines of a `diff` block, the first of them if they are many. */
export function linesOf(
  action: Action,
  changes: readonly Change[],
  detail: ValueDetail,
  most: number,
): string[] {
  const { changes: shown, left } = actionChanges({ ...action, changes: [...changes] }, changeRoom);
  const rendered = shown.map((change) => renderChangeDiff(change, detail));
  // After the lines of a text, a line of its own could be taken for one of them.
  const lines = [
    ...rendered.filter((each) => !isBlock(each)),
    ...rendered.filter((each) => isBlock(each)),
  ].flat();
  const leftLines = lines.length - most;
  return [
    ...lines.slice(0, most),
    ...(leftLines > 0 ? [`@@ ${countText(leftLines, "more line")} of this difference @@`] : []),
    ...(left > 0 ? [`@@ ${countText(left, "more change")} @@`] : []),
  ];
}

function isBlock([first = "", ...more]: readonly string[]): boolean {
  return first.startsWith("@@") && more.length > 0;
}
