import type { ReviewNote } from "../../core/review/review.js";
import type { Plan } from "../../generated/plan.js";
import { actionWords, type ActionWord } from "../words/action-words.js";
import { countText } from "../words/count-text.js";
import { reviewTitles } from "../words/review-words.js";
import type { PlanSection } from "../view/plan-section.js";
import { inTurns } from "../view/in-turns.js";
import { chooseShown, type ReviewSection } from "./review-item.js";
import { noteLine, reviewSection } from "./review-sections.js";
import { keptText, layOutAbove, nameBytes, namesLine } from "./sections-above.js";

// Of each list, what it says when not one of its addresses has room.
const wordsBytes = 120;

/** What stands around the addresses: the title, how to see the rest, and the digest with the hidden lines. */
interface ShortFrame {
  readonly title: readonly string[];
  readonly rest: string;
  readonly tail: readonly string[];
  readonly maxBytes: number;
}

/** Renders a plan whose gravest alone is too much: of each rule the first note before any second, then addresses. */
export function renderShort(
  plan: Plan,
  sections: readonly PlanSection[],
  { title, rest, tail, maxBytes }: ShortFrame,
): string {
  const head = [
    ...title,
    `**This plan is too long to be shown in ${countText(maxBytes, "byte")}; these are its addresses, and of its notes and edits those that fit.** ${rest}`,
  ];
  const fixed = `${[...head, ...tail].join("\n\n")}\n`;
  const notes = notesOf(sections);
  const [grave, others] = listsOf(plan, notes);
  const titles = grave.length + sections.filter(({ place }) => place === "above").length;
  let room = maxBytes - Buffer.byteLength(fixed) - (titles + 1) * wordsBytes;
  const above = [...layOutAbove(sections, room).values()].map(keptText);
  room -= above.reduce((sum, text) => sum + Buffer.byteLength(text) + 2, 0);
  let noteRoom = room - Math.min(bytesOf(grave), room / 2) - Math.min(bytesOf(others), room / 8);
  const told = new Map<ReviewNote, string>();
  for (const note of inTurns(notes).flat()) {
    const line = noteLine(note);
    const bytes = Buffer.byteLength(line) + 1;
    if (bytes > noteRoom) continue;
    noteRoom -= bytes;
    room -= bytes;
    told.set(note, line);
  }
  const noted = notes.flatMap((note) => told.get(note) ?? []);
  const blocks = grave.map(([name, addresses]) => {
    const { text, bytes } = namesLine(name, addresses, room);
    room -= bytes;
    return text;
  });
  for (const [name, addresses] of others) {
    // How many they are stands in the title, too.
    if (room < 2 * wordsBytes) break;
    const { text, bytes } = namesLine(name, addresses, room - wordsBytes);
    room -= bytes + wordsBytes;
    blocks.push(text);
  }
  const edits = chooseShown(sections.flatMap(editsIn), Math.max(0, room - wordsBytes))?.blocks ?? [];
  const ofAll = told.size < notes.length ? ` (${told.size} of ${notes.length})` : "";
  return `${[
    ...head,
    ...above,
    ...(told.size > 0 ? [`**${reviewTitles.notes}${ofAll}**`, noted.join("\n")] : []),
    ...blocks,
    ...edits.flat(),
    ...tail,
  ].join("\n\n")}\n`;
}

// Each is named, so that none must be shown.
function editsIn(section: PlanSection): ReviewSection[] {
  if (section.place !== "review" || section.name === "notes") return [];
  const { items, ...about } = reviewSection(section);
  return [{ ...about, items: items.map((item) => ({ ...item, isKept: false })) }];
}

function notesOf(sections: readonly PlanSection[]): ReviewNote[] {
  const items = sections.find(({ name }) => name === "notes")?.items ?? [];
  return items.flatMap((item) => (item.sort === "note" && !item.isAbove ? [item.note] : []));
}

type AddressList = readonly [title: string, addresses: readonly string[]];

function bytesOf(lists: readonly AddressList[]): number {
  const names = lists.flatMap(([, addresses]) => addresses);
  return names.reduce((sum, name) => sum + nameBytes(name), lists.length * wordsBytes);
}

// Those that are always named, and those that are where there is room.
function listsOf(plan: Plan, notes: readonly ReviewNote[]): readonly [AddressList[], AddressList[]] {
  const noted = (wanted: string) => [
    ...new Set(notes.flatMap(({ effect, addresses }) => (effect === wanted ? addresses : []))),
  ];
  const acted = ({ action: wanted, title }: ActionWord): AddressList => [
    title,
    plan.actions.filter(({ action }) => action === wanted).map(({ address }) => address),
  ];
  const isGrave = ({ action }: ActionWord) => graveActions.has(action);
  const words = Object.values<ActionWord>(actionWords);
  const grave: AddressList[] = [
    ["Weakens a guardrail", noted("weakens")],
    ["Widens an agent's reach", noted("widens")],
    ["Needs a review", noted("review")],
    ...words.filter(isGrave).map(acted),
  ];
  const others = words.filter((word) => !isGrave(word)).map(acted);
  const isUsed = ([, addresses]: AddressList) => addresses.length > 0;
  return [grave.filter(isUsed), others.filter(isUsed)];
}

const graveActions: ReadonlySet<ActionWord["action"]> = new Set([
  "delete",
  "replace",
  "unknown",
  "blocked",
  "forget",
  "gone",
]);
