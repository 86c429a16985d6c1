import type { Action } from "../../generated/plan.js";
import { shownChange } from "../change/shown-change.js";
import { firstOf } from "../words/count-text.js";
import { asSentence } from "../words/review-words.js";
import { groupEdit, groupHead, groupSaid, otherLines, pathWithOrigin } from "../view/group-title.js";
import { actionCounts, alike, withoutReasons } from "../view/plan-review.js";
import type { AlikeItem, GroupItem } from "../view/plan-section.js";
import { changeRoom } from "./change-diff.js";
import { differenceLines } from "./edit-markdown.js";
import { code, details, fence, prose } from "./markdown-text.js";
import type { ReviewItem } from "./review-item.js";

const mostLines = 200;
const fewAddresses = 50;
const mostOthers = 5;

/** Lays out an edit that several resources share: its difference once, the addresses folded. */
export function groupItem(item: GroupItem): ReviewItem {
  return {
    forms: [() => groupText(item, Infinity), () => groupText(item, fewAddresses), () => shortGroup(item)],
    isKept: replaced(item.group.actions).length > 0,
  };
}

function groupText(item: GroupItem, most: number): string {
  const { group, isNoted } = item;
  const { change, actions, others } = group;
  const [first] = actions;
  const { title, isWhole } = titleOf(item);
  const isSaid = isNoted || isWhole || !first;
  const lines = isNoted ? [] : otherLines(group, changeRoom, code).slice(0, Math.min(most, mostLines));
  const rest = [...lines.map((line) => `- ${line}`), ...restOf(others, actions.length, most)];
  return [
    title,
    ...(isSaid ? [] : [fence(differenceLines(first, [change], "head", mostLines), "diff")]),
    details(actionCounts(actions), [
      [...addressLines(alike(actions.map(withoutReasons)), most), ...rest].join("\n"),
    ]),
  ].join("\n\n");
}

function titleOf({ group, isNoted }: GroupItem): { readonly title: string; readonly isWhole: boolean } {
  const shown = shownChange(group.change, changeRoom);
  const { words, isWhole } = groupEdit(shown, code);
  const title = [
    `**${groupHead(group, code)}**: ${isNoted ? pathWithOrigin(shown, code) : words}`,
    ...groupSaid(group, code),
    ...(isNoted ? ["in the notes"] : []),
  ].join(" · ");
  return { title, isWhole };
}

// Those without the edit, where the title does not name them.
function restOf(
  { count = 0, addresses }: GroupItem["group"]["others"],
  here: number,
  most: number,
): string[] {
  if (count <= here) return [];
  return [`- without this edit: ${firstOf(addresses.map(code), Math.min(most, mostOthers), count)}`];
}

function shortGroup({ group }: GroupItem): string {
  const kept = replaced(group.actions);
  const { title } = titleOf({ sort: "group", group, isNoted: false });
  if (kept.length === 0) return title;
  return `${title}\n\n${details(actionCounts(kept), [addressLines(alike(kept.map(withoutReasons)), Infinity).join("\n")])}`;
}

/** Lays out what only follows from other actions: a count, and the addresses folded. */
export function consequencesItem(title: string, meaning: string, items: readonly AlikeItem[]): ReviewItem {
  const counts = actionCounts(items.flatMap(({ actions }) => actions));
  const kept = items.filter(({ action }) => action === "replace");
  const list = (some: readonly AlikeItem[], most: number) => addressLines(some, most).join("\n");
  const whole = (most: number) => () =>
    details(`${title}: ${counts}`, [prose(asSentence(meaning)), list(items, most)]);
  const short = () =>
    kept.length > 0 ? details(`${title}: ${counts}`, [list(kept, Infinity)]) : `**${title}**: ${counts}`;
  return { forms: [whole(Infinity), whole(fewAddresses), short], isKept: true };
}

function replaced(actions: readonly Action[]): readonly Action[] {
  return actions.filter(({ action }) => action === "replace");
}

// What is replaced is named however many they are.
function addressLines(items: readonly AlikeItem[], most: number): string[] {
  let room = most;
  let left = 0;
  const lines = items.flatMap(({ action, reasons, actions }) => {
    const shown = action === "replace" ? actions : actions.slice(0, room);
    room -= action === "replace" ? 0 : shown.length;
    left += actions.length - shown.length;
    if (shown.length === 0) return [];
    const why = reasons.map((reason) => `, ${prose(`because ${reason}`)}`).join("");
    return [`- ${action}${why}: ${shown.map(({ address }) => code(address)).join(", ")}`];
  });
  return [...lines, ...(left > 0 ? [`- and ${left} more`] : [])];
}
