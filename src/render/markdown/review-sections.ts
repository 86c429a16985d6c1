import { countText } from "../words/count-text.js";
import type { ReviewNote } from "../../core/review/review.js";
import { changeOnLine } from "../change/change-line.js";
import { pathWithOrigin } from "../view/group-title.js";
import type { NoteItem, ReviewedItem, ReviewedName, SectionOf } from "../view/plan-section.js";
import { changesDiff, firstLines, renderChangeDiff } from "./change-diff.js";
import { editItem, kinItem } from "./edit-markdown.js";
import { alikeItem, consequencesItem, groupItem } from "./group-markdown.js";
import { code, fence, fenceBytes, inItem, prose } from "./markdown-text.js";
import type { Rendered, ReviewItem, ReviewSection } from "./review-item.js";
import { noteSubject } from "../view/note-subject.js";

// What is said of what has no room: of items that are shown shorter, and of those that are left out.
const leftOut: Readonly<Record<ReviewedName, (all: number) => ReviewSection["leftOut"]>> = {
  notes: () => (cut) => (cut > 0 ? [`the values of ${countText(cut, "note")}`] : []),
  held: () => (cut) => (cut > 0 ? [`the differences of ${cut} that wait`] : []),
  onlyHere: (all) => (cut, left) => [
    ...(left > 0 ? [`${left} of ${countText(all, "resource")} with an edit of its own`] : []),
    ...(cut > 0 ? [`the whole differences of ${cut}${left > 0 ? " more" : ""}`] : []),
  ],
  created: (all) => (cut, left) => [
    ...(left > 0 ? [`${left} of ${countText(all, "new resource")}`] : []),
    ...(cut > 0 ? [`the whole of ${countText(cut, "new resource")}${left > 0 ? " more" : ""}`] : []),
  ],
  groups: () => (cut, left) => [
    ...(left > 0 ? [countText(left, "shared edit")] : []),
    ...(cut > 0 ? [`addresses or differences of ${countText(cut, "shared edit")}`] : []),
  ],
  consequences: () => (cut) => (cut > 0 ? ["addresses of consequences"] : []),
};

/** Lays out a section of the review, with the ways in which each of its items can be shown. */
export function reviewSection(section: SectionOf<"review", ReviewedName, ReviewedItem>): ReviewSection {
  const { name, title, meaning, items } = section;
  const following = name === "consequences" ? items.filter((item) => item.sort === "alike") : [];
  // These say of each what they are.
  const isTitled = name !== "groups" && name !== "consequences";
  return {
    ...(isTitled && { title: `**${title}**${meaning === undefined ? "" : `: ${meaning}.`}` }),
    items: [
      ...items.flatMap((item): ReviewItem[] => {
        switch (item.sort) {
          case "note":
            return item.isAbove ? [] : [noteItem(item)];
          case "edit":
            return [editItem(item)];
          case "kin":
            return [{ ...kinItem(item), count: resourcesOf(item) }];
          case "group":
            return [groupItem(item)];
          case "alike":
            return name === "consequences" ? [] : [{ ...alikeItem(item), count: resourcesOf(item) }];
        }
      }),
      ...(following.length > 0 ? [consequencesItem(title, meaning ?? "", following)] : []),
    ],
    between: name === "notes" ? "\n" : "\n\n",
    leftOut: leftOut[name](items.reduce((sum, item) => sum + resourcesOf(item), 0)),
  };
}

function resourcesOf(item: ReviewedItem): number {
  if (item.sort === "kin") return 1 + item.others.length;
  return item.sort === "alike" ? item.actions.length : 1;
}

/** Lays out a guardrail note with its change, and without; none is ever left out. */
function noteItem({ note, change, lines: most, left }: NoteItem): ReviewItem {
  const short = () => noteLine(note);
  const render = (bytes: number): Rendered => {
    if (!change) return { text: short(), isCut: false };
    const beside = changeOnLine(change, code);
    if (beside !== undefined)
      return { text: noteText(note, ` · ${pathWithOrigin(change, code)}: ${beside}`, []), isCut: false };
    if (left > 0)
      return {
        text: noteText(note, "", firstLines(renderChangeDiff(change), most, ", below")),
        isCut: false,
      };
    const { lines, isCut } = changesDiff([change], bytes - Buffer.byteLength(short()) - fenceBytes);
    return { text: noteText(note, "", lines), isCut };
  };
  return { render, short, isKept: true };
}

/** Renders a guardrail note without its change, as an item of a list. */
export function noteLine(note: ReviewNote): string {
  return noteText(note, "", []);
}

function noteText(note: ReviewNote, beside: string, below: readonly string[]): string {
  const { effect, message, code: name } = note;
  const text = `**${effect}** ${noteSubject(note, code)}: ${prose(message)} (${code(name)})${beside}`;
  return inItem(text, below.length > 0 ? fence(below) : "");
}
