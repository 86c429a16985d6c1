import type { Action } from "../../generated/plan.js";
import { asIs } from "../change/shown-change.js";
import { countText } from "../words/count-text.js";
import { asSentence } from "../words/review-words.js";
import { addressesText } from "../view/address-text.js";
import { groupTitle, otherLines, partPlace } from "../view/group-title.js";
import { actionCounts, alike, withoutReasons } from "../view/plan-review.js";
import type { AlikeItem, GroupItem } from "../view/plan-section.js";
import { differenceLines, type DiffLines } from "./change-diff.js";
import { membersText } from "./edit-markdown.js";
import { code, details, fence, fenceBytes, prose } from "./markdown-text.js";
import type { Rendered, ReviewItem } from "./review-item.js";

/** Lays out an edit that several resources share: its difference once, then the addresses. */
export function groupItem(item: GroupItem): ReviewItem {
  return {
    render: (bytes) => groupText(item, bytes),
    short: () => shortGroup(item),
    isKept: replaced(item.group.actions).length > 0,
  };
}

function groupText(item: GroupItem, bytes: number): Rendered {
  const { group, edits } = item;
  const others = edits.flatMap((each) => otherLines(each, code));
  const members = membersText(others, bytes / 2);
  const after = [
    ...(others.length > 0 ? [details(`The lines of the other ${others.length}`, [members.text])] : []),
    addressLines(alike(group.actions.map(withoutReasons), group.known)).join("\n"),
  ];
  const title = titleOf(item);
  const room = bytes - Buffer.byteLength([title, ...after].join("\n\n")) - fenceBytes;
  const { lines, isCut } = groupTitle(item, code).isWhole
    ? { lines: [], isCut: false }
    : partLines(item, room);
  const fenced = lines.length > 0 ? [fence(lines)] : [];
  return { text: [title, ...fenced, ...after].join("\n\n"), isCut: isCut || members.isCut };
}

function titleOf(item: GroupItem): string {
  const { head, words } = groupTitle(item, code);
  return `**${head}**: ${words}`;
}

function partLines(item: GroupItem, bytes: number): DiffLines {
  let room = bytes;
  const parts = item.edits.map((each): DiffLines => {
    const [first] = each.actions;
    const place = partPlace(item, each, asIs);
    const mark = place === undefined ? [] : [`@@ ${place} @@`];
    if (!first) return { lines: mark, isCut: false };
    const { lines, isCut } = differenceLines(first, [each.change], room);
    room -= Buffer.byteLength([...lines, ...mark].join("\n"));
    return { lines: [...lines, ...mark], isCut };
  });
  return { lines: parts.flatMap(({ lines }) => lines), isCut: parts.some(({ isCut }) => isCut) };
}

function shortGroup(item: GroupItem): string {
  const { group } = item;
  const kept = replaced(group.actions);
  const title = titleOf(item);
  return kept.length === 0
    ? title
    : `${title}\n\n${addressLines(alike(kept.map(withoutReasons), group.known)).join("\n")}`;
}

/** Lays out what only follows from other actions: a count, and the addresses folded. */
export function consequencesItem(title: string, meaning: string, items: readonly AlikeItem[]): ReviewItem {
  const counts = actionCounts(items.flatMap(({ actions }) => actions));
  const kept = items.filter(({ action }) => action === "replace");
  const folded = (some: readonly AlikeItem[], more: readonly string[] = []) =>
    details(`${title}: ${counts}`, [prose(asSentence(meaning)), [...addressLines(some), ...more].join("\n")]);
  const render = (bytes: number): Rendered => {
    const whole = folded(items);
    if (Buffer.byteLength(whole) <= bytes) return { text: whole, isCut: false };
    let room = bytes - Buffer.byteLength(folded(kept)) - fenceBytes;
    let left = 0;
    const shown = items.filter((item) => {
      if (item.action === "replace") return true;
      const size = Buffer.byteLength(addressLines([item]).join("")) + 1;
      const isShown = size <= room;
      if (isShown) room -= size;
      else left += item.actions.length;
      return isShown;
    });
    return { text: folded(shown, [`- and ${countText(left, "more resource")}`]), isCut: true };
  };
  const short = () => (kept.length > 0 ? folded(kept) : `**${title}**: ${counts}`);
  return { render, short, isKept: true };
}

/** Lays out resources with which the same happens for the same reasons. */
export function alikeItem({ action, reasons, actions, known }: AlikeItem): ReviewItem {
  const why = reasons.map((reason) => `: ${prose(`because ${reason}`)}`).join("");
  const addresses = addressesText(actions, code, known);
  const text = `**${action}** ${countText(actions.length, "resource")}, ${addresses}${why}`;
  return { render: () => ({ text, isCut: false }) };
}

function replaced(actions: readonly Action[]): readonly Action[] {
  return actions.filter(({ action }) => action === "replace");
}

// What is replaced is named however many they are.
function addressLines(items: readonly AlikeItem[]): string[] {
  return items.map(({ action, reasons, actions, known }) => {
    const named =
      action === "replace"
        ? actions.map(({ address }) => code(address)).join(", ")
        : addressesText(actions, code, known);
    const why = reasons.map((reason) => `, ${prose(`because ${reason}`)}`).join("");
    return `- ${action}${why}: ${named}`;
  });
}
