import { countText, firstOf } from "../words/count-text.js";
import type { Item, NoteItem, PlanSection, ReviewedName } from "../view/plan-section.js";
import { consequencesItem, groupItem } from "./group-markdown.js";
import { editItem } from "./edit-markdown.js";
import { code, details, prose, fence } from "./markdown-text.js";
import type { ReviewItem, ReviewSection } from "./review-item.js";
import type { ReviewNote } from "../../core/plan/review.js";
import { changeOnLine } from "../change/change-line.js";
import { pathWithOrigin } from "../view/group-title.js";
import { noteSubject } from "../view/note-subject.js";
import { renderChangeDiff } from "./change-diff.js";

const fewAddresses = 50;

type LeftOut = ReviewSection["leftOut"];

// What is said of what has no room: of items that are shown shorter, and of those that are left out.
const leftOut: Readonly<Record<ReviewedName, (all: number) => LeftOut>> = {
  notes: () => (cut) => (cut > 0 ? [`the values of ${countText(cut, "note")}`] : []),
  held: () => (cut) => (cut > 0 ? [`the differences of ${cut} that wait`] : []),
  onlyHere: (all) => (cut, left) => [
    ...(left > 0 ? [`${left} of ${countText(all, "resource")} with an edit of its own`] : []),
    ...(cut > 0 ? [`the whole differences of ${cut}${left > 0 ? " more" : ""}`] : []),
  ],
  groups: () => (cut, left) => [
    ...(left > 0 ? [countText(left, "shared edit")] : []),
    ...(cut > 0 ? [`addresses or differences of ${countText(cut, "shared edit")}`] : []),
  ],
  consequences: () => (cut) => (cut > 0 ? ["addresses of consequences"] : []),
};

/** Lays out the sections that are shown as far as there is room, with the ways in which each of their items can be shown. */
export function reviewSections(sections: readonly PlanSection[]): ReviewSection[] {
  const laidOut = sections.flatMap((section) => reviewSection(section));
  return [...laidOut, notedSection(sections)];
}

function reviewSection(section: PlanSection): ReviewSection[] {
  if (section.place !== "review") return [];
  const { name, title, meaning, items } = section;
  const following = items.filter((item) => item.sort === "alike");
  const whole = {
    title: `**${title}**${meaning === undefined ? "" : `: ${meaning}.`}`,
    items: [
      ...items.flatMap((item): ReviewItem[] => {
        if (item.sort === "note") return item.isAbove ? [] : [noteItem(item)];
        if (item.sort === "edit") return [editItem(item)];
        return item.sort === "group" ? [groupItem(item)] : [];
      }),
      ...(following.length > 0 ? [consequencesItem(title, meaning ?? "", following)] : []),
    ],
    between: name === "notes" ? "\n" : "\n\n",
    yields: name === "onlyHere",
    leftOut: leftOut[name](items.length),
  };
  // These say of each what they are.
  const { title: _title, ...untitled } = whole;
  return [name === "groups" || name === "consequences" ? untitled : whole];
}

// The addresses of notes that are about many resources, unless a shared edit lists the same.
function notedSection(sections: readonly PlanSection[]): ReviewSection {
  const items = sections.flatMap<Item>((section) => section.items);
  const listed = new Set(
    items.flatMap((item) =>
      item.sort === "group" ? [item.group.actions.map(({ address }) => address).join()] : [],
    ),
  );
  const many = items.filter(
    (item): item is NoteItem =>
      item.sort === "note" &&
      !item.isAbove &&
      item.note.addresses.length > manyAddresses &&
      !listed.has(item.note.addresses.join()),
  );
  const list = (most: number) => () => {
    const lines = many.map(({ note: { message, addresses } }) => {
      return `- ${prose(message)}: ${firstOf(addresses.map(code), most)}`;
    });
    return details(`Resources of ${countText(many.length, "guardrail note")}`, [lines.join("\n")]);
  };
  return {
    items: many.length > 0 ? [{ forms: [list(Infinity), list(fewAddresses)] }] : [],
    between: "\n\n",
    leftOut: (cut, left) => (cut + left > 0 ? ["addresses of guardrail notes"] : []),
  };
}

/** The most addresses that are beside a note. */
const manyAddresses = 5;

/** Lays out a guardrail note with its change, and without; none is ever left out. */
function noteItem({ note, change, lines: most, left }: NoteItem): ReviewItem {
  const short = () => noteText(note, "", []);
  if (!change) return { forms: [short], isKept: true };
  const beside = changeOnLine(change, code);
  if (beside !== undefined) {
    const text = ` · ${pathWithOrigin(change, code)}: ${beside}`;
    return { forms: [() => noteText(note, text, []), short], isKept: true };
  }
  const lines = renderChangeDiff(change, "few");
  const shown =
    left > 0
      ? [...lines.slice(0, most), `@@ ${countText(left, "more line")} of this difference, below @@`]
      : lines;
  return { forms: [() => noteText(note, "", shown), short], isKept: true };
}

function noteText(note: ReviewNote, beside: string, below: readonly string[]): string {
  const { effect, message, code: name } = note;
  const where = noteSubject(note, manyAddresses, code);
  const lines = [
    `- **${effect}** ${where}: ${prose(message)} (${code(name)})${beside}`,
    ...(below.length > 0 ? ["", ...fence(below, "diff").split("\n")] : []),
  ];
  return lines.map((line, index) => (index === 0 || line === "" ? line : `  ${line}`)).join("\n");
}
