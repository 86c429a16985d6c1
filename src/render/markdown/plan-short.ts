import type { ReviewNote } from "../../core/review/review.js";
import type { Plan } from "../../generated/plan.js";
import { actionWords } from "../words/action-words.js";
import { countText } from "../words/count-text.js";
import { reviewTitles } from "../words/review-words.js";
import type { PlanSection, SectionName } from "../view/plan-section.js";
import { inTurns } from "../view/in-turns.js";
import { code } from "./markdown-text.js";
import { noteLine } from "./review-sections.js";

// Of each list, what it says when not one of its addresses has room.
const wordsBytes = 120;

/** What stands around the addresses: the title, how to see the rest, and the digest with the hidden lines. */
interface ShortFrame {
  readonly title: readonly string[];
  readonly rest: string;
  readonly tail: readonly string[];
  readonly maxBytes: number;
}

/** A section that comes before the others, whole. */
export interface FirstSection {
  readonly name: SectionName;
  readonly text: string;
}

/**
 * Renders a plan of which even the gravest is too much for so many bytes: what comes first whole, if it fits, of the
 * notes as many as there is room for, of each rule the first before any second, and the addresses.
 */
export function renderShort(
  plan: Plan,
  sections: readonly PlanSection[],
  above: readonly FirstSection[],
  { title, rest, tail, maxBytes }: ShortFrame,
): string {
  const head = [
    ...title,
    `**This plan is too long to be shown in ${countText(maxBytes, "byte")}; these are its addresses, and of its notes those that fit.** ${rest}`,
  ];
  const fixed = `${[...head, ...tail].join("\n\n")}\n`;
  const notes = notesOf(sections);
  const all = listsOf(plan, sections);
  let room = maxBytes - Buffer.byteLength(fixed) - (all.length + 1) * wordsBytes;
  const whole = new Map<SectionName | undefined, string>();
  for (const { name, text } of above) {
    const bytes = Buffer.byteLength(text) + 2;
    if (bytes > room / 2) continue;
    room -= bytes;
    whole.set(name, text);
  }
  const lists = all.filter(([name]) => !whole.has(name));
  const needed = lists.flatMap(([, , addresses]) => addresses).reduce((sum, each) => sum + bytesOf(each), 0);
  let noteRoom = room - Math.min(needed, room / 2);
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
  const blocks = lists.map(([name, title, addresses]) => {
    const shown: string[] = [];
    for (const address of addresses) {
      const bytes = bytesOf(address);
      if (bytes > room) break;
      shown.push(code(address));
      room -= bytes;
    }
    const left = addresses.length - shown.length;
    const more = left > 0 ? [`${left} ${shown.length > 0 ? "more" : "resources"}`] : [];
    return { name, text: `**${title} (${addresses.length}):** ${[...shown, ...more].join(", ")}` };
  });
  const ofAll = told.size < notes.length ? ` (${told.size} of ${notes.length})` : "";
  return `${[
    ...head,
    ...above.flatMap(({ name }) => whole.get(name) ?? textsOf(blocks.filter((block) => block.name === name))),
    ...(told.size > 0 ? [`**${reviewTitles.notes}${ofAll}**`, noted.join("\n")] : []),
    ...textsOf(blocks.filter(({ name }) => name === undefined)),
    ...tail,
  ].join("\n\n")}\n`;
}

function textsOf(blocks: readonly { readonly text: string }[]): string[] {
  return blocks.map(({ text }) => text);
}

function bytesOf(address: string): number {
  return Buffer.byteLength(code(address)) + 2;
}

function notesOf(sections: readonly PlanSection[]): ReviewNote[] {
  const items = sections.find(({ name }) => name === "notes")?.items ?? [];
  return items.flatMap((item) => (item.sort === "note" && !item.isAbove ? [item.note] : []));
}

type AddressList = readonly [name: SectionName | undefined, title: string, addresses: readonly string[]];

function listsOf(plan: Plan, sections: readonly PlanSection[]): AddressList[] {
  const itemsOf = (wanted: SectionName) => sections.find(({ name }) => name === wanted)?.items ?? [];
  const notes = notesOf(sections);
  const noted = (wanted: string) => [
    ...new Set(notes.flatMap(({ effect, addresses }) => (effect === wanted ? addresses : []))),
  ];
  const acted = (wanted: string) =>
    plan.actions.filter(({ action }) => action === wanted).map(({ address }) => address);
  const grave = ["delete", "replace", "unknown", "blocked", "forget", "gone"] as const;
  const lists: AddressList[] = [
    [
      "state",
      reviewTitles.state,
      itemsOf("state").flatMap((item) => (item.sort === "state" ? [item.name] : [])),
    ],
    [
      "settings",
      reviewTitles.settings,
      itemsOf("settings").flatMap((item) => (item.sort === "setting" ? [item.change.path] : [])),
    ],
    [undefined, "Weakens a guardrail", noted("weakens")],
    [undefined, "Widens an agent's reach", noted("widens")],
    [undefined, "Needs a review", noted("review")],
    ...grave.map((action) => [undefined, actionWords[action].title, acted(action)] as const),
  ];
  return lists.filter(([, , addresses]) => addresses.length > 0);
}
