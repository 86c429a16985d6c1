import type { Action, Change } from "../../generated/plan.js";
import { actionChanges } from "../change/action-changes.js";
import { countText, firstOf } from "../words/count-text.js";
import { headOf } from "../words/cut-text.js";
import type { EditItem } from "../view/plan-section.js";
import { changeRoom, renderChangeDiff, type ValueDetail } from "./change-diff.js";
import { code, details, fence, htmlCode, prose } from "./markdown-text.js";
import type { ReviewItem } from "./review-item.js";

const shownFields = 5;
const longestField = 80;
const longestReason = 200;
const mostLines = { whole: 1000, some: 40, first: 12 } as const;

/**
 * Lays out an action with its edits: unfolded but for the values of a new object, of which the first lines are shown
 * if notes name it. What waits for a person, replaces or deletes is never left out.
 */
export function editItem(item: EditItem): ReviewItem {
  const { action, changes, isNamed, isHeld } = item;
  if (isHeld) return { forms: [() => heldText(item), () => heldInShort(item)], isKept: true };
  const isKept = action.action === "replace" || action.action === "delete";
  const short = () => inShort(item);
  if (action.action === "create") {
    const first = isNamed ? [headOfAction(action), ...differenceOf(item, "few", mostLines.first)] : [];
    const create = (detail: ValueDetail, most: number) => () =>
      [...first, createText(item, detail, most)].join("\n\n");
    return { forms: [create("whole", mostLines.whole), create("few", mostLines.some), short] };
  }
  const edit = (most: number) => () =>
    [`${headOfAction(action)}${sentence(item)}`, ...differenceOf(item, "head", most)].join("\n\n");
  if (changes.length === 0) return { forms: [edit(0)], isKept };
  return { forms: [edit(mostLines.whole), edit(mostLines.some), short], isKept };
}

function heldText(item: EditItem): string {
  // A command, or a value, which is to be copied as it is.
  const ways = item.ways.map(({ where, text }) => `${prose(`${where}:`)} ${code(text)}`);
  return [
    headOfAction(item.action),
    ...listOf([...item.reasons.map(because), ...ways, ...item.leaves.map(prose), ...item.follows.map(prose)]),
    ...differenceOf(item, "head", mostLines.some),
  ].join("\n\n");
}

function heldInShort({ action, reasons }: EditItem): string {
  const why = reasons.slice(0, 1).map((reason) => `: ${because(shortened(reason, longestReason))}`);
  return `${headOfAction(action)}${why.join("")}`;
}

function createText(item: EditItem, detail: ValueDetail, most: number): string {
  const { address, file } = item.action;
  return details(`create ${htmlCode(address)}${file === undefined ? "" : ` in ${htmlCode(file)}`}`, [
    ...listOf([...item.reasons.map(because), ...item.follows.map(prose)]),
    ...differenceOf(item, detail, most),
  ]);
}

function listOf(points: readonly string[]): string[] {
  return points.length > 0 ? [points.map((point) => `- ${point}`).join("\n")] : [];
}

function because(reason: string): string {
  return prose(`because ${reason}`);
}

function headOfAction({ action, address, file }: Action): string {
  return `**${action}** ${code(address)}${file === undefined ? "" : ` in ${code(file)}`}`;
}

function sentence({ judged, reasons, follows, noted, shared }: EditItem): string {
  const parts = [
    ...judged.map((text) => prose(shortened(text, longestReason))),
    ...reasons.map((reason) => because(shortened(reason, longestReason))),
    ...follows.map(prose),
    ...(noted.length > 0 ? [`${firstOf(pathsOf(noted), shownFields)} in the notes`] : []),
    ...(shared > 0 ? [`${countText(shared, "shared edit")} below`] : []),
  ];
  return parts.length > 0 ? `: ${parts.join("; ")}` : "";
}

function inShort({ action, all }: EditItem): string {
  if (action.action === "create") return `${headOfAction(action)}: ${countText(all.length, "field")}`;
  return `${headOfAction(action)}: ${firstOf([...new Set(pathsOf(all))], shownFields)}`;
}

function pathsOf(changes: readonly Change[]): string[] {
  return changes.map(({ path }) => code(shortened(path, longestField)));
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${headOf(text, most)}…` : text;
}

function differenceOf({ action, changes }: EditItem, detail: ValueDetail, most: number): string[] {
  const lines = differenceLines(action, changes, detail, most);
  return lines.length > 0 ? [fence(lines, "diff")] : [];
}

/** Lays out changes of an action as the lines of a `diff` block, the first of them if they are many. */
export function differenceLines(
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
